// SPDX-License-Identifier: Apache-2.0

#include "runtime/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

#include "runtime/isa.h"
#include "runtime/tuning.h"
#include "tests/support/engines.h"
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

TEST(Cpu, StreamsBesideWiderInputsOnZen4) {
  const CpuId zen4 = Cpu("AuthenticAMD", 25);
  EXPECT_EQ(StreamRatio(zen4, HWY_AVX3_ZEN4), 4u);
  EXPECT_EQ(StreamRatio(zen4, HWY_AVX2), 2u);
  EXPECT_EQ(StreamRatio(Cpu("AuthenticAMD", 26), HWY_AVX3_ZEN4), 2u);
  EXPECT_EQ(StreamRatio(Cpu("GenuineIntel", 6), HWY_AVX3_ZEN4), 2u);
}

TEST(Cpu, ComputesByHalfVectorsOnZen4) {
  EXPECT_TRUE(HalfVectors(Cpu("AuthenticAMD", 25), HWY_AVX3_ZEN4));
  EXPECT_FALSE(HalfVectors(Cpu("AuthenticAMD", 25), HWY_AVX2));
  EXPECT_FALSE(HalfVectors(Cpu("AuthenticAMD", 26), HWY_AVX3_ZEN4));
  EXPECT_FALSE(HalfVectors(Cpu("GenuineIntel", 6), HWY_AVX3_SPR));
}

TEST(Cpu, ATuningFileMaySayOtherwise) {
  for (const bool halves : {true, false}) {
    const TempFile file(TuningHeader(lw_isa_name(0)) + "stream_ratio 7\n" +
                        (halves ? "vectors halves\n" : "vectors whole\n"));
    Tuning tuning;
    tuning.half_vectors = !halves;
    ASSERT_EQ(LoadTuning(file.path(), CpuName(), lw_isa_name(0), &tuning),
              LW_OK);
    EXPECT_EQ(tuning.stream_ratio, 7u);
    EXPECT_EQ(tuning.half_vectors, halves);
  }
}

TEST(Cpu, RunsKernelsForZen4WithIfmaOnly) {
  CpuId cpu = Cpu("AuthenticAMD", 25);
  const int64_t all = HWY_AVX3_ZEN4 | HWY_AVX3_DL | HWY_AVX3 | HWY_AVX2;
  EXPECT_EQ(TargetsFor(cpu, all), HWY_AVX3_DL | HWY_AVX3 | HWY_AVX2);
  cpu.has_ifma = true;
  EXPECT_EQ(TargetsFor(cpu, all), all);
}

// The kernel reads the same numbers from the CPU.
TEST(Cpu, KnowsItself) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string vendor, family, flags;
  for (std::string line; std::getline(cpuinfo, line) && !line.empty();) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.rfind("vendor_id", 0) == 0) vendor = line.substr(colon + 2);
    if (line.rfind("cpu family", 0) == 0) family = line.substr(colon + 2);
    if (line.rfind("flags", 0) == 0) flags = line.substr(colon + 2) + " ";
  }
  const CpuId cpu = ReadCpuId();
#if defined(__x86_64__)
  if (vendor.empty()) LANEWISE_NOT_RUN("no /proc/cpuinfo");
  EXPECT_EQ(cpu.vendor, vendor);
  EXPECT_EQ(std::to_string(cpu.family), family);
  EXPECT_EQ(cpu.has_ifma, flags.find(" avx512ifma ") != std::string::npos);
#else
  EXPECT_STREQ(cpu.vendor, "");
  EXPECT_EQ(cpu.family, 0u);
#endif
}

}  // namespace
}  // namespace lanewise::test
