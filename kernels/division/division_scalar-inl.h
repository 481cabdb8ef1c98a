// SPDX-License-Identifier: Apache-2.0
//
// Div of floats by one number for each row: by multiplication where that pays
// and gives the same bits, otherwise by the divider.

#if defined(LANEWISE_KERNELS_DIVISION_DIVISION_SCALAR_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_DIVISION_SCALAR_INL_H_
#undef LANEWISE_KERNELS_DIVISION_DIVISION_SCALAR_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_DIVISION_SCALAR_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/division/division-inl.h"
#include "kernels/division/division_ways-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The number of elements from which a row is divided by a pair: making a pair
/// takes as long as dividing some vectors. A function, because clang warns of a
/// part for one target that has only variables.
template <typename T>
constexpr size_t LongForPair() {
  return 1024 / sizeof(T);
}

// ------------------------------ float32 and float64

#if LANEWISE_QUIET
/// Divides all lanes by one divisor, without the divider if all dividends suit.
template <typename TFloat, bool kRounds>
struct FloatDivByPair {
  using T = TFloat;
  static constexpr size_t kUnroll = 3;
  static constexpr T kPadding = 0;
  [[maybe_unused]] static constexpr bool kHasShortcut = true;
  ReciprocalPair<T> pair;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::Div(a, hn::Set(d, pair.divisor));
  }
  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... a) const {
    return SuitPairs(d, a...);
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V a) const {
    return QuotientByPair<kRounds>(d, a, pair);
  }
};

#if LANEWISE_MULTIPLIES
/// Divides all lanes by one divisor, by the divider only where a dividend is
/// far from 1: for divisors too far from 1 for a pair, and for rows too short
/// for a pair.
template <typename TFloat>
struct FloatDivByReciprocal {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  T divisor;
  T reciprocal;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const V b = hn::Set(d, divisor);
    const V y = hn::Set(d, reciprocal);
    const bool ordinary = hn::AllFalse(d, IsExtremeDividend(d, a));
    if (HWY_UNLIKELY(!ordinary)) return hn::Div(a, b);
    return QuotientBy(d, a, b, y, y);
  }
};
#endif  // LANEWISE_MULTIPLIES

/// Divides each row by its own divisor, without the divider where that pays.
template <typename T>
HWY_INLINE void DivideFloats(const Job& job) {
  [[maybe_unused]] const hn::CappedTag<T, 1> d;
  const bool is_long = job.n >= LongForPair<T>();
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const Moving<T> a{InRow<T>(job, 0, row), 0};
    const T b = *InRow<T>(job, 1, row);
    T* out = OutRow<T>(job, row);
    ReciprocalPair<T> pair;
    if (is_long && MakeReciprocalPair(b, pair)) {
      if (pair.rounds) {
        ComputeRow(out, job.n, job.setup->stream, FloatDivByPair<T, true>{pair},
                   a);
      } else {
        ComputeRow(out, job.n, job.setup->stream,
                   FloatDivByPair<T, false>{pair}, a);
      }
      continue;
    }
#if LANEWISE_MULTIPLIES
    if (hn::AllFalse(d, HasExtremeExponent(d, hn::Set(d, b)))) {
      ComputeRow(out, job.n, job.setup->stream,
                 FloatDivByReciprocal<T>{b, 1 / b}, a);
      continue;
    }
#endif
    ComputeRow(out, job.n, job.setup->stream, FloatDiv<T>(), a, Fixed<T>{b});
  }
}
template <typename T>
constexpr KernelFn DivideFloatsByScalar = Kernel<DivideFloats<T>>;
#else
template <typename T>
constexpr KernelFn DivideFloatsByScalar = Binary<FloatDiv<T>, LW_SCALAR_B>;
#endif  // LANEWISE_QUIET

// ------------------------------ float16

#if LANEWISE_F16_INSTRUCTIONS && HWY_NATIVE_FMA
/// 1 / b as a sum of two numbers with the sign of b. `high` is 1 / b without
/// the bits that float32 lacks. `low` is 0 only for infinite b.
struct Float16Reciprocal {
  explicit Float16Reciprocal(float b) {
    const double inverse = 1.0 / static_cast<double>(b);
    constexpr uint64_t kTruncated = (uint64_t{1} << 29) - 1;
    const auto bits = hwy::BitCastScalar<uint64_t>(inverse) & ~kTruncated;
    high = static_cast<float>(hwy::BitCastScalar<double>(bits));
    low = static_cast<float>(inverse - static_cast<double>(high));
    if (low == 0) low = high * 0x1p-60f;
  }
  float high;
  float low;
};

/// Divides float16 numbers by one that is neither 0 nor NaN.
///
/// The sum is within 2^-45 of the quotient, as a part of the quotient, before
/// the sum is rounded to float32. A quotient that float32 can represent is
/// therefore exact. Any other is at least 2^-23 away from the midpoints between
/// float16 numbers, and rounding to float32 moves the quotient by 2^-24 only.
/// So the result rounds to float16 as the quotient does. Both products have the
/// sign of the quotient: zeros keep their signs, and infinities do not cancel.
struct Float16DivByPair {
  static constexpr size_t kUnroll = 4;
  static constexpr float kPadding = 0;
  Float16Reciprocal reciprocal;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const V r = hn::Mul(a, hn::Set(d, reciprocal.low));
    return hn::MulAdd(a, hn::Set(d, reciprocal.high), r);
  }
};

/// Divides each row by its own divisor, long rows without the divider.
HWY_INLINE void DivideFloat16(const Job& job) {
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const Moving<uint16_t> a{InRow<uint16_t>(job, 0, row), 0};
    const uint16_t b = *InRow<uint16_t>(job, 1, row);
    uint16_t* out = OutRow<uint16_t>(job, row);
    // Neither 0 nor NaN: of two NaNs, a product gives the one that the compiler
    // put first, a quotient always the dividend.
    const bool has_reciprocal =
        static_cast<uint16_t>((b & 0x7FFF) - 1) < 0x7C00;
    if (has_reciprocal && job.n >= LongForPair<uint16_t>()) {
      const Float16Reciprocal reciprocal(
          hwy::F32FromF16(hwy::float16_t::FromBits(b)));
      const InFloat16<Float16DivByPair> divide{{reciprocal}};
      ComputeRow(out, job.n, job.setup->stream, divide, a);
    } else {
      ComputeRow(out, job.n, job.setup->stream, InFloat16<FastFloat16Div>(), a,
                 Fixed<uint16_t>{b});
    }
  }
}
constexpr KernelFn DivideFloat16ByScalar = Kernel<DivideFloat16>;
#else
constexpr KernelFn DivideFloat16ByScalar =
    Binary<InFloat16<FastFloat16Div>, LW_SCALAR_B>;
#endif  // LANEWISE_F16_INSTRUCTIONS && HWY_NATIVE_FMA

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_DIVISION_SCALAR_INL_H_
