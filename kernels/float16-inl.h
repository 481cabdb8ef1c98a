// SPDX-License-Identifier: Apache-2.0
//
// 16-bit floats are stored as their bits and computed as float32. A functor
// over float lanes is applied to both halves of a 16-bit vector (First and
// Second; which lanes belong to which half depends on the format), and each
// result is rounded once, to nearest even. For any single operation this is the
// correctly rounded answer, because float32 has more than twice the bits.

#if defined(LANEWISE_KERNELS_FLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_FLOAT16_INL_H_
#undef LANEWISE_KERNELS_FLOAT16_INL_H_
#else
#define LANEWISE_KERNELS_FLOAT16_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether the target converts float16 by instructions. These keep NaN payloads,
// ignore DAZ, and are told to round to nearest. Highway's emulation on other
// targets does none of this, and treats infinities as numbers.
#define LANEWISE_F16_INSTRUCTIONS                                    \
  ((HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_TARGET_IS_NEON || \
   HWY_TARGET_IS_SVE)

/// True in lanes whose magnitude, compared as bits, lies outside [least, most].
/// NaN and infinity compare above all numbers.
template <class DI, class VI, typename TI = hn::TFromD<DI>>
HWY_INLINE hn::Mask<DI> Outside(DI di, VI bits, TI least, TI most) {
  using TU = hwy::MakeUnsigned<TI>;
  constexpr TU kMin = TU{1} << (8 * sizeof(TI) - 1);
  // Doubling the bits drops the sign. The offset kMin lets a signed comparison
  // order the result as unsigned numbers.
  const auto start = static_cast<TI>(static_cast<TU>(2 * TU(least)) - kMin);
  const auto end =
      static_cast<TI>(static_cast<TU>(2 * TU(most - least)) + kMin);
  return hn::Gt(hn::Sub(hn::Add(bits, bits), hn::Set(di, start)),
                hn::Set(di, end));
}

/// float16: 1 sign, 5 exponent, 10 mantissa bits.
struct Float16 {
  static constexpr uint16_t kQuietNaN = 0x7E00;

  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> First(DF df, V16 v) {
#if LANEWISE_F16_INSTRUCTIONS
    const hn::Repartition<hwy::float16_t, DF> d16;
    return hn::PromoteLowerTo(df, hn::BitCast(d16, v));
#else
    return Promote(df, hn::PromoteLowerTo(hn::RebindToUnsigned<DF>(), v));
#endif
  }
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Second(DF df, V16 v) {
#if LANEWISE_F16_INSTRUCTIONS
    const hn::Repartition<hwy::float16_t, DF> d16;
    return hn::PromoteUpperTo(df, hn::BitCast(d16, v));
#else
    return Promote(df, hn::PromoteUpperTo(hn::RebindToUnsigned<DF>(), v));
#endif
  }
  /// 16-bit lanes as as many floats, and back.
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Widen(DF df, V16 v) {
#if LANEWISE_F16_INSTRUCTIONS
    return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), v));
#else
    const hn::RebindToUnsigned<DF> du;
    const auto wide = Promote(df, hn::PromoteTo(du, v));
    const auto quiet = hn::BitCast(df, hn::Set(du, 0x00400000u));
    return hn::IfThenElse(hn::IsNaN(wide), hn::Or(wide, quiet), wide);
#endif
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Narrow(D16 d16, VF v) {
#if LANEWISE_F16_INSTRUCTIONS
    return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, D16>(), v));
#else
    const hn::Rebind<int32_t, D16> di;
    const auto bits = hn::BitCast(di, v);
    const auto magnitude = hn::Min(Demote(bits), hn::Set(di, 0x7C00));
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
    const auto narrow = hn::Or3(magnitude, NaN(bits), sign);
    return hn::TruncateTo(d16,
                          hn::BitCast(hn::Rebind<uint32_t, D16>(), narrow));
#endif
  }
