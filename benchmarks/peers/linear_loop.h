// SPDX-License-Identifier: Apache-2.0
//
// The plain loops of QuantizeLinear and DequantizeLinear, from and to float32.

#ifndef LANEWISE_BENCHMARKS_PEERS_LINEAR_LOOP_H_
#define LANEWISE_BENCHMARKS_PEERS_LINEAR_LOOP_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// A loop that calls op(x, scale, zero) with one scale for all elements, or
/// with one for each column. T is the type of the zero points.
template <typename In, typename T, typename Out, class Op>
Runner AlignedLoop(const Task& task, Op op) {
  const auto* in = static_cast<const In*>(task.a);
  const auto* scale = static_cast<const float*>(task.b);
  const auto* zero = static_cast<const T*>(task.c);
  auto* out = static_cast<Out*>(task.out);
  Runner runner;
  if (task.pattern != Pattern::kRowB) {
    runner.range = [=](size_t begin, size_t end) {
      const float by = *scale;
      const T from = *zero;
      for (size_t i = begin; i < end; ++i) out[i] = op(in[i], by, from);
    };
    return runner;
  }
  // The parts of threads are whole rows.
  runner.range = [=, columns = task.columns](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += columns) {
      for (size_t c = 0; c < columns; ++c) {
        out[i + c] = op(in[i + c], scale[c], zero[c]);
      }
    }
  };
  return runner;
}

template <typename T>
Runner QuantizeLoop(const Task& task) {
  return AlignedLoop<float, T, T>(task, [](float x, float scale, T zero) {
    constexpr float kLeast = std::numeric_limits<T>::min();
    constexpr float kMost = std::numeric_limits<T>::max();
    const float y = std::nearbyint(x / scale) + static_cast<float>(zero);
    return static_cast<T>(std::max(kLeast, std::min(kMost, y)));
  });
}

template <typename T>
Runner DequantizeLoop(const Task& task) {
  // Differences of int32 need more bits than a float has.
  using W = std::conditional_t<sizeof(T) == 4, double, float>;
  return AlignedLoop<T, T, float>(task, [](T x, float scale, T zero) {
    return static_cast<float>((W(x) - W(zero)) * W(scale));
  });
}

template <typename T>
Runner LinearLoopOf(const Task& task) {
  return task.Is("QuantizeLinear") ? QuantizeLoop<T>(task)
                                   : DequantizeLoop<T>(task);
}

/// Nothing for other operators.
inline Runner LinearLoop(const Task& task) {
  if (!task.Is("QuantizeLinear") && !task.Is("DequantizeLinear")) return {};
  switch (task.type) {
    case LW_UINT8:
      return LinearLoopOf<uint8_t>(task);
    case LW_INT8:
      return LinearLoopOf<int8_t>(task);
    case LW_UINT16:
      return LinearLoopOf<uint16_t>(task);
    case LW_INT16:
      return LinearLoopOf<int16_t>(task);
    case LW_INT32:
      return DequantizeLoop<int32_t>(task);  // no output has this type
    default:
      return {};
  }
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_PEERS_LINEAR_LOOP_H_
