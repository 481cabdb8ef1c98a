// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/isa.h"

#include <cstring>
#include <fstream>
#include <string>

#include "hwy/highway.h"
#include "hwy/targets.h"
#include "runtime/engine/status.h"

namespace lanewise {
namespace {

// Accepts every name that Highway knows, even if it is not in this build, so
// that one setting works on a fleet of different machines.
int64_t TargetByName(const char* name) {
  // Highway returns this string for bits that are not targets, so it is not a
  // name.
  if (std::strcmp(hwy::TargetName(0), name) == 0) return 0;
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t target = int64_t{1} << bit;
    if (std::strcmp(hwy::TargetName(target), name) == 0) return target;
  }
  return 0;
}

int64_t Lowest(int64_t mask) { return mask & -mask; }

std::string ReadCpuName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos && line.rfind("model name", 0) == 0) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

}  // namespace

int64_t RunnableTargets() {
  int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
#if HWY_ARCH_X86
  // Highway offers AVX3_ZEN4 on AMD only, although every CPU with AVX3_SPR has
  // the instructions. There it is never the default, but callers may ask for
  // it.
  if ((hwy::SupportedTargets() & HWY_AVX3_SPR) != 0) {
    targets |= HWY_AVX3_ZEN4 & HWY_TARGETS;
  }
#endif
  return targets;
}

lw_status ChooseTarget(const char* max_isa, int64_t* target) {
  const int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
  if (supported == 0) {
    return Fail(LW_UNKNOWN_ISA, "this build has no kernels for this CPU");
  }
  if (max_isa == nullptr || *max_isa == '\0') {
    *target = Lowest(supported);
    return LW_OK;
  }
  const int64_t ceiling = TargetByName(max_isa);
  if (ceiling == 0) {
    return Fail(LW_UNKNOWN_ISA,
                "\"%s\" is no instruction set; lw_isa_name lists those of this "
                "machine",
                max_isa);
  }
  if ((RunnableTargets() & ceiling) != 0) {
    *target = ceiling;
    return LW_OK;
  }
  // A lower bit is a better target: drop the targets better than the ceiling.
  const int64_t allowed = supported & ~(ceiling - 1);
  if (allowed == 0) {
    return Fail(LW_UNKNOWN_ISA,
                "nothing at or below %s is in this build; its lowest "
                "instruction set is %s",
                max_isa, TargetName(HWY_STATIC_TARGET));
  }
  *target = Lowest(allowed);
  return LW_OK;
}

int64_t TargetsFrom(int64_t target) {
  // A lower bit is a better target.
  return target | (hwy::SupportedTargets() & HWY_TARGETS & ~(target - 1));
}

const char* TargetName(int64_t target) { return hwy::TargetName(target); }

const char* CpuName() {
  static const std::string name = ReadCpuName();
  return name.c_str();
}

}  // namespace lanewise
