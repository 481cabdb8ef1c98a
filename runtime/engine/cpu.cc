// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/cpu.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <cstring>
#endif

namespace lanewise {

CpuId ReadCpuId() {
  CpuId cpu;
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return cpu;
  std::memcpy(cpu.vendor, &b, 4);
  std::memcpy(cpu.vendor + 4, &d, 4);
  std::memcpy(cpu.vendor + 8, &c, 4);
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return cpu;
  // The extended family counts on from family 15.
  cpu.family = a >> 8 & 0xF;
  if (cpu.family == 0xF) cpu.family += a >> 20 & 0xFF;
#endif
  return cpu;
}

}  // namespace lanewise
