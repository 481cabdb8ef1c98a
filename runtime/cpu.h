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
  char vendor[13] = {};   ///< such as "AuthenticAMD"
  unsigned family = 0;    ///< as /proc/cpuinfo prints the family
  bool has_ifma = false;  ///< AVX512_IFMA
};

CpuId ReadCpuId();

/// The targets whose kernels this CPU can run. Kernels of AVX3_ZEN4 use
/// AVX512_IFMA, and Highway's test for this target does not include that
/// extension. All Zen 4 and 5 have it, but a virtual machine may lack it.
constexpr int64_t TargetsFor(const CpuId& cpu, int64_t targets) {
  return cpu.has_ifma ? targets : targets & ~HWY_AVX3_ZEN4;
}

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

/// AVX3_ZEN4 also serves Zen 5, which is of family 26.
constexpr bool IsZen4(const CpuId& cpu, int64_t target) {
  return target == HWY_AVX3_ZEN4 && cpu.family == 25;
}

/// How much wider than the output's the elements of an input may be where the
/// output is stored past the caches. Measured for comparisons of 16 Mi
/// elements, as the time with such stores over the time without: on a Zen 4, 32
/// bits 0.74 to 0.84 and 64 bits 0.93 to 1.17; on a Zen 5, 1.3 and 1.6.
constexpr size_t StreamRatio(const CpuId& cpu, int64_t target) {
  return IsZen4(cpu, target) ? 4 : 2;
}

/// Whether Add, Sub and Mul compute rows by half vectors in L1 and beyond L2. A
/// Zen 4 splits each operation on 512 bits. Measured on it, as the time with
/// half vectors over the time without: n = 256 to 2,048 0.90 to 0.97, n = 1 Mi
/// 0.76 to 0.97, within L2 1.0 to 1.02. A Zen 5 has whole units of 512 bits.
constexpr bool HalfVectors(const CpuId& cpu, int64_t target) {
  return IsZen4(cpu, target);
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CPU_H_
