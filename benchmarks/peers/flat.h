// SPDX-License-Identifier: Apache-2.0
//
// Runners that pass the operands of a flat task as typed pointers. Most peer
// files use them.

#ifndef LANEWISE_BENCHMARKS_PEERS_FLAT_H_
#define LANEWISE_BENCHMARKS_PEERS_FLAT_H_

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// A runner with one input. It calls fn(const T* in, Out* out, size_t n).
template <typename T, typename Out = T, class Fn>
Runner Unary(const Task& task, Fn fn) {
  Runner runner;
  if (!task.IsFlat()) return runner;
  runner.range = [fn, in = static_cast<const T*>(task.a),
                  out = static_cast<Out*>(task.out)](size_t begin, size_t end) {
    fn(in + begin, out + begin, end - begin);
  };
  return runner;
}

/// A runner with two inputs. It calls one of
///   same(const T* a, const T* b, Out* out, size_t n)
///   scalar_b(const T* a, T b, Out* out, size_t n)
///   scalar_a(T a, const T* b, Out* out, size_t n)
template <typename T, typename Out = T, class Same, class ScalarB,
          class ScalarA>
Runner Binary(const Task& task, Same same, ScalarB scalar_b, ScalarA scalar_a) {
  Runner runner;
  if (!task.IsFlat()) return runner;
  const auto* a = static_cast<const T*>(task.a);
  const auto* b = static_cast<const T*>(task.b);
  auto* out = static_cast<Out*>(task.out);
  if (task.pattern == Pattern::kScalarB) {
    runner.range = [=](size_t begin, size_t end) {
      scalar_b(a + begin, *b, out + begin, end - begin);
    };
  } else if (task.pattern == Pattern::kScalarA) {
    runner.range = [=](size_t begin, size_t end) {
      scalar_a(*a, b + begin, out + begin, end - begin);
    };
  } else {
    runner.range = [=](size_t begin, size_t end) {
      same(a + begin, b + begin, out + begin, end - begin);
    };
  }
  return runner;
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_PEERS_FLAT_H_
