// SPDX-License-Identifier: Apache-2.0

#include "runtime/chunking.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace lanewise::test {
namespace {

constexpr size_t kGranule = 1024;
constexpr Tuning::PerCostClass kTuning = {512 * 1024, 256 * 1024};

// Chunk i is [i * size, (i + 1) * size), truncated at the end. The chunks
// together cover all elements, and none is empty.
void ExpectCovers(const Chunks& chunks, size_t elements) {
  ASSERT_GE(chunks.count, 1u);
  if (chunks.count == 1) {
    EXPECT_EQ(chunks.size, elements);
    return;
  }
  EXPECT_LT((chunks.count - 1) * chunks.size, elements);
  // count * size may exceed the address space; this difference cannot.
  EXPECT_LE(elements - (chunks.count - 1) * chunks.size, chunks.size);
  EXPECT_EQ(chunks.size % kGranule, 0u);
}

TEST(Chunking, CoversEveryElementOnce) {
  for (const size_t threads : {1, 2, 3, 7, 64, 4096}) {
    for (const size_t bytes : {1, 2, 4, 8, 16, 24}) {
      for (const Tuning::PerCostClass& tuning :
           {kTuning, Tuning::PerCostClass{1, 1},
            Tuning::PerCostClass{1, SIZE_MAX}}) {
        for (size_t elements = 1; elements < 50'000'000;
             elements += elements / 3 + 1) {
          SCOPED_TRACE(testing::Message()
                       << elements << " elements, " << threads << " threads");
          ExpectCovers(PlanChunks(elements, bytes, threads, tuning), elements);
        }
      }
    }
  }
}

TEST(Chunking, CutsAtTheGranule) {
  constexpr Tuning::PerCostClass kEager = {1, 1};
  for (size_t elements = 1; elements <= 5 * kGranule; ++elements) {
    const Chunks chunks = PlanChunks(elements, 8, 2, kEager);
    ExpectCovers(chunks, elements);
    EXPECT_EQ(chunks.count, (elements + kGranule - 1) / kGranule);
  }
}

TEST(Chunking, OneThreadIsOneChunk) {
  for (const size_t elements : {1, 1000, 1000'000, 1000'000'000}) {
    EXPECT_EQ(PlanChunks(elements, 8, 1, kTuning).count, 1u);
  }
}

TEST(Chunking, SmallCallsAreOneChunk) {
  const size_t limit = kTuning.serial_bytes / 8;
  EXPECT_EQ(PlanChunks(limit - 1, 8, 4, kTuning).count, 1u);
  EXPECT_EQ(PlanChunks(limit, 8, 4, kTuning).count, 2u);
}

TEST(Chunking, WakesNoMoreThreadsThanTheWorkRepays) {
  constexpr Tuning tuning;
  constexpr Tuning::PerCostClass relu = tuning.work[0];
  constexpr size_t kMiB = size_t{1} << 20;
  const auto tasks = [&](size_t bytes) {
    return PlanChunks(bytes / 8, 8, 64, relu).count;
  };
  EXPECT_EQ(tasks(kMiB - 8), 1u);
  EXPECT_EQ(tasks(kMiB), 2u);
  EXPECT_EQ(tasks(8 * kMiB), 16u);
  EXPECT_EQ(tasks(32 * kMiB), 64u);
  EXPECT_EQ(tasks(256 * kMiB), 512u);
}

TEST(Chunking, LargeCallsKeepEveryThreadBusy) {
  for (const size_t threads : {2, 3, 5, 16}) {
    const size_t elements = 64 * 1024 * 1024;
    const Chunks chunks = PlanChunks(elements, 8, threads, kTuning);
    ExpectCovers(chunks, elements);
    EXPECT_GE(chunks.count, threads);
    // No chunk is much larger than the tuned size.
    EXPECT_LE(chunks.size * 8, kTuning.chunk_bytes + kGranule * 8);
  }
}

// The largest number of elements that CountElements accepts.
TEST(Chunking, HugeSizesDoNotOverflow) {
  for (const size_t elements :
       {size_t{1} << 40, size_t{INT64_MAX} / 16 - 1, size_t{INT64_MAX} / 16}) {
    for (const size_t bytes : {2, 16, 24, 32}) {
      for (const size_t threads : {2, 3, 4096}) {
        const Chunks chunks = PlanChunks(elements, bytes, threads, kTuning);
        ExpectCovers(chunks, elements);
        EXPECT_GE(chunks.count, threads);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test
