// SPDX-License-Identifier: Apache-2.0
//
// A simple loop over the elements, which the compiler vectorizes for this CPU
// (-O3 -march=native).

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "benchmarks/chains.h"
#include "benchmarks/peers/flat.h"

namespace {

using lanewise::bench::BenchChain;
using lanewise::bench::Binary;
using lanewise::bench::FindChain;
using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::Unary;

// The loop of an operator with one input.
template <typename T, class Op>
Runner Loop1(const Task& task, Op op) {
  return Unary<T>(task, [op](const T* in, T* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(op(in[i]));
  });
}

// The loops of an operator with two inputs.
template <typename T, typename Out = T, class Op>
Runner Loop2(const Task& task, Op op) {
  return Binary<T, Out>(
      task,
      [op](const T* a, const T* b, Out* out, size_t n) {
        for (size_t i = 0; i < n; ++i)
          out[i] = static_cast<Out>(op(a[i], b[i]));
      },
      [op](const T* a, T b, Out* out, size_t n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(op(a[i], b));
      },
      [op](T a, const T* b, Out* out, size_t n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(op(a, b[i]));
      });
}

template <typename T>
Runner Where(const Task& task) {
  Runner runner;
  if (!task.IsFlat() || task.pattern == Pattern::kScalarA ||
      task.pattern == Pattern::kScalarB || task.pattern == Pattern::kScalarC) {
    return runner;
  }
  runner.range = [condition = static_cast<const uint8_t*>(task.a),
                  x = static_cast<const T*>(task.b),
                  y = static_cast<const T*>(task.c),
                  out = static_cast<T*>(task.out)](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) out[i] = condition[i] ? x[i] : y[i];
  };
  return runner;
}

template <typename T>
Runner Clip(const Task& task) {
  const T low = *static_cast<const T*>(task.b);
  const T high = *static_cast<const T*>(task.c);
  return Loop1<T>(task, [=](T x) {
    return x < low ? low : x > high ? high : x;
  });
}

// What integers and floats are computed in: signed integers must not overflow.
template <typename T>
struct Wide {
  using type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};
template <>
struct Wide<double> {
  using type = double;
};
template <>
struct Wide<float> {
  using type = float;
};
#if defined(__FLT16_MANT_DIG__)
template <>
struct Wide<_Float16> {
  using type = _Float16;
};
#endif

// The end of a normalization, with the constants of its chain.
Runner NormTail(const Task& task) {
  const BenchChain& chain = *FindChain(task.op);
  const size_t columns = task.columns;
  const size_t rows = task.n / columns;
  std::vector<float> of[4];
  for (size_t c = 0; c < 4; ++c) {
    of[c].resize(c < 2 ? rows : columns);
    for (size_t k = 0; k < of[c].size(); ++k) {
      of[c][k] = chain.constants[c].At(k);
    }
  }
  const auto* in = static_cast<const float*>(task.a);
  auto* out = static_cast<float*>(task.out);
  Runner runner;
  runner.whole = [=, mean = of[0], inverse = of[1], scale = of[2],
                  shift = of[3]] {
    for (size_t r = 0; r < rows; ++r) {
      const float* x = in + r * columns;
      float* y = out + r * columns;
      for (size_t c = 0; c < columns; ++c) {
        y[c] = (x[c] - mean[r]) * inverse[r] * scale[c] + shift[c];
      }
    }
  };
  return runner;
}

// Between nodes of 16 bits, computed in float32.
float MulAddRelu(float x) {
  const float y = x * 1.1f + 0.1f;
  return y < 0.0f ? 0.0f : y;
}
Runner CastInOut(const Task& task) {
  if (task.type == LW_BFLOAT16) {
    return Unary<uint16_t>(
        task, [](const uint16_t* in, uint16_t* out, size_t n) {
          for (size_t i = 0; i < n; ++i) {
            const auto x = std::bit_cast<float>(uint32_t{in[i]} << 16);
            const auto y = std::bit_cast<uint32_t>(MulAddRelu(x));
            out[i] = static_cast<uint16_t>((y + 0x7FFF + (y >> 16 & 1)) >> 16);
          }
        });
  }
#if defined(__FLT16_MANT_DIG__)
  if (task.type == LW_FLOAT16) {
    return Unary<_Float16>(
        task, [](const _Float16* in, _Float16* out, size_t n) {
          for (size_t i = 0; i < n; ++i) {
            out[i] = static_cast<_Float16>(MulAddRelu(in[i]));
          }
        });
  }
#endif
  return {};
}

// Chains, each in one loop: the limit of what a compiler makes of them.
Runner Chain(const Task& task) {
  const auto loop = [&](auto fn) {
    return Unary<float>(task, [fn](const float* in, float* out, size_t n) {
      for (size_t i = 0; i < n; ++i) out[i] = fn(in[i]);
    });
  };
  if (task.Is("Chain.HardSwish")) {
    return loop([](float x) {
      const float a = x * 1.1f + 0.1f;
      float c = a + 3;
      c = c < 0.0f ? 0.0f : c;
      c = c > 6.0f ? 6.0f : c;
      return a * c / 6 * 0.9f + -0.2f;
    });
  }
  if (task.Is("Chain.MulAddRelu")) {
    return loop([](float x) { return MulAddRelu(x); });  // is inlined
  }
  if (task.Is("Chain.GreaterWhere")) {
    return loop([](float x) { return x > 0.0f ? x : x * 0.5f; });
  }
  if (task.Is("Chain.NormTail")) return NormTail(task);
  return {};
}

