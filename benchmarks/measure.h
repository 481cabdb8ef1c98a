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
  std::string label;  ///< "loose: ..." or nothing
  double ulp = 0;
};

/// One session of Google Benchmark. `pristine` is what an in-place output held
/// before, nullptr where nothing is overwritten.
void Measure(const Cell& cell, const Task& task, const void* pristine,
             const std::vector<Measured>& all, const Options& options,
             Reporter& reporter);

/// `range` over [0, n) as whoever has that many threads would run it: in equal
/// parts, or on one thread where nobody would spread so few bytes.
std::function<void()> Spread(std::function<void(size_t, size_t)> range,
                             size_t n, size_t bytes, int threads);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_MEASURE_H_
