// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/measure.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "runtime/engine/types.h"

#if LANEWISE_HAVE_TBB
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#endif

namespace lanewise::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kSpreadBytes = 512 * 1024;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The time of reading the clock twice, which is subtracted from short
// intervals.
double ClockCost() {
  static const double cost = [] {
    double least = 1;
    for (int i = 0; i < 1000; ++i) {
      least = std::min(least, SecondsSince(Clock::now()));
    }
    return least;
  }();
  return cost;
}

std::function<void()> BodyOf(const Measured& one, const Cell& cell) {
  if (one.runner.whole) return one.runner.whole;
  if (!one.runner.range) return nullptr;
  const size_t bytes = cell.op == "Copy" ? SIZE_MAX : cell.bytes();
  return Spread(one.runner.range, cell.n, bytes, cell.threads);
}

// Times many calls together.
void Loop(benchmark::State& state, const std::function<void()>& body) {
  for (auto _ : state) {
    (void)_;
    body();
  }
}

// Times each call alone and restores the overwritten input between the calls.
// Otherwise the values would drift to infinity or zero.
void LoopInPlace(benchmark::State& state, const std::function<void()>& body,
                 void* out, const void* pristine, size_t bytes) {
  for (auto _ : state) {
    (void)_;
    std::memcpy(out, pristine, bytes);
    const auto start = Clock::now();
    body();
    state.SetIterationTime(std::max(1e-9, SecondsSince(start) - ClockCost()));
  }
}

// The peer itself runs and times all calls of a repetition, possibly in another
// process.
void LoopElsewhere(benchmark::State& state,
                   const std::function<double(int64_t)>& timed) {
  const auto iterations = static_cast<int64_t>(state.max_iterations);
  const double each = timed(iterations) / static_cast<double>(iterations);
  for (auto _ : state) {
    (void)_;
    state.SetIterationTime(each);
  }
}

}  // namespace

std::function<void()> Spread(std::function<void(size_t, size_t)> range,
                             size_t n, size_t bytes, int threads) {
#if LANEWISE_HAVE_TBB
  if (threads > 1 && bytes >= kSpreadBytes) {
    const auto parts = static_cast<size_t>(threads);
    // Each part is a multiple of 4,096 elements, so that it starts on a page.
    const size_t size = ((n + parts - 1) / parts + 4095) / 4096 * 4096;
    auto arena = std::make_shared<tbb::task_arena>(threads);
    arena->initialize();
    return [=] {
      arena->execute([&] {
        tbb::parallel_for(
            size_t{0}, (n + size - 1) / size,
            [&](size_t i) { range(i * size, std::min(n, (i + 1) * size)); },
            tbb::static_partitioner());
      });
    };
  }
#endif
  return [range = std::move(range), n] { range(0, n); };
}

void Measure(const Cell& cell, const Task& task, const void* pristine,
             const std::vector<Measured>& all, const Options& options,
             Reporter& reporter) {
  if (all.empty()) return;
  const size_t out_bytes = BytesFor(cell.n, FindType(cell.output_type())->bits);
  benchmark::ClearRegisteredBenchmarks();
  for (const Measured& one : all) {
    const std::function<void()> body = BodyOf(one, cell);
    const bool manual = !body || pristine != nullptr;
    // Two or three large calls would fill the time of a repetition, too few for
    // a stable number. So large calls get five times as long.
    const double min_time =
        cell.n >= (1 << 20) ? 5 * options.min_time : options.min_time;
    auto* registered = benchmark::RegisterBenchmark(
        one.name.c_str(), [&, body](benchmark::State& state) {
          if (!body) {
            LoopElsewhere(state, one.runner.timed);
          } else if (pristine != nullptr) {
            LoopInPlace(state, body, task.out, pristine, out_bytes);
          } else {
            Loop(state, body);
          }
          state.SetBytesProcessed(
              static_cast<int64_t>(state.iterations() * task.bytes));
          state.SetItemsProcessed(
              static_cast<int64_t>(state.iterations() * cell.n));
          if (one.ulp != 0) state.counters["max_ulp"] = one.ulp;
          state.SetLabel(one.label);
        });
    registered->MinTime(min_time)->Repetitions(options.repetitions);
    if (manual) {
      registered->UseManualTime();
    } else {
      registered->UseRealTime();
    }
  }
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace lanewise::bench
