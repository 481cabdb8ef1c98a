// SPDX-License-Identifier: Apache-2.0
//
// A simple loop over the elements, which the compiler vectorizes for this CPU
// (-O3 -march=native).

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "benchmarks/chains.h"
#include "benchmarks/peers/flat.h"
#include "benchmarks/peers/linear_loop.h"
#include "benchmarks/peers/reduction_loop.h"

namespace {

using lanewise::bench::BenchChain;
using lanewise::bench::Binary;
using lanewise::bench::FindChain;
using lanewise::bench::LinearLoop;
using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::ReductionLoop;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::Unary;

// The loop of an operator with one input.
template <typename T, typename Out = T, class Op>
Runner Loop1(const Task& task, Op op) {
  return Unary<T, Out>(task, [op](const T* in, Out* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(op(in[i]));
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

// The remainder with the divisor's sign. No benchmark divides integers by 0.
template <typename T>
T Modulo(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T rest = static_cast<T>(a % b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  } else {
    using W = std::conditional_t<sizeof(T) == 8, double, float>;
    const W rest = std::fmod(W(a), W(b));
    if (rest == 0) return T(std::copysign(rest, W(b)));
    return T((rest < 0) != (b < T(0)) ? rest + W(b) : rest);
  }
}

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
  if (task.Is("Mod")) return Loop2<T>(task, Modulo<T>);
  if (task.Is("Greater")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a > b; });
  }
  if (task.Is("GreaterOrEqual")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a >= b; });
  }
  if (task.Is("Less")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a < b; });
  }
  if (task.Is("LessOrEqual")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a <= b; });
  }
  if (task.Is("Equal")) {
    return Loop2<T, bool>(task, [](T a, T b) { return a == b; });
  }
  if (task.Is("Relu")) {
    return Loop1<T>(task, [](T x) { return x < T(0) ? T(0) : x; });
  }
  if (task.Is("Neg")) return Loop1<T>(task, [](T x) { return -W(x); });
  if (task.Is("Abs")) {
    return Loop1<T>(task, [](T x) { return x < T(0) ? -W(x) : W(x); });
  }
  if (task.Is("Sign")) {
    return Loop1<T>(task, [](T x) {
      return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? T(0) : x;
    });
  }
  if (task.Is("Clip")) return Clip<T>(task);
  if (task.Is("Where")) return Where<T>(task);
  return {};
}

template <typename T>
Runner IntegerOp(const Task& task) {
  if (task.Reduces()) return ReductionLoop<T>(task);
  if (task.Is("BitwiseAnd")) {
    return Loop2<T>(task, [](T a, T b) { return a & b; });
  }
  if (task.Is("BitwiseOr")) {
    return Loop2<T>(task, [](T a, T b) { return a | b; });
  }
  if (task.Is("BitwiseXor")) {
    return Loop2<T>(task, [](T a, T b) { return a ^ b; });
  }
  if (task.Is("BitwiseNot")) return Loop1<T>(task, [](T x) { return ~x; });
  return AnyOp<T>(task);
}

Runner BoolOp(const Task& task) {
  using T = uint8_t;
  if (task.Is("And")) {
    return Loop2<T>(task, [](T a, T b) { return (a != 0) & (b != 0); });
  }
  if (task.Is("Or")) {
    return Loop2<T>(task, [](T a, T b) { return (a | b) != 0; });
  }
  if (task.Is("Xor")) {
    return Loop2<T>(task, [](T a, T b) { return (a != 0) != (b != 0); });
  }
  if (task.Is("Not")) return Loop1<T>(task, [](T x) { return x == 0; });
  return {};
}
template <typename T>
using Real = std::conditional_t<sizeof(T) == 8, double, float>;

template <typename T>
Runner RoundingOp(const Task& task) {
  using W = Real<T>;
  if (task.Is("Sqrt")) {
    return Loop1<T>(task, [](T x) { return std::sqrt(W(x)); });
  }
  if (task.Is("Floor")) {
    return Loop1<T>(task, [](T x) { return std::floor(W(x)); });
  }
  if (task.Is("Ceil")) {
    return Loop1<T>(task, [](T x) { return std::ceil(W(x)); });
  }
  if (task.Is("Round")) {
    return Loop1<T>(task, [](T x) { return std::nearbyint(W(x)); });
  }
  return {};
}

