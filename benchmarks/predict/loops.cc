// SPDX-License-Identifier: Apache-2.0
//
// The loops of kernels that can divide by the divider or by multiplication.
// scripts/predict compiles this file to assembly, where llvm-mca finds the
// loops between markers, and to a program, which prints their times on this
// CPU:
//
//   AVX2 Div/i32 divide 0.286
//
// that is, nanoseconds per element where all operands are in the L1 cache.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/predict/loops.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division/division_ways-inl.h"
#include "kernels/division/intdiv-inl.h"
#include "kernels/loops-inl.h"

#ifndef LANEWISE_PREDICT_LOOP
#define LANEWISE_PREDICT_LOOP

#define LANEWISE_COUNT 2048
struct Loop {
  const char* target;
  const char* kernel;
  const char* way;
  void (*run)(const void* a, const void* b, void* out);
  void (*fill)(void* operand, unsigned seed);
};

template <typename T>
void Fill(void* operand, unsigned seed) {
  std::minstd_rand random(seed);
  T* values = static_cast<T*>(operand);
  for (int i = 0; i < LANEWISE_COUNT; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    if constexpr (std::is_floating_point_v<T>) {
      values[i] = 1 + static_cast<T>(bits % 4096) / 1024;
    } else {
      values[i] = static_cast<T>(bits | 1);
    }
  }
}

/// Numbers from 1 to 2 in bfloat16, and from 1.9 to 2 in float16.
struct Bits16 {};
template <>
inline void Fill<Bits16>(void* operand, unsigned seed) {
  std::minstd_rand random(seed);
  auto* values = static_cast<uint16_t*>(operand);
  for (int i = 0; i < LANEWISE_COUNT; ++i) {
    values[i] = static_cast<uint16_t>(0x3F80 + random() % 128);
  }
}

#if defined(__aarch64__)
#define LANEWISE_MARK "// LLVM-MCA-"
#else
#define LANEWISE_MARK "# LLVM-MCA-"
#endif
#endif  // LANEWISE_PREDICT_LOOP

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

/// The vectors of one iteration. As in ComputeRow, kAlternates vectors are
/// computed by multiplication after each vector by the divider.
template <class Fn>
constexpr size_t Group() {
  if constexpr (requires { Fn::kAlternates; }) return 1 + Fn::kAlternates;
  return 1;
}

template <class Fn, size_t kInputs>
HWY_INLINE void Step(const typename Fn::T* a, const typename Fn::T* b,
                     typename Fn::T* out) {
  const hn::ScalableTag<typename Fn::T, Pow2Of<Fn>()> d;
  const size_t N = hn::Lanes(d);
  const Fn fn{};
  for (size_t k = 0; k < Group<Fn>(); ++k) {
    const auto va = hn::LoadU(d, a + k * N);
    if constexpr (Group<Fn>() > 1) {
      if (k > 0) {
        if constexpr (kInputs == 1) {
          hn::StoreU(fn.Alternative(d, va), d, out + k * N);
        } else {
          hn::StoreU(fn.Alternative(d, va, hn::LoadU(d, b + k * N)), d,
                     out + k * N);
        }
        continue;
      }
    }
    if constexpr (kInputs == 1) {
      hn::StoreU(fn(d, va), d, out + k * N);
    } else {
      hn::StoreU(fn(d, va, hn::LoadU(d, b + k * N)), d, out + k * N);
    }
  }
}

template <typename TInt, Way kWay>
struct IntDiv {
  using T = TInt;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return TruncDiv<kWay>(d, a, b);
  }
};

// The markers tell the target, the kernel, the way and the elements between
// them. "memory" keeps loads and stores between the markers.
#define LANEWISE_LOOP(id, kernel, way, inputs, ...)                         \
  HWY_NOINLINE void id(const void* a, const void* b, void* out) {           \
    using Fn = __VA_ARGS__;                                                 \
    constexpr size_t kStep =                                                \
        Group<Fn>() * hn::MaxLanes(hn::ScalableTag<Fn::T, Pow2Of<Fn>()>()); \
    for (size_t i = 0; i + kStep <= LANEWISE_COUNT; i += kStep) {           \
      asm volatile(LANEWISE_MARK                                            \
                   "BEGIN " HWY_STR(HWY_NAMESPACE) " " kernel " " way       \
                                                   " %c0" ::"i"(kStep)      \
                   : "memory");                                             \
      Step<Fn, inputs>(static_cast<const Fn::T*>(a) + i,                    \
                       static_cast<const Fn::T*>(b) + i,                    \
                       static_cast<Fn::T*>(out) + i);                       \
      asm volatile(LANEWISE_MARK "END" ::: "memory");                       \
    }                                                                       \
  }

#define LANEWISE_INTEGERS(T, type)                            \
  LANEWISE_LOOP(Divide_##type, "Div/" #type, "divide", 2,     \
                IntDiv<T, Way::kDivider>)                     \
  LANEWISE_LOOP(Multiply_##type, "Div/" #type, "multiply", 2, \
                IntDiv<T, Way::kUsual>)
LANEWISE_INTEGERS(int16_t, i16)
LANEWISE_INTEGERS(uint16_t, u16)
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
LANEWISE_INTEGERS(int32_t, i32)
LANEWISE_INTEGERS(uint32_t, u32)
#endif