#if LANEWISE_F16_INSTRUCTIONS
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Join(D16 d16, VF lower, VF upper) {
    const hn::DFromV<VF> df;
    const hn::Rebind<hwy::float16_t, decltype(df)> half;
    const hn::Repartition<hwy::float16_t, decltype(df)> full;
    return hn::BitCast(d16, hn::Combine(full, hn::DemoteTo(half, upper),
                                        hn::DemoteTo(half, lower)));
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> JoinInOrder(D16 d16, VF lower, VF upper) {
    return Join(d16, lower, upper);
  }
#else
  // Join is out of line. Otherwise each loop would contain its 60 instructions
  // several times.
  template <class D16, class VF>
  static HWY_NOINLINE hn::VFromD<D16> Join(D16 d16, VF lower, VF upper) {
    const hn::RebindToSigned<D16> di16;
    const hn::RebindToSigned<hn::DFromV<VF>> di;
    const auto low = hn::BitCast(di, lower);
    const auto high = hn::BitCast(di, upper);
    // Results that overflow, infinities and NaNs all become infinity here.
    const auto magnitude =
        hn::Min(hn::OrderedDemote2To(di16, Demote(low), Demote(high)),
                hn::Set(di16, int16_t{0x7C00}));
    const auto nan = hn::OrderedDemote2To(di16, NaN(low), NaN(high));
    const auto sign =
        hn::And(hn::OrderedDemote2To(di16, hn::ShiftRight<16>(low),
                                     hn::ShiftRight<16>(high)),
                hn::Set(di16, hwy::LimitsMin<int16_t>()));
    return hn::BitCast(d16, hn::Or3(magnitude, nan, sign));
  }

 private:
  static constexpr int32_t kRebias = 112 << 23;  // 127 - 15: exponent biases

  template <class DF, class VU, class DI = hn::RebindToSigned<DF>>
  static HWY_INLINE hn::VFromD<DF> Promote(DF df, VU v) {
    const DI di;
    const auto bits = hn::BitCast(di, v);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFF));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    const auto rebias = hn::Set(di, kRebias);
    const auto number = hn::Add(hn::ShiftLeft<13>(magnitude), rebias);
    // Infinity and NaN have the highest exponent in both formats.
    const auto special = hn::Gt(magnitude, hn::Set(di, 0x7BFF));
    const auto wide = hn::Add(number, hn::IfThenElseZero(special, rebias));
    // A subnormal is a multiple of 2^-24, and its integer multiple converts
    // exactly.
    const auto subnormal =
        hn::Mul(hn::ConvertTo(df, magnitude), hn::Set(df, 0x1p-24f));
    const auto is_subnormal = hn::Lt(magnitude, hn::Set(di, 0x400));
    return hn::BitCast(
        df, hn::Or(sign, hn::IfThenElse(is_subnormal,
                                        hn::BitCast(di, subnormal), wide)));
  }

  // Returns the bits of the magnitude, rounded to nearest even by integer
  // operations: the current rounding mode does not matter. Bits above 0x7C00
  // mean overflow, infinity or NaN.
  template <class VI>
  static HWY_INLINE VI Demote(VI bits) {
    const hn::DFromV<VI> di;
    const hn::RebindToFloat<decltype(di)> df;
    const auto one = hn::Set(di, 1);
    const auto least_normal = hn::Set(di, 0x38800000);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto is_subnormal = hn::Lt(magnitude, least_normal);
    // A subnormal result is a multiple of 2^-24. The steps are multiples of
    // 2^-37, so that 13 more bits follow, as in normal results. The lowest bit
    // is set if bits below the steps are lost.
    const auto steps =
        hn::Mul(hn::BitCast(df, hn::IfThenElseZero(is_subnormal, magnitude)),
                hn::Set(df, 0x1p37f));
    const auto whole = hn::ConvertTo(di, steps);  // truncates
    const auto inexact =
        hn::RebindMask(di, hn::Ne(hn::ConvertTo(df, whole), steps));
    const auto subnormal = hn::Or(whole, hn::IfThenElseZero(inexact, one));
    const auto number = hn::IfThenElse(
        is_subnormal, subnormal, hn::Sub(magnitude, hn::Set(di, kRebias)));
    const auto odd = hn::And(hn::ShiftRight<13>(number), one);
    return hn::ShiftRight<13>(
        hn::Add(hn::Add(number, hn::Set(di, 0xFFF)), odd));
  }

  // Returns the bits that turn infinity into a quiet NaN with the argument's
  // payload, or 0 if the argument is no NaN.
  template <class VI>
  static HWY_INLINE VI NaN(VI bits) {
    const hn::DFromV<VI> di;
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto payload =
        hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 0x3FF));
    return hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(di, 0x7F800000)),
                              hn::Or(payload, hn::Set(di, 0x200)));
  }
#endif  // !LANEWISE_F16_INSTRUCTIONS
};

