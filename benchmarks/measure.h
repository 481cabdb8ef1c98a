// SPDX-License-Identifier: Apache-2.0
//
// Times the implementations of one cell.

#ifndef LANEWISE_BENCHMARKS_MEASURE_H_
#define LANEWISE_BENCHMARKS_MEASURE_H_

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/cell.h"
#include "benchmarks/options.h"
#include "benchmarks/reporter.h"

namespace lanewise::bench {

struct Measured {
  std::string name;
  Runner runner;
  std::string label;  ///< "loose: ..." or empty
  double ulp = 0;
};

/// Runs one session of Google Benchmark. `pristine` is a copy of the input that
/// in-place calls overwrite; nullptr if no input is overwritten.
void Measure(const Cell& cell, const Task& task, const void* pristine,
             const std::vector<Measured>& all, const Options& options,
             Reporter& reporter);

/// Returns a function that runs `range` over [0, n): in equal parts on
/// `threads` threads, or on one thread if `bytes` is too small for threads to
/// pay.
std::function<void()> Spread(std::function<void(size_t, size_t)> range,
                             size_t n, size_t bytes, int threads);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_MEASURE_H_
