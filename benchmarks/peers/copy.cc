// SPDX-License-Identifier: Apache-2.0
//
// The machine's limits: a copy with plain stores, and a copy with stores that
// bypass the caches. Beside an operator, the copies move as many bytes as the
// operator: they read half of these bytes and write the other half. memcpy is a
// peer of operators that only move elements.

#include <cstring>

#include "benchmarks/peer.h"
#define HWY_COMPILE_ONLY_STATIC
#include "hwy/cache_control.h"
#include "hwy/highway.h"

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

// `to` has at least the alignment of a vector.
template <bool kStream>
void Copy(const uint8_t* HWY_RESTRICT from, uint8_t* HWY_RESTRICT to,
          size_t n) {
  const hn::ScalableTag<uint8_t> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  if constexpr (kStream) {
    for (; i + N <= n; i += N) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    hwy::FlushStream();
  } else {
    for (; i + 4 * N <= n; i += 4 * N) {
      const auto v0 = hn::LoadU(d, from + i);
      const auto v1 = hn::LoadU(d, from + i + N);
      const auto v2 = hn::LoadU(d, from + i + 2 * N);
      const auto v3 = hn::LoadU(d, from + i + 3 * N);
      hn::Store(v0, d, to + i);
      hn::Store(v1, d, to + i + N);
      hn::Store(v2, d, to + i + 2 * N);
      hn::Store(v3, d, to + i + 3 * N);
    }
    for (; i + N <= n; i += N) hn::Store(hn::LoadU(d, from + i), d, to + i);
  }
  if (i < n) std::memcpy(to + i, from + i, n - i);
}

void Memcpy(const uint8_t* from, uint8_t* to, size_t n) {
  std::memcpy(to, from, n);
}

using CopyFn = void (*)(const uint8_t*, uint8_t*, size_t);

Runner Half(const Task& task, CopyFn copy) {
  Runner runner;
  const size_t bytes = task.bytes / 2;
  runner.range = [copy, bytes, n = task.n,
                  from = static_cast<const uint8_t*>(task.a),
                  to = static_cast<uint8_t*>(task.out)](size_t begin,
                                                        size_t end) {
    // Each part starts at a cache line.
    const auto at = [&](size_t i) {
      return i == n
                 ? bytes
                 : static_cast<size_t>(double(bytes) * double(i) / double(n)) /
                       64 * 64;
    };
    copy(from + at(begin), to + at(begin), at(end) - at(begin));
  };
  return runner;
}

// Only `same` has a limit, from 2,048 elements on. In the other patterns the
// operands' memory is larger or smaller than the bytes moved.
bool HasLimit(const Task& task) {
  return task.Is("Copy") || (task.n >= 2048 && task.pattern == Pattern::kSame);
}

Runner Plain(const Task& task) {
  return HasLimit(task) ? Half(task, Copy<false>) : Runner();
}
Runner Stream(const Task& task) {
  return HasLimit(task) ? Half(task, Copy<true>) : Runner();
}
Runner LibraryCopy(const Task& task) {
  const bool moves = task.Is("Copy") || task.Is("Reshape");
  return moves && task.pattern == Pattern::kSame ? Half(task, Memcpy)
                                                 : Runner();
}

}  // namespace

LANEWISE_BENCH_PEERS(copy) {
  std::vector<Peer> peers;
  peers.push_back({"plain", "copy", Plain, true});
  peers.push_back({"stream", "copy", Stream, true});
  peers.push_back({"memcpy", "of the C library", LibraryCopy});
  return peers;
}