#if LANEWISE_MULTIPLIES
#define LANEWISE_FLOATS(op, functor, type, T, inputs)                      \
  LANEWISE_LOOP(Divide_##op##_##type, #op "/" #type, "divide", inputs,     \
                functor<T>)                                                \
  LANEWISE_LOOP(Multiply_##op##_##type, #op "/" #type, "multiply", inputs, \
                Fast##functor<T>)
LANEWISE_FLOATS(Div, FloatDiv, f32, float, 2)
LANEWISE_FLOATS(Div, FloatDiv, f64, double, 2)
LANEWISE_FLOATS(Reciprocal, Reciprocal, f32, float, 1)
LANEWISE_FLOATS(Reciprocal, Reciprocal, f64, double, 1)
LANEWISE_LOOP(Divide_f16, "Div/f16", "divide", 2, InFloat16<FloatDiv<float>>)
LANEWISE_LOOP(Multiply_f16, "Div/f16", "multiply", 2, InFloat16<FastFloat16Div>)
LANEWISE_LOOP(Divide_bf16, "Div/bf16", "divide", 2,
              In16Bits<BFloat16, FloatDiv<float>>)
LANEWISE_LOOP(Multiply_bf16, "Div/bf16", "multiply", 2, DivBF16)
#endif
#if LANEWISE_MULTIPLIES_FOR_F16
LANEWISE_LOOP(Divide_Reciprocal_f16, "Reciprocal/f16", "divide", 1,
              InFloat16<Reciprocal<float>>)
LANEWISE_LOOP(Multiply_Reciprocal_f16, "Reciprocal/f16", "multiply", 1,
              ReciprocalF16)
LANEWISE_LOOP(Divide_Reciprocal_bf16, "Reciprocal/bf16", "divide", 1,
              In16Bits<BFloat16, Reciprocal<float>>)
LANEWISE_LOOP(Multiply_Reciprocal_bf16, "Reciprocal/bf16", "multiply", 1,
              ReciprocalBF16)
#endif

#define LANEWISE_BOTH(kernel, divide, multiply, T)             \
  {HWY_STR(HWY_NAMESPACE), kernel, "divide", divide, Fill<T>}, \
      {HWY_STR(HWY_NAMESPACE), kernel, "multiply", multiply, Fill<T>},
constexpr Loop kLoops[] = {
    LANEWISE_BOTH("Div/i16", Divide_i16, Multiply_i16, int16_t) LANEWISE_BOTH(
        "Div/u16", Divide_u16, Multiply_u16, uint16_t)
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
        LANEWISE_BOTH("Div/i32", Divide_i32, Multiply_i32,
                      int32_t) LANEWISE_BOTH("Div/u32", Divide_u32,
                                             Multiply_u32, uint32_t)
#endif
#if LANEWISE_MULTIPLIES
            LANEWISE_BOTH("Div/f32", Divide_Div_f32, Multiply_Div_f32,
                          float) LANEWISE_BOTH("Div/f64", Divide_Div_f64,
                                               Multiply_Div_f64, double)
                LANEWISE_BOTH("Div/f16", Divide_f16, Multiply_f16,
                              Bits16) LANEWISE_BOTH("Div/bf16", Divide_bf16,
                                                    Multiply_bf16, Bits16)
                    LANEWISE_BOTH("Reciprocal/f32", Divide_Reciprocal_f32,
                                  Multiply_Reciprocal_f32, float)
                        LANEWISE_BOTH("Reciprocal/f64", Divide_Reciprocal_f64,
                                      Multiply_Reciprocal_f64, double)
#endif
#if LANEWISE_MULTIPLIES_FOR_F16
                            LANEWISE_BOTH("Reciprocal/f16",
                                          Divide_Reciprocal_f16,
                                          Multiply_Reciprocal_f16, Bits16)
                                LANEWISE_BOTH("Reciprocal/bf16",
                                              Divide_Reciprocal_bf16,
                                              Multiply_Reciprocal_bf16, Bits16)
#endif
};

std::span<const Loop> Loops() { return kLoops; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Loops);

alignas(64) unsigned char operands[3][LANEWISE_COUNT * sizeof(double)];

/// The least time of many runs, in nanoseconds per element.
double Time(const Loop& loop) {
  using Clock = std::chrono::steady_clock;
  loop.fill(operands[0], 1);
  loop.fill(operands[1], 2);
  double best = 1e9;
  for (int repetition = 0; repetition < 3000; ++repetition) {
    const auto start = Clock::now();
    for (int i = 0; i < 8; ++i) loop.run(operands[0], operands[1], operands[2]);
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    best = HWY_MIN(best, time.count() / 8 / LANEWISE_COUNT);
  }
  return best;
}

}  // namespace
}  // namespace lanewise

int main() {
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    for (const Loop& loop :
         lanewise::OnTarget(HWY_DISPATCH_TABLE(lanewise::Loops), target)) {
      std::printf("%s %s %s %.4f\n", loop.target, loop.kernel, loop.way,
                  lanewise::Time(loop));
    }
  }
}
#endif  // HWY_ONCE
