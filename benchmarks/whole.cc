// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/whole.h"

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>

#include "benchmarks/check.h"
#include "benchmarks/data.h"
#include "benchmarks/library.h"
#include "runtime/engine/tuning.h"

// These functions count every allocation of the process, those of operator new
// included.
#if defined(__GLIBC__)
namespace {
std::atomic<uint64_t> allocations{0};
}  // namespace

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
}  // extern "C"
#endif

namespace lanewise::bench {
namespace {

constexpr int kCalls = 1000;

// The built-in value of each key of a tuning file.
std::string BuiltInTuning() {
  const Tuning tuning;
  std::string text;
  for (size_t i = 0; i < std::size(kCostClassNames); ++i) {
    for (const auto& key : kTuningKeys) {
      if (!text.empty()) text += ' ';
      text += std::string(kCostClassNames[i]) + "." + key.name + "=" +
              std::to_string(tuning.work[i].*key.value);
    }
  }
  return text;
}

#if defined(__GLIBC__)
uint64_t AllocationsOf(const Peer& peer, const Task& task) {
  const Runner runner = peer.prepare(task);
  RunOnce(runner, task.n);  // allocations of the first call do not count
  const uint64_t before = allocations.load();
  for (int i = 0; i < kCalls; ++i) RunOnce(runner, task.n);
  return allocations.load() - before;
}
#endif

}  // namespace

void AddWholeLibraryContext(const std::vector<Cell>& cells) {
  benchmark::AddCustomContext("lanewise_built_in", BuiltInTuning());
#if defined(__GLIBC__)
  std::set<std::string> groups;
  for (const Cell& cell : cells) groups.insert(cell.Group());
  Arena arena;
  uint64_t total = 0;
  std::string worst = "none";
  for (const Cell& cell : AllCells({.sizes = {64, 2048}, .threads = {1}})) {
    // In place, repeated calls end up with zero divisors, and lanewise reports
    // those.
    if (cell.pattern == Pattern::kInPlace) continue;
    if (groups.count(cell.Group()) == 0) continue;
    const Task task = arena.Fill(cell);
    for (const Peer& peer : OwnImplementations(Options(), true)) {
      if (!peer.prepare(task)) continue;
      const uint64_t count = AllocationsOf(peer, task);
      if (count != 0 && total == 0) worst = cell.Name(peer.name);
      total += count;
    }
  }
  benchmark::AddCustomContext("lanewise_allocations", std::to_string(total));
  benchmark::AddCustomContext("lanewise_allocations_first", worst);
#endif
}

}  // namespace lanewise::bench
