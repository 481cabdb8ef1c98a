// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan/chunking.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "hwy/detect_targets.h"
#include "runtime/engine/types.h"
#include "runtime/node/registry.h"
#include "tests/support/not_run.h"

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

// The tasks of a call on `elements` contiguous elements of one type.
size_t TasksOf(const char* name, lw_type type, size_t operands, size_t elements,
               size_t threads) {
  const Operator& op = *FindOperator(name);
  const KernelTable table(op, VersionAt(op, 28), HWY_STATIC_TARGET,
                          PreferredWays());
  constexpr Tuning tuning;
  const size_t bytes = FindType(type)->bits / 8 * operands;
  return PlanChunks(elements, bytes, threads,
                    tuning.For(op.cost, table.WeightOf(type)))
      .count;
}

TEST(Chunking, CountsTimeAndNotOnlyBytes) {
  if (FindOperator("Div") == nullptr || FindOperator("Relu") == nullptr) {
    LANEWISE_NOT_RUN("this build lacks Div or Relu");
  }
  constexpr size_t k64Ki = size_t{1} << 16;
  for (const size_t threads : {2, 64}) {
    for (const lw_type type : {LW_INT32, LW_UINT32, LW_INT64, LW_UINT64}) {
      EXPECT_GE(TasksOf("Div", type, 3, k64Ki, threads), 2u) << type;
      EXPECT_EQ(TasksOf("Div", type, 3, 2048, threads), 1u) << type;
    }
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT16, LW_INT8, LW_INT16}) {
      EXPECT_EQ(TasksOf("Div", type, 3, k64Ki, threads), 1u) << type;
    }
    for (const lw_type type : {LW_FLOAT32, LW_BFLOAT16, LW_INT8, LW_INT32}) {
      EXPECT_EQ(TasksOf("Relu", type, 2, k64Ki, threads), 1u) << type;
    }
  }
  // 786 KB of int32 repay three threads, 1 MiB that Relu moves only two.
  EXPECT_EQ(TasksOf("Div", LW_INT32, 3, k64Ki, 64), 3u);
  EXPECT_EQ(TasksOf("Relu", LW_FLOAT32, 2, 2 * k64Ki, 64), 2u);
  EXPECT_GE(TasksOf("Div", LW_INT32, 3, 16 * k64Ki, 64), 40u);
}

// A tuned threshold of one byte stays at least one byte.
TEST(Chunking, WeightsKeepThresholds) {
  Tuning tuning;
  tuning.work[1].serial_bytes = 1;
  EXPECT_EQ(tuning.For(CostClass::kDivision, 4).serial_bytes, 1u);
  tuning.work[1].serial_bytes = SIZE_MAX;
  EXPECT_EQ(tuning.For(CostClass::kDivision, 1).serial_bytes, SIZE_MAX);
  EXPECT_EQ(tuning.For(CostClass::kDivision, 2).serial_bytes,
            size_t{1} << (8 * sizeof(size_t) - 1));
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
