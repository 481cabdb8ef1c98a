// SPDX-License-Identifier: Apache-2.0
//
// Which of several ways to the same result is the fastest on a CPU: what a
// target does not tell.

#ifndef LANEWISE_RUNTIME_ENGINE_CPU_H_
#define LANEWISE_RUNTIME_ENGINE_CPU_H_

#include <string_view>

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
  // From Zen 3 (family 25) on, AMD's divider is quicker than multiplication.
  const bool quick_divider =
      std::string_view(cpu.vendor) == "AuthenticAMD" && cpu.family >= 25;
  return quick_divider ? Way::kDivider : Way::kUsual;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_CPU_H_