/// bfloat16: the upper half of a float32. Rounding happens on integer lanes,
/// because the conversion instruction of AVX512-BF16 flushes subnormals. First
/// takes the even lanes, Second the odd ones, so that no lane has to move.
struct BFloat16 {
  static constexpr uint16_t kQuietNaN = 0x7FC0;

  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> First(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::BitCast(du, v)));
  }
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Second(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, Upper(du, hn::BitCast(du, v)));
  }
  // NaN payloads do not change: a NaN that comes from bfloat16, or that an x86,
  // Arm or RISC-V CPU generates, has no bits in the lower half that could round
  // up.
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Join(D16 d16, VF first, VF second) {
    const hn::RebindToUnsigned<hn::DFromV<VF>> du;
    const auto low = hn::ShiftRight<16>(Round(hn::BitCast(du, first)));
    const auto high = Upper(du, Round(hn::BitCast(du, second)));
    return hn::BitCast(d16, hn::Or(low, high));
  }
  /// Join, for lanes in order.
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> JoinInOrder(D16 d16, VF lower, VF upper) {
    const hn::RebindToUnsigned<hn::DFromV<VF>> du;
    const auto low = hn::BitCast(d16, Round(hn::BitCast(du, lower)));
    const auto high = hn::BitCast(d16, Round(hn::BitCast(du, upper)));
    if constexpr (HWY_IS_BIG_ENDIAN) return hn::ConcatEven(d16, high, low);
    return hn::ConcatOdd(d16, high, low);
  }
  /// 16-bit lanes as as many floats, and back, also any NaN.
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Widen(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteTo(du, v)));
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Narrow(D16 d16, VF v) {
    const hn::Rebind<uint32_t, D16> du;
    const auto bits = hn::BitCast(du, v);
    const auto quiet = hn::Or(bits, hn::Set(du, 0x00400000u));
    const auto is_nan = hn::RebindMask(du, hn::IsNaN(v));
    return hn::TruncateTo(
        d16, hn::ShiftRight<16>(hn::IfThenElse(is_nan, quiet, Round(bits))));
  }

 protected:
  template <class DU, class VU>
  static HWY_INLINE VU Upper(DU du, VU bits) {
    return hn::And(bits, hn::Set(du, 0xFFFF0000u));
  }

  // Rounds to the upper half; the lower half of the result is meaningless.
  template <class VU>
  static HWY_INLINE VU Round(VU bits) {
    const hn::DFromV<VU> du;
    const VU odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    return hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu)));
  }
};

/// bfloat16 for results that are normal numbers or zero, which AVX512-BF16
/// rounds in one instruction.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_ZEN4
struct NormalBFloat16 {
  static constexpr uint16_t kQuietNaN = BFloat16::kQuietNaN;

  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> First(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteLowerTo(du, v)));
  }
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Second(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteUpperTo(du, v)));
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Join(D16 d16, VF first, VF second) {
    const hn::Repartition<hwy::bfloat16_t, hn::DFromV<VF>> dbf;
    return hn::BitCast(d16, hn::OrderedDemote2To(dbf, first, second));
  }
};
#else
using NormalBFloat16 = BFloat16;
#endif

/// double rounded to odd, as float: a second rounding to 16 bits then gives
/// what one rounding would.
template <class DF, class V>
HWY_INLINE hn::VFromD<DF> ToOddFloat(DF df, V x) {
  const hn::Rebind<double, DF> dd;
  const hn::RebindToUnsigned<DF> du;
  const auto nearest = hn::DemoteTo(df, x);
  const auto back = hn::PromoteTo(dd, nearest);
  // Ones, as integers, where the float is too large, and where it is inexact.
  const hn::Rebind<int64_t, DF> di64;
  const hn::Rebind<int32_t, DF> di32;
  const auto ones = [&](auto mask) HWY_ATTR {
    return hn::BitCast(
        du, hn::DemoteTo(di32, hn::BitCast(di64, hn::VecFromMask(dd, mask))));
  };
  const auto too_large = ones(hn::Gt(hn::Abs(back), hn::Abs(x)));
  const auto inexact =
      ones(hn::Or(hn::Lt(back, x), hn::Gt(back, x)));  // not for NaN
  const auto truncated = hn::Add(hn::BitCast(du, nearest), too_large);
  return hn::BitCast(df, hn::Or(truncated, hn::And(inexact, hn::Set(du, 1u))));
}

