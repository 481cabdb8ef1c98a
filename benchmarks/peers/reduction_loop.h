// SPDX-License-Identifier: Apache-2.0
//
// The plain loops of reductions. `omp simd` lets the compiler add up in the
// order of its vectors.

#ifndef LANEWISE_BENCHMARKS_PEERS_REDUCTION_LOOP_H_
#define LANEWISE_BENCHMARKS_PEERS_REDUCTION_LOOP_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "benchmarks/peer.h"

namespace lanewise::bench {

// What a sum of T is computed in: signed integers must not overflow.
template <typename T, bool = std::is_integral_v<T>>
struct SumOf {
  using Type = std::make_unsigned_t<T>;
};
template <typename T>
struct SumOf<T, false> {
  using Type = std::conditional_t<sizeof(T) == 8, double, float>;
};

/// Row after row: each row alone, or all rows into the output.
template <typename T, typename A, class Part, class Join, class End>
void ReduceByLoop(const Task& task, A start, Part part, Join join, End end) {
  const auto* in = static_cast<const T*>(task.a);
  auto* out = static_cast<T*>(task.out);
  const size_t columns = task.columns;
  const size_t rows = task.n / columns;
  if (task.pattern == Pattern::kReduceRows) {
    for (size_t r = 0; r < rows; ++r, in += columns) {
      out[r] = end(join(in, columns, start, part));
    }
    return;
  }
  A sums[kReducedColumns];
  for (size_t c = 0; c < columns; ++c) sums[c] = start;
  for (size_t r = 0; r < rows; ++r, in += columns) {
    for (size_t c = 0; c < columns; ++c) {
      sums[c] = join.Two(sums[c], part(in[c]));
    }
  }
  for (size_t c = 0; c < columns; ++c) out[c] = end(sums[c]);
}

// The pragma takes no operator from a template: each has a loop of its own.
struct JoinBySum {
  template <typename A>
  static A Two(A a, A b) {
    return static_cast<A>(a + b);
  }
  template <typename T, typename A, class Part>
  A operator()(const T* in, size_t n, A sum, Part part) const {
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) sum = Two(sum, part(in[i]));
    return sum;
  }
};
struct JoinByProduct {
  template <typename A>
  static A Two(A a, A b) {
    return static_cast<A>(a * b);
  }
  template <typename T, typename A, class Part>
  A operator()(const T* in, size_t n, A sum, Part part) const {
#pragma omp simd reduction(* : sum)
    for (size_t i = 0; i < n; ++i) sum = Two(sum, part(in[i]));
    return sum;
  }
};
struct JoinByMax {
  template <typename A>
  static A Two(A a, A b) {
    return a > b ? a : b;
  }
  template <typename T, typename A, class Part>
  A operator()(const T* in, size_t n, A most, Part part) const {
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; ++i) most = Two(most, part(in[i]));
    return most;
  }
};
struct JoinByMin {
  template <typename A>
  static A Two(A a, A b) {
    return a < b ? a : b;
  }
  template <typename T, typename A, class Part>
  A operator()(const T* in, size_t n, A least, Part part) const {
#pragma omp simd reduction(min : least)
    for (size_t i = 0; i < n; ++i) least = Two(least, part(in[i]));
    return least;
  }
};

template <typename T>
T Highest() {
  if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::max();
  return static_cast<T>(std::numeric_limits<float>::infinity());
}
template <typename T>
T Lowest() {
  if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::lowest();
  return static_cast<T>(-std::numeric_limits<float>::infinity());
}

/// Where the first element is that is better than all before.
template <typename T, class Better>
Runner IndexLoop(const Task& task, Better better) {
  const bool by_row = task.pattern == Pattern::kReduceRows;
  const size_t columns = task.columns;
  const size_t rows = task.n / columns;
  Runner runner;
  runner.whole = [=, in = static_cast<const T*>(task.a),
                  out = static_cast<int64_t*>(task.out)] {
    for (size_t r = 0; by_row && r < rows; ++r) {
      const T* row = in + r * columns;
      size_t best = 0;
      for (size_t c = 1; c < columns; ++c) {
        if (better(row[c], row[best])) best = c;
      }
      out[r] = static_cast<int64_t>(best);
    }
    if (by_row) return;
    T best[kReducedColumns];
    std::copy_n(in, columns, best);
    std::fill_n(out, columns, 0);
    for (size_t r = 1; r < rows; ++r) {
      for (size_t c = 0; c < columns; ++c) {
        const T x = in[r * columns + c];
        const bool is_better = better(x, best[c]);
        out[c] = is_better ? static_cast<int64_t>(r) : out[c];
        best[c] = is_better ? x : best[c];
      }
    }
  };
  return runner;
}

/// Nothing for other operators, and on more than one thread.
template <typename T>
Runner ReductionLoop(const Task& task) {
  using A = typename SumOf<T>::Type;
  if (!task.Reduces() || task.threads != 1) return {};
  const auto itself = [](T x) { return static_cast<A>(x); };
  const auto value = [](T x) { return x; };
  const auto magnitude = [](T x) {
    return static_cast<A>(x < 0 ? A(0) - static_cast<A>(x) : static_cast<A>(x));
  };
  const auto square = [](T x) {
    return static_cast<A>(static_cast<A>(x) * static_cast<A>(x));
  };
  const auto same = [](A sum) { return static_cast<T>(sum); };
  const auto by = [&](auto start, auto part, auto join, auto end) {
    Runner runner;
    runner.whole = [=] { ReduceByLoop<T>(task, start, part, join, end); };
    return runner;
  };
  if (task.Is("ReduceSum")) return by(A(0), itself, JoinBySum(), same);
  if (task.Is("ReduceProd")) return by(A(1), itself, JoinByProduct(), same);
  if (task.Is("ReduceL1")) return by(A(0), magnitude, JoinBySum(), same);
  if (task.Is("ReduceSumSquare")) return by(A(0), square, JoinBySum(), same);
  if (task.Is("ReduceMax")) return by(Lowest<T>(), value, JoinByMax(), value);
  if (task.Is("ReduceMin")) return by(Highest<T>(), value, JoinByMin(), value);
  if (task.Is("ArgMax")) return IndexLoop<T>(task, std::greater<T>());
  if (task.Is("ArgMin")) return IndexLoop<T>(task, std::less<T>());
  if constexpr (!std::is_integral_v<T>) {
    const auto count = static_cast<A>(task.n / task.results());
    const auto mean = [=](A sum) { return static_cast<T>(sum / count); };
    const auto root = [](A sum) { return static_cast<T>(std::sqrt(sum)); };
    const auto log = [](A sum) { return static_cast<T>(std::log(sum)); };
    const auto exp = [](T x) { return std::exp(static_cast<A>(x)); };
    if (task.Is("ReduceMean")) return by(A(0), itself, JoinBySum(), mean);
    if (task.Is("ReduceL2")) return by(A(0), square, JoinBySum(), root);
    if (task.Is("ReduceLogSum")) return by(A(0), itself, JoinBySum(), log);
    if (task.Is("ReduceLogSumExp")) return by(A(0), exp, JoinBySum(), log);
  }
  return {};
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_PEERS_REDUCTION_LOOP_H_
