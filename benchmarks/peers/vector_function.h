// SPDX-License-Identifier: Apache-2.0
//
// An operator by a library's function of one vector. The function gets whole
// vectors, and at the end a padded vector with the remaining elements.

#ifndef LANEWISE_BENCHMARKS_PEERS_VECTOR_FUNCTION_H_
#define LANEWISE_BENCHMARKS_PEERS_VECTOR_FUNCTION_H_

#include <cstring>

#include "benchmarks/peers/flat.h"

namespace lanewise::bench {

template <typename T, typename V, auto kFn>
Runner VectorFunction(const Task& task) {
  return Unary<T>(task, [](const T* in, T* out, size_t n) {
    constexpr size_t kLanes = sizeof(V) / sizeof(T);
    V v;
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      std::memcpy(&v, in + i, sizeof(v));
      v = kFn(v);
      std::memcpy(out + i, &v, sizeof(v));
    }
    if (i == n) return;
    v = V{};
    std::memcpy(&v, in + i, (n - i) * sizeof(T));
    v = kFn(v);
    std::memcpy(out + i, &v, (n - i) * sizeof(T));
  });
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_PEERS_VECTOR_FUNCTION_H_
