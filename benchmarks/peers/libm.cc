// SPDX-License-Identifier: Apache-2.0
//
// A simple loop that calls the C library's exp for each element.

#include <cmath>

#include "benchmarks/peers/flat.h"

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::Unary;

template <typename T>
Runner Exp(const Task& task) {
  return Unary<T>(task, [](const T* in, T* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = std::exp(in[i]);
  });
}

Runner Prepare(const Task& task) {
  if (!task.Is("Exp")) return {};
  if (task.type == LW_FLOAT32) return Exp<float>(task);
  if (task.type == LW_FLOAT64) return Exp<double>(task);
  return {};
}

}  // namespace

LANEWISE_BENCH_PEERS(libm) {
#if defined(__GLIBC__)
  return {{"libm", std::string("glibc ") + gnu_get_libc_version(), Prepare}};
#else
  return {{"libm", "of the C library", Prepare}};
#endif
}
