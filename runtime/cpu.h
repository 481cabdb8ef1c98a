// SPDX-License-Identifier: Apache-2.0
//
// Which of several ways to the same result is the fastest on a CPU, and what
// else a target does not tell.

#ifndef LANEWISE_RUNTIME_CPU_H_
#define LANEWISE_RUNTIME_CPU_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hwy/detect_targets.h"
#include "kernels/kernel.h"

namespace lanewise {

/// The CPU's name for itself: empty and 0 on CPUs other than x86.
struct CpuId {
  char vendor[13] = {};  ///< such as "AuthenticAMD"
  unsigned family = 0;   ///< as /proc/cpuinfo prints the family
};

CpuId ReadCpuId();

/// The way that kernels should take where a target serves CPUs that differ:
/// AVX2. AVX-512 targets tell their CPUs apart and have one way each.
constexpr Way PreferredWay(const CpuId& cpu) {
  // Measured on a Zen 3 (family 25) and a Zen 5 (family 26). For other CPUs,
  // scripts/predict predicts multiplication, or a difference within the error
  // of the prediction.
  const bool quick_divider =
      std::string_view(cpu.vendor) == "AuthenticAMD" && cpu.family >= 25;
  return quick_divider ? Way::kDivider : Way::kUsual;
}

/// How much wider than the output's the elements of an input may be where the
/// output is stored past the caches. Measured for comparisons of 16 Mi
/// elements, as the time with such stores over the time without: on a Zen 4
/// (family 25), 32 bits 0.74 to 0.84 and 64 bits 0.93 to 1.17; on a Zen 5, 1.3
/// and 1.6.
constexpr size_t StreamRatio(const CpuId& cpu, int64_t target) {
  const bool is_zen4 = target == HWY_AVX3_ZEN4 && cpu.family == 25;
  return is_zen4 ? 4 : 2;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CPU_H_
