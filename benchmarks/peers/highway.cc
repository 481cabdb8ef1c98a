// SPDX-License-Identifier: Apache-2.0
//
// Highway's own functions: those of hwy/contrib/math, and Div of integer
// vectors.

#include <cstdint>

#include "benchmarks/peers/flat.h"
#define HWY_COMPILE_ONLY_STATIC
#include "hwy/base.h"
#include "hwy/highway.h"
// must come after highway.h
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

// fn(d, v) of each vector.
template <typename T, class Fn>
Runner ByVectors(const Task& task, Fn) {
  return lanewise::bench::Unary<T>(task, [](const T* in, T* out, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t N = hn::Lanes(d);
    size_t i = 0;
    for (; i + N <= n; i += N) {
      hn::StoreU(Fn()(d, hn::LoadU(d, in + i)), d, out + i);
    }
    if (i != n) {
      hn::StoreN(Fn()(d, hn::LoadN(d, in + i, n - i)), d, out + i, n - i);
    }
  });
}

template <typename T>
Runner Function(const Task& task) {
  if (task.Is("Exp")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Exp(d, v); });
  }
  if (task.Is("Sin")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Sin(d, v); });
  }
  if (task.Is("Cos")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Cos(d, v); });
  }
  if (task.Is("Asin")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Asin(d, v); });
  }
  if (task.Is("Acos")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Acos(d, v); });
  }
  if (task.Is("Atan")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Atan(d, v); });
  }
  if (task.Is("Sinh")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Sinh(d, v); });
  }
  if (task.Is("Asinh")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Asinh(d, v); });
  }
  if (task.Is("Acosh")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Acosh(d, v); });
  }
  if (task.Is("Atanh")) {
    return ByVectors<T>(task, [](auto d, auto v) { return hn::Atanh(d, v); });
  }
  return {};
}

template <typename T>
Runner Div(const Task& task) {
  return lanewise::bench::Binary<T>(
      task,
      [](const T* a, const T* b, T* out, size_t n) {
        const hn::ScalableTag<T> d;
        const size_t N = hn::Lanes(d);
        size_t i = 0;
        for (; i + N <= n; i += N) {
          hn::StoreU(hn::Div(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d,
                     out + i);
        }
        for (; i < n; ++i) out[i] = static_cast<T>(a[i] / b[i]);
      },
      [](const T* a, T b, T* out, size_t n) {
        const hn::ScalableTag<T> d;
        const size_t N = hn::Lanes(d);
        const auto by = hn::Set(d, b);
        size_t i = 0;
        for (; i + N <= n; i += N) {
          hn::StoreU(hn::Div(hn::LoadU(d, a + i), by), d, out + i);
        }
        for (; i < n; ++i) out[i] = static_cast<T>(a[i] / b);
      },
      [](T a, const T* b, T* out, size_t n) {
        const hn::ScalableTag<T> d;
        const size_t N = hn::Lanes(d);
        const auto of = hn::Set(d, a);
        size_t i = 0;
        for (; i + N <= n; i += N) {
          hn::StoreU(hn::Div(of, hn::LoadU(d, b + i)), d, out + i);
        }
        for (; i < n; ++i) out[i] = static_cast<T>(a / b[i]);
      });
}

Runner Prepare(const Task& task) {
  if (task.type == LW_FLOAT32) return Function<float>(task);
  if (task.type == LW_FLOAT64) return Function<double>(task);
  if (!task.Is("Div")) return {};
  switch (task.type) {
    case LW_INT8:
      return Div<int8_t>(task);
    case LW_UINT8:
      return Div<uint8_t>(task);
    case LW_INT16:
      return Div<int16_t>(task);
    case LW_UINT16:
      return Div<uint16_t>(task);
    case LW_INT32:
      return Div<int32_t>(task);
    case LW_UINT32:
      return Div<uint32_t>(task);
    case LW_INT64:
      return Div<int64_t>(task);
    case LW_UINT64:
      return Div<uint64_t>(task);
    default:
      return {};
  }
}

}  // namespace
HWY_AFTER_NAMESPACE();

LANEWISE_BENCH_PEERS(highway) {
  const std::string version =
      std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR);
  return {{"highway", version + " contrib/math, Div", Prepare}};
}