// What is made of e^x, logarithms, the error function, sines and their
// inverses.
template <typename T>
Runner FunctionOp(const Task& task) {
  using W = Real<T>;
  struct OfLibm {
    const char* op;
    W (*function)(W);
  };
  constexpr OfLibm kOfLibm[] = {
      {"Acos", std::acos},   {"Acosh", std::acosh}, {"Asin", std::asin},
      {"Asinh", std::asinh}, {"Atan", std::atan},   {"Atanh", std::atanh},
      {"Cos", std::cos},     {"Cosh", std::cosh},   {"Erf", std::erf},
      {"Log", std::log},     {"Sin", std::sin},     {"Sinh", std::sinh},
      {"Tan", std::tan},     {"Tanh", std::tanh}};
  for (const OfLibm& libm : kOfLibm) {
    if (!task.Is(libm.op)) continue;
    const auto function = libm.function;
    return Loop1<T>(task, [=](T x) { return function(W(x)); });
  }
  constexpr auto kSigmoid = [](W x) { return 1 / (1 + std::exp(-x)); };
  if (task.Is("Pow")) {
    return Loop2<T>(task, [](T a, T b) { return std::pow(W(a), W(b)); });
  }
  if (task.Is("Sigmoid")) {
    return Loop1<T>(task, [=](T x) { return kSigmoid(W(x)); });
  }
  if (task.Is("Swish")) {
    return Loop1<T>(task, [=](T x) { return W(x) * kSigmoid(W(x)); });
  }
  if (task.Is("SwiGLU")) {
    return Loop2<T>(task,
                    [=](T a, T b) { return W(a) * kSigmoid(W(a)) * W(b); });
  }
  if (task.Is("Elu") || task.Is("Celu")) {
    return Loop1<T>(task,
                    [](T x) { return x < T(0) ? std::expm1(W(x)) : W(x); });
  }
  if (task.Is("Softplus")) {
    return Loop1<T>(task, [](T x) {
      const W far = std::log1p(std::exp(-std::fabs(W(x))));
      return (x > T(0) ? W(x) : W(0)) + far;
    });
  }
  if (task.Is("Mish")) {
    return Loop1<T>(task, [](T x) {
      const W e = std::exp(W(x) < 20 ? W(x) : W(20));
      return x * (e * (e + 2) / (e * (e + 2) + 2));
    });
  }
  if (task.Is("Gelu")) {
    return Loop1<T>(task, [](T x) {
      return W(x) / 2 * std::erfc(W(x) * W(-0.70710678118654752));
    });
  }
  return {};
}

// Straight lines and quotients by cases. Attributes have their defaults.
template <typename T>
Runner PiecewiseOp(const Task& task) {
  using W = Real<T>;
  constexpr auto kHardSigmoid = [](W x, W alpha) {
    return std::max(W(0), std::min(W(1), x * alpha + W(0.5f)));
  };
  if (task.Is("LeakyRelu")) {
    constexpr W kAlpha = 0.01f;  // a float32 in ONNX
    return Loop1<T>(task, [](T x) { return x < T(0) ? T(W(x) * kAlpha) : x; });
  }
  if (task.Is("ThresholdedRelu")) {
    return Loop1<T>(task, [](T x) { return x > T(1) ? x : T(0); });
  }
  if (task.Is("Shrink")) {
    return Loop1<T>(task,
                    [](T x) { return x < T(-0.5f) || x > T(0.5f) ? x : T(0); });
  }
  if (task.Is("HardSigmoid")) {
    return Loop1<T>(task, [=](T x) { return kHardSigmoid(W(x), 0.2f); });
  }
  if (task.Is("HardSwish")) {
    return Loop1<T>(task,
                    [=](T x) { return W(x) * kHardSigmoid(W(x), W(1) / 6); });
  }
  if (task.Is("Softsign")) {
    return Loop1<T>(task, [](T x) { return W(x) / (W(1) + std::abs(W(x))); });
  }
  return {};
}

template <typename T>
Runner FloatOp(const Task& task) {
  using W = Real<T>;
  if (task.Reduces()) return ReductionLoop<T>(task);
  if (Runner runner = RoundingOp<T>(task)) return runner;
  if (Runner runner = FunctionOp<T>(task)) return runner;
  if (Runner runner = PiecewiseOp<T>(task)) return runner;
  if (task.Is("Sum")) {
    return Loop2<T>(task, [](T a, T b) { return W(a) + W(b); });
  }
  if (task.Is("Mean")) {
    return Loop2<T>(task, [](T a, T b) { return (W(a) + W(b)) / 2; });
  }
  if (task.Is("Reciprocal")) {
    return Loop1<T>(task, [](T x) { return T(1) / x; });
  }
  if (task.Is("Abs")) {
    return Loop1<T>(task, [](T x) { return std::fabs(W(x)); });
  }
  if (task.Is("IsNaN")) {
    return Loop1<T, bool>(task, [](T x) { return x != x; });
  }
  if (task.Is("IsInf")) {
    constexpr auto kInfinity = T(std::numeric_limits<float>::infinity());
    return Loop1<T, bool>(
        task, [](T x) { return x == kInfinity || x == -kInfinity; });
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
  if (Runner runner = LinearLoop(task)) return runner;
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
    case LW_BOOL:
      return BoolOp(task);
    default:
      return {};
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(loop) {
  return {{"loop", __VERSION__ " -O3 -march=native", Prepare}};
}
