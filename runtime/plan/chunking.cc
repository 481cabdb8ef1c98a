// SPDX-License-Identifier: Apache-2.0

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