/// The same, quicker, for results that are normal floats, zeros or infinities,
/// or that a float holds. A NaN may become another.
template <class DF, class V>
HWY_INLINE hn::VFromD<DF> ToOddNormalFloat(DF df, V x) {
  const hn::Rebind<double, DF> dd;
  const hn::RebindToUnsigned<decltype(dd)> du;
  // The bits that a float has not. The sum has the bit above these set if one
  // of these is.
  const auto rest = hn::Set(du, 0x1FFFFFFF);
  const auto bits = hn::BitCast(du, x);
  const auto sum = hn::Add(hn::And(bits, rest), rest);
  const auto odd = hn::AndNot(rest, hn::Or(bits, sum));
  return hn::DemoteTo(df, hn::BitCast(dd, odd));
}

/// Makes a functor over 16-bit storage lanes from a functor over float lanes.
template <class Format, class Fn>
struct In16Bits {
  using T = uint16_t;
  static constexpr bool kConverts = true;
  static constexpr size_t kUnroll = Fn::kUnroll < 2 ? 1 : Fn::kUnroll / 2;
  static constexpr T kPadding =
      Fn::kPadding != Fn::kPadding ? Format::kQuietNaN : T{0};
  static_assert(Fn::kPadding != Fn::kPadding || Fn::kPadding == 0);
  Fn fn;

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V... v) const {
    const hn::Repartition<float, D> df;
    const auto first = fn(df, Format::First(df, v)...);
    if constexpr (requires { Fn::kAlternates; }) {
      return Format::Join(d, first,
                          fn.Alternative(df, Format::Second(df, v)...));
    } else {
      return Format::Join(d, first, fn(df, Format::Second(df, v)...));
    }
  }
};

#if HWY_ARCH_X86 && (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3_ZEN4)
/// In16Bits for float16, half a vector at a time: the conversions work from and
/// to memory, whereas splitting and joining full vectors would move their
/// halves.
template <class Fn>
struct HalfVectors {
  using T = uint16_t;
  static constexpr bool kConverts = true;
  static constexpr int kPow2 = -1;
  static constexpr size_t kUnroll = Fn::kUnroll;
  static constexpr T kPadding = In16Bits<Float16, Fn>::kPadding;
  Fn fn;

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V... v) const {
    const hn::Rebind<float, D> df;
    return Demote(d, fn(df, Promote(df, v)...));
  }

 protected:
  template <class DF, class V>
  static HWY_INLINE hn::VFromD<DF> Promote(DF df, V v) {
    return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), v));
  }
  template <class D, class VF>
  static HWY_INLINE hn::VFromD<D> Demote(D d, VF v) {
    return hn::BitCast(d, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
  }
};
template <class Fn>
struct HalfVectorsAlternating : HalfVectors<Fn> {
  static constexpr size_t kAlternates = Fn::kAlternates;

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> Alternative(D d, V... v) const {
    const hn::Rebind<float, D> df;
    return this->Demote(d, this->fn.Alternative(df, this->Promote(df, v)...));
  }
};
template <class Fn>
constexpr bool kHasAlternative = requires {
  Fn::kAlternates;
};
template <class Fn>
using InFloat16 =
    hwy::If<kHasAlternative<Fn>, HalfVectorsAlternating<Fn>, HalfVectors<Fn>>;
#elif LANEWISE_F16_INSTRUCTIONS
template <class Fn>
using InFloat16 = In16Bits<Float16, Fn>;
#else
/// In16Bits for float16 without instructions that convert. A vector takes more
/// than a hundred instructions, so each iteration computes only one.
template <class Fn>
struct InFloat16 : In16Bits<Float16, Fn> {
  static constexpr size_t kUnroll = 1;
};
#endif

/// In16Bits for bfloat16, with a fast path. Fn::Refuses tells, from the bits of
/// the arguments, which results may not be normal or zero. A vector with such a
/// lane goes to Other and is rounded by BFloat16, which is more work.
template <class Fn, class Other>
struct InBFloat16 {
  using Normal = In16Bits<NormalBFloat16, Fn>;
  using T = typename Normal::T;
  static constexpr bool kConverts = true;
  static constexpr size_t kUnroll = Normal::kUnroll;
  static constexpr T kPadding = Normal::kPadding;
  Normal normal;
  In16Bits<BFloat16, Other> other;

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V... v) const {
    const hn::RebindToSigned<D> di;
    const auto refused = Fn::Refuses(di, hn::BitCast(di, v)...);
    if (HWY_UNLIKELY(!hn::AllFalse(di, refused))) return other(d, v...);
    return normal(d, v...);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_FLOAT16_INL_H_
