// SPDX-License-Identifier: Apache-2.0
//
// A simple loop over the elements, which the compiler vectorizes for this CPU
// (-O3 -march=native).

#include <cstdint>

#include "benchmarks/peers/flat.h"

namespace {

using lanewise::bench::Binary;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::Unary;

template <typename T>
Runner Div(const Task& task) {
  return Binary<T>(
      task,
      [](const T* a, const T* b, T* out, size_t n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(a[i] / b[i]);
      },
      [](const T* a, T b, T* out, size_t n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(a[i] / b);
      },
      [](T a, const T* b, T* out, size_t n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(a / b[i]);
      });
}

template <typename T>
Runner Reciprocal(const Task& task) {
  return Unary<T>(task, [](const T* in, T* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(T(1) / in[i]);
  });
}

template <typename T>
Runner Relu(const Task& task) {
  return Unary<T>(task, [](const T* in, T* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = in[i] < T(0) ? T(0) : in[i];
  });
}

template <typename T>
Runner FloatOp(const Task& task) {
  if (task.Is("Div")) return Div<T>(task);
  if (task.Is("Reciprocal")) return Reciprocal<T>(task);
  if (task.Is("Relu")) return Relu<T>(task);
  return {};
}

template <typename T>
Runner IntegerOp(const Task& task) {
  if (task.Is("Div")) return Div<T>(task);
  if (task.Is("Relu")) return Relu<T>(task);
  return {};
}

Runner Prepare(const Task& task) {
  switch (task.type) {
    case LW_FLOAT32:
      return FloatOp<float>(task);
    case LW_FLOAT64:
      return FloatOp<double>(task);
#if defined(__FLT16_MANT_DIG__)
    case LW_FLOAT16:
      return FloatOp<_Float16>(task);
#endif
    case LW_INT8:
      return IntegerOp<int8_t>(task);
    case LW_UINT8:
      return IntegerOp<uint8_t>(task);
    case LW_INT16:
      return IntegerOp<int16_t>(task);
    case LW_UINT16:
      return IntegerOp<uint16_t>(task);
    case LW_INT32:
      return IntegerOp<int32_t>(task);
    case LW_UINT32:
      return IntegerOp<uint32_t>(task);
    case LW_INT64:
      return IntegerOp<int64_t>(task);
    case LW_UINT64:
      return IntegerOp<uint64_t>(task);
    default:
      return {};
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(loop) {
  return {{"loop", __VERSION__ " -O3 -march=native", Prepare}};
}
