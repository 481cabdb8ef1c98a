// SPDX-License-Identifier: Apache-2.0
//
// First the threads are limited to those that the work repays: each must
// have half of serial_bytes, or less where a byte of the type takes longer
// (the weight in an operator's table). The number of chunks is a multiple of
// these threads, and does not depend on timing; no result depends on chunks.
// oneTBB gives the same chunks to the same thread in the next call, so that
// a chain of calls finds its data in that thread's caches. The built-in
// serial_bytes serve calls in a loop: after a pause of a millisecond, waking
// a thread costs what a call of some 4 MB takes.

#include "runtime/plan/chunking.h"

#include <algorithm>

namespace lanewise {
namespace {

// Chunks start at multiples of this many elements, so that no two threads write
// to the same page (with 4-byte elements) or the same cache line (1-byte
// elements).
constexpr size_t kGranule = 1024;

constexpr size_t DivideUp(size_t a, size_t b) { return a / b + (a % b != 0); }

}  // namespace

Chunks PlanChunks(size_t elements, size_t bytes_per_element, size_t threads,
                  const Tuning::PerCostClass& tuning) {
  const Chunks serial = {1, elements};
  const size_t bytes = elements * bytes_per_element;
  if (threads <= 1 || bytes < tuning.serial_bytes) return serial;

  // A call of serial_bytes takes about as long as waking a thread. Threads with
  // less than half of this work would not repay being woken.
  const size_t repaid = bytes / std::max<size_t>(1, tuning.serial_bytes / 2);
  threads = std::min(threads, repaid);

  // Aim for chunks of the tuned size, then round their number up to a multiple
  // of the threads, so that all threads finish at the same time.
  const size_t wanted = std::max<size_t>(1, bytes / tuning.chunk_bytes);
  const size_t count = DivideUp(wanted, threads) * threads;
  const size_t size = DivideUp(DivideUp(elements, count), kGranule) * kGranule;
  if (size >= elements) return serial;
  return {DivideUp(elements, size), size};
}

}  // namespace lanewise
