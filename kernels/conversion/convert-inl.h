// SPDX-License-Identifier: Apache-2.0
//
// Functors that convert one vector, for Cast. Each has lanes of the output
// (LanesOf), and an input of as many lanes of type TIn. NaNs become quiet NaNs
// with the sign and the upper bits of the payload, except that bfloat16 becomes
// float32 by a shift.
//
// Functors whose kRounds is true depend on the floating-point environment: the
// caller switches to the default one.

#if defined(LANEWISE_KERNELS_CONVERSION_CONVERT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_CONVERSION_CONVERT_INL_H_
#undef LANEWISE_KERNELS_CONVERSION_CONVERT_INL_H_
#else
#define LANEWISE_KERNELS_CONVERSION_CONVERT_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How much of a vector the output takes at a time, so that the input fills no
/// more than one: 2^kPow2.
constexpr int Pow2For(size_t in_bytes, size_t out_bytes) {
  int pow2 = 0;
  for (; in_bytes > out_bytes; in_bytes /= 2) --pow2;
  return pow2;
}
template <typename TInput, typename TOutput>
struct Conversion {
  using TIn = TInput;
  using T = TOutput;
  static constexpr int kPow2 = Pow2For(sizeof(TIn), sizeof(T));
  static constexpr size_t kUnroll = 4;
  static constexpr int kPadding = 0;
  static constexpr bool kRounds = false;
};

// ------------------------------ Integers and bools

template <typename T>
struct CopyLanes : Conversion<T, T> {
  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return x;
  }
};

/// Any byte but 0 is true.
struct NormalizeBool : Conversion<uint8_t, uint8_t> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Min(x, hn::Set(d, 1));
  }
};

/// The low bits, or the number itself in a wider type.
template <typename TIn, typename T>
struct Resize : Conversion<TIn, T> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    if constexpr (sizeof(T) < sizeof(TIn)) {
      return hn::TruncateTo(d, x);
    } else {
      return hn::PromoteTo(d, x);
    }
  }
};

/// Whether a number is not 0, from its bits. kSign: the upper bit is a sign.
template <typename TBits, bool kSign>
struct IsNonzero : Conversion<TBits, uint8_t> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::Rebind<TBits, D> d_in;
    if constexpr (kSign) x = hn::Add(x, x);
    const auto one =
        hn::IfThenElseZero(hn::Ne(x, hn::Zero(d_in)), hn::Set(d_in, TBits{1}));
    if constexpr (sizeof(TBits) == 1) {
      return one;
    } else {
      return hn::TruncateTo(d, one);
    }
  }
};

// ------------------------------ Integers to floats

/// Integers of up to 32 bits to float, and of 32 and 64 bits to double.
template <typename TIn, typename T>
struct IntegerToFloat : Conversion<TIn, T> {
  static constexpr bool kRounds = sizeof(TIn) == sizeof(T);

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    if constexpr (sizeof(TIn) == sizeof(T)) {
      return hn::ConvertTo(d, x);
    } else if constexpr (sizeof(T) == 8) {
      return hn::PromoteTo(d, x);
    } else {
      return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<int32_t, D>(), x));
    }
  }
};

/// 64 bits to a double with at most 53 significant bits, rounded to odd: a
/// second rounding to fewer bits then gives what one rounding would.
template <typename TIn>
struct JamToDouble : Conversion<TIn, double> {
  static constexpr bool kRounds = true;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::Rebind<TIn, D> di;
    const hn::RebindToUnsigned<D> du;
    // Eleven bits give way to one that tells whether any of them is set. In
    // numbers below 2^53 they stay.
    const auto bits = hn::BitCast(du, x);
    const auto low = hn::Set(du, uint64_t{0x7FF});
    const auto lost = hn::And(bits, low);
    const auto sticky = hn::IfThenElseZero(hn::Ne(lost, hn::Zero(du)),
                                           hn::Set(du, uint64_t{0x800}));
    const auto jammed = hn::Or(hn::AndNot(low, bits), sticky);
    auto magnitude = bits;
    if constexpr (std::is_signed_v<TIn>) {
      magnitude = hn::BitCast(du, hn::Abs(x));
    }
    const auto is_small = hn::Eq(hn::ShiftRight<53>(magnitude), hn::Zero(du));
    return hn::ConvertTo(
        d, hn::BitCast(di, hn::IfThenElse(is_small, bits, jammed)));
  }
};

// ------------------------------ Floats to integers

/// Truncates and saturates; NaN gives 0.
template <typename TIn, typename T>
struct FloatToInteger : Conversion<TIn, T> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    using TI = hwy::If<std::is_signed_v<T>, int32_t, uint32_t>;
    x = hn::IfThenElseZero(hn::Eq(x, x), x);
    if constexpr (sizeof(T) == sizeof(TIn)) {
      return hn::ConvertTo(d, x);
    } else if constexpr (sizeof(T) > sizeof(TIn)) {
      return hn::PromoteTo(d, x);
    } else if constexpr (sizeof(T) == 4) {
      return hn::DemoteTo(d, x);
    } else if constexpr (sizeof(TIn) == 8) {
      return hn::DemoteTo(d, hn::DemoteTo(hn::Rebind<TI, D>(), x));
    } else {
      return hn::DemoteTo(d, hn::ConvertTo(hn::Rebind<int32_t, D>(), x));
    }
  }
};

// ------------------------------ Floats to floats

struct HalfToFloat : Conversion<uint16_t, float> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return Float16::Widen(d, x);
  }
};
struct FloatToHalf : Conversion<float, uint16_t> {
  // x86's instruction says itself how it rounds.
  static constexpr bool kRounds = LANEWISE_F16_INSTRUCTIONS && !HWY_ARCH_X86;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return Float16::Narrow(d, x);
  }
};
struct BrainToFloat : Conversion<uint16_t, float> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return BFloat16::Widen(d, x);
  }
};
struct FloatToBrain : Conversion<float, uint16_t> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return BFloat16::Narrow(d, x);
  }
};
struct FloatToDouble : Conversion<float, double> {
  static constexpr bool kRounds = true;  // DAZ: a subnormal would become 0

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return hn::PromoteTo(d, x);
  }
};
struct DoubleToFloat : Conversion<double, float> {
  static constexpr bool kRounds = true;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return hn::DemoteTo(d, x);
  }
};

template <class Format>
struct DoubleTo16 : Conversion<double, uint16_t> {
  static constexpr bool kRounds = true;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    return Format::Narrow(d, ToOddFloat(hn::Rebind<float, D>(), x));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_CONVERSION_CONVERT_INL_H_
