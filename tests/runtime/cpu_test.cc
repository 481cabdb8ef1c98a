// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

#include "tests/support/not_run.h"

namespace lanewise::test {
namespace {

CpuId Cpu(std::string_view vendor, unsigned family) {
  CpuId cpu;
  vendor.copy(cpu.vendor, sizeof(cpu.vendor) - 1);
  cpu.family = family;
  return cpu;
}

TEST(Cpu, DividesOnZen3AndLater) {
  EXPECT_EQ(PreferredWay(Cpu("AuthenticAMD", 25)), Way::kDivider);
  EXPECT_EQ(PreferredWay(Cpu("AuthenticAMD", 26)), Way::kDivider);
  EXPECT_EQ(PreferredWay(Cpu("AuthenticAMD", 27)), Way::kDivider);
}

TEST(Cpu, MultipliesElsewhere) {
  for (const unsigned family : {0x0Fu, 0x17u, 24u}) {
    EXPECT_EQ(PreferredWay(Cpu("AuthenticAMD", family)), Way::kUsual);
  }
  for (const unsigned family : {6u, 15u, 18u, 19u, 26u}) {
    EXPECT_EQ(PreferredWay(Cpu("GenuineIntel", family)), Way::kUsual);
    EXPECT_EQ(PreferredWay(Cpu("HygonGenuine", family)), Way::kUsual);
    EXPECT_EQ(PreferredWay(Cpu("", family)), Way::kUsual);
  }
  EXPECT_EQ(PreferredWay(CpuId()), Way::kUsual);
}

// The kernel reads the same numbers from the CPU.
TEST(Cpu, KnowsItself) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string vendor, family;
  for (std::string line; std::getline(cpuinfo, line) && !line.empty();) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.rfind("vendor_id", 0) == 0) vendor = line.substr(colon + 2);
    if (line.rfind("cpu family", 0) == 0) family = line.substr(colon + 2);
  }
  const CpuId cpu = ReadCpuId();
#if defined(__x86_64__)
  if (vendor.empty()) LANEWISE_NOT_RUN("no /proc/cpuinfo");
  EXPECT_EQ(cpu.vendor, vendor);
  EXPECT_EQ(std::to_string(cpu.family), family);
#else
  EXPECT_STREQ(cpu.vendor, "");
  EXPECT_EQ(cpu.family, 0u);
#endif
}

}  // namespace
}  // namespace lanewise::test