template <typename T>
Runner AnyOp(const Task& task) {
  using W = typename Wide<T>::type;
  if (task.Is("Add")) {
    return Loop2<T>(task, [](T a, T b) { return W(a) + W(b); });
  }
  if (task.Is("Sub")) {
    return Loop2<T>(task, [](T a, T b) { return W(a) - W(b); });
  }
  if (task.Is("Mul")) {
    return Loop2<T>(task, [](T a, T b) { return W(a) * W(b); });
  }
  if (task.Is("Div")) return Loop2<T>(task, [](T a, T b) { return a / b; });
  if (task.Is("Greater")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a > b; });
  }
  if (task.Is("Equal")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a == b; });
  }
  if (task.Is("Relu")) {
    return Loop1<T>(task, [](T x) { return x < T(0) ? T(0) : x; });
  }
  if (task.Is("Clip")) return Clip<T>(task);
  if (task.Is("Where")) return Where<T>(task);
  return {};
}

template <typename T>
Runner FloatOp(const Task& task) {
  if (task.Is("Reciprocal")) {
    return Loop1<T>(task, [](T x) { return T(1) / x; });
  }
  using W = std::conditional_t<sizeof(T) == 8, double, float>;
  if (task.Is("Sigmoid")) {
    return Loop1<T>(task, [](T x) { return T(1 / (1 + std::exp(-W(x)))); });
  }
  if (task.Is("Tanh")) {
    return Loop1<T>(task, [](T x) { return T(std::tanh(W(x))); });
  }
  if (task.Is("Elu")) {
    return Loop1<T>(task,
                    [](T x) { return x < T(0) ? T(std::expm1(W(x))) : x; });
  }
  if (task.Is("LeakyRelu")) {
    constexpr W kAlpha = 0.01f;  // the default, a float32 in ONNX
    return Loop1<T>(task, [](T x) { return x < T(0) ? T(W(x) * kAlpha) : x; });
  }
  return AnyOp<T>(task);
}

// A chain of one operator.
template <typename T, typename Out, class Op>
Runner OneStep(const Task& task, Op op) {
  Runner runner;
  runner.range = [op, in = static_cast<const T*>(task.a),
                  out = static_cast<Out*>(task.out)](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) out[i] = static_cast<Out>(op(in[i]));
  };
  return runner;
}
Runner OneStepChain(const Task& task) {
  const auto same = [](auto x) { return x; };
  const auto shifted = [](auto x) { return x << 3; };
  if (task.Is("Chain.ShiftLeft")) {
    return task.type == LW_UINT8 ? OneStep<uint8_t, uint8_t>(task, shifted)
                                 : OneStep<uint32_t, uint32_t>(task, shifted);
  }
  if (task.Is("Chain.CastToF32")) {
    if (task.type == LW_INT32) return OneStep<int32_t, float>(task, same);
    if (task.type == LW_BFLOAT16) {
      return OneStep<uint16_t, float>(task, [](uint16_t x) {
        return std::bit_cast<float>(uint32_t{x} << 16);
      });
    }
  }
#if defined(__FLT16_MANT_DIG__)
  if (task.Is("Chain.CastToF32")) return OneStep<_Float16, float>(task, same);
  if (task.Is("Chain.CastToF16")) return OneStep<float, _Float16>(task, same);
#endif
  return {};
}

Runner Prepare(const Task& task) {
  if (task.Is("Chain.CastInOut")) return CastInOut(task);
  if (Runner runner = OneStepChain(task)) return runner;
  switch (task.type) {
    case LW_FLOAT32:
      if (const Runner chain = Chain(task)) return chain;
      return FloatOp<float>(task);
    case LW_FLOAT64:
      return FloatOp<double>(task);
#if defined(__FLT16_MANT_DIG__)
    case LW_FLOAT16:
      return FloatOp<_Float16>(task);
#endif
    case LW_INT8:
      return AnyOp<int8_t>(task);
    case LW_UINT8:
      return AnyOp<uint8_t>(task);
    case LW_INT16:
      return AnyOp<int16_t>(task);
    case LW_UINT16:
      return AnyOp<uint16_t>(task);
    case LW_INT32:
      return AnyOp<int32_t>(task);
    case LW_UINT32:
      return AnyOp<uint32_t>(task);
    case LW_INT64:
      return AnyOp<int64_t>(task);
    case LW_UINT64:
      return AnyOp<uint64_t>(task);
    default:
      return {};
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(loop) {
  return {{"loop", __VERSION__ " -O3 -march=native", Prepare}};
}
