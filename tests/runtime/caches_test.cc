// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/caches.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lanewise::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// A folder as Linux has one for each CPU.
class CacheFolder {
 public:
  CacheFolder() { std::filesystem::create_directories(path_); }
  ~CacheFolder() { std::filesystem::remove_all(path_); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  void Add(int index, const char* level, const char* size, const char* cpus) {
    const auto folder = path_ / ("index" + std::to_string(index));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "level") << level << '\n';
    std::ofstream(folder / "size") << size << '\n';
    std::ofstream(folder / "shared_cpu_list") << cpus << '\n';
  }
  Caches Read() const { return ReadCaches(path_.string().c_str()); }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("lanewise_caches_" +
       std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(Caches, TheLastLevelCounts) {
  CacheFolder folder;
  folder.Add(0, "1", "32K", "0,64");
  folder.Add(1, "3", "32768K", "0-7,64-71");
  folder.Add(2, "2", "1024K", "0,64");
  EXPECT_EQ(folder.Read(), (Caches{32 * kMiB, 16}));
}

TEST(Caches, SizesAreThoseOfOneMachine) {
  CacheFolder folder;
  folder.Add(3, "3", "327680K", "0-1");  // a virtual machine's whole server
  EXPECT_EQ(folder.Read(), (Caches{64 * kMiB, 2}));
  folder.Add(3, "3", "1M", "0");
  EXPECT_EQ(folder.Read(), (Caches{4 * kMiB, 1}));
}

TEST(Caches, WhatCannotBeReadIsAsBuiltIn) {
  CacheFolder folder;
  EXPECT_EQ(folder.Read(), Caches());
  EXPECT_EQ(ReadCaches("/nowhere"), Caches());
  folder.Add(0, "1", "32K", "0");
  folder.Add(1, "2", "2048K", "0-3");
  EXPECT_EQ(folder.Read(), Caches());
  for (const char* wrong : {"", "x", "-", ",", "4-2", "K"}) {
    folder.Add(2, "3", "32768K", wrong);
    EXPECT_EQ(folder.Read(), Caches()) << wrong;
    folder.Add(2, "3", *wrong == '4' ? "0" : wrong, "0-7");
    EXPECT_EQ(folder.Read(), Caches()) << wrong;
  }
}

TEST(Caches, AllCachesOfTheThreadsCount) {
  const Caches caches = {32 * kMiB, 8};
  EXPECT_EQ(StreamBytes(caches, 0), 24 * kMiB);
  EXPECT_EQ(StreamBytes(caches, 1), 24 * kMiB);
  EXPECT_EQ(StreamBytes(caches, 2), 32 * kMiB);
  EXPECT_EQ(StreamBytes(caches, 8), 32 * kMiB);
  EXPECT_EQ(StreamBytes(caches, 9), 64 * kMiB);
  EXPECT_EQ(StreamBytes(caches, 64), 256 * kMiB);
}

}  // namespace
}  // namespace lanewise::test
