// SPDX-License-Identifier: Apache-2.0
//
// Floats of 8 and 4 bits as float32 and back, and integers of 4 and 2 bits as
// bytes and back, for Cast. All values of the narrow floats are float32s; what
// has more bits than a float32 is rounded to odd first (ToOddFloat), so that
// every result is rounded once.
//
// A float of 4 bits is a byte here, whose upper half is 0. Pack and Unpack move
// such bytes, and integers, between bytes and the halves and quarters of bytes
// that packed tensors have: the first element lies in the lowest bits.

#if defined(LANEWISE_KERNELS_CONVERSION_NARROW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_CONVERSION_NARROW_INL_H_
#undef LANEWISE_KERNELS_CONVERSION_NARROW_INL_H_
#else
#define LANEWISE_KERNELS_CONVERSION_NARROW_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/conversion/convert-inl.h"
#include "kernels/conversion/narrow_params.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int32_t kFloatInfinity = 0x7F800000;
constexpr int32_t kFloatQuietNaN = 0x7FC00000;

// ------------------------------ Formats

/// What the largest magnitudes and the lone sign bit of a format mean.
enum class Specials { kNone, kNaN, kInfinity, kUnsigned };

/// A format with a sign: the bits of a number without its sign are its rank
/// among the magnitudes, as in all IEEE formats.
template <int kMantissaBits, int kExponentBias, int kLargest, Specials kSpecial>
struct NarrowFormat {
  static constexpr int kMantissa = kMantissaBits;
  static constexpr int kBias = kExponentBias;
  static constexpr int32_t kMax = kLargest;  ///< the largest finite number
  static constexpr Specials kSpecials = kSpecial;
  static constexpr int kSignBit = kSpecial == Specials::kNone ? 3 : 7;
  static constexpr int32_t kMagnitude = (1 << kSignBit) - 1;
  static constexpr int32_t kNaN = kSpecial == Specials::kNaN        ? 0x7F
                                  : kSpecial == Specials::kInfinity ? 0x7E
                                  : kSpecial == Specials::kUnsigned ? 0x80
                                                                    : kMax;
  /// What overflows becomes, unless it saturates.
  static constexpr int32_t kOverflow =
      kSpecial == Specials::kInfinity ? 0x7C : kNaN;
};
using E4M3FN = NarrowFormat<3, 7, 0x7E, Specials::kNaN>;
using E4M3FNUZ = NarrowFormat<3, 8, 0x7F, Specials::kUnsigned>;
using E5M2 = NarrowFormat<2, 15, 0x7B, Specials::kInfinity>;
using E5M2FNUZ = NarrowFormat<2, 16, 0x7F, Specials::kUnsigned>;
using E2M1 = NarrowFormat<1, 1, 7, Specials::kNone>;

// ------------------------------ To float32

/// NaNs become quiet NaNs without a payload, with the sign that they have.
template <class Format>
struct NarrowToFloat : Conversion<uint8_t, float> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::RebindToSigned<D> di;
    constexpr int kMantissa = Format::kMantissa;
    const auto bits = hn::PromoteTo(di, x);
    const auto magnitude = hn::And(bits, hn::Set(di, Format::kMagnitude));
    const auto sign =
        hn::ShiftLeft<31 - Format::kSignBit>(hn::Xor(bits, magnitude));
    const auto normal = hn::Add(hn::ShiftLeft<23 - kMantissa>(magnitude),
                                hn::Set(di, (127 - Format::kBias) << 23));
    // A subnormal number is a small multiple of the format's least number.
    const auto least = hn::Set(
        d, hwy::BitCastScalar<float>((128 - Format::kBias - kMantissa) << 23));
    const auto subnormal =
        hn::BitCast(di, hn::Mul(hn::ConvertTo(d, magnitude), least));
    auto wide = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 1 << kMantissa)),
                               subnormal, normal);
    if constexpr (Format::kSpecials == Specials::kUnsigned) {
      const auto is_nan = hn::Eq(bits, hn::Set(di, Format::kNaN));
      wide = hn::IfThenElse(is_nan, hn::Set(di, kFloatQuietNaN),
                            hn::Or(wide, sign));
      return hn::BitCast(d, wide);
    }
    if constexpr (Format::kSpecials == Specials::kInfinity) {
      wide = hn::IfThenElse(hn::Eq(magnitude, hn::Set(di, Format::kOverflow)),
                            hn::Set(di, kFloatInfinity), wide);
    }
    if constexpr (Format::kSpecials != Specials::kNone) {
      wide = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, LastNumber())),
                            hn::Set(di, kFloatQuietNaN), wide);
    }
    return hn::BitCast(d, hn::Or(wide, sign));
  }

 private:
  /// The largest magnitude that is no NaN.
  static constexpr int32_t LastNumber() {
    return Format::kSpecials == Specials::kInfinity ? Format::kOverflow
                                                    : Format::kMax;
  }
};

/// float8e8m0: the exponent of a float32, and 2^-127, which is subnormal there.
struct ScaleToFloat : Conversion<uint8_t, float> {
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::PromoteTo(di, x);
    const auto has_bit =
        hn::Or(hn::Eq(bits, hn::Zero(di)), hn::Eq(bits, hn::Set(di, 0xFF)));
    const auto upper = hn::IfThenElseZero(has_bit, hn::Set(di, 0x400000));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<23>(bits), upper));
  }
};

// ------------------------------ From float32

/// Rounds to nearest even in the default floating-point environment. What is
/// beyond the largest number saturates, or becomes what ONNX's table says.
template <class Format>
struct FloatToNarrow : Conversion<float, uint8_t> {
  int32_t overflow;

  explicit FloatToNarrow(const NarrowParams& params)
      : overflow(params.saturates ? Format::kMax : Format::kOverflow) {}

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::Rebind<int32_t, D> di;
    const auto bits = hn::BitCast(di, x);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto is_nan = hn::Gt(magnitude, hn::Set(di, kFloatInfinity));
    const auto is_subnormal =
        hn::Lt(magnitude, hn::Set(di, (128 - Format::kBias) << 23));
    auto narrow = hn::IfThenElse(is_subnormal, Subnormal(di, magnitude),
                                 Normal(di, magnitude));
    narrow = hn::IfThenElse(hn::Gt(narrow, hn::Set(di, Format::kMax)),
                            hn::Set(di, overflow), narrow);
    narrow = hn::IfThenElse(is_nan, hn::Set(di, Format::kNaN), narrow);
    auto sign = hn::And(hn::ShiftRight<31 - Format::kSignBit>(bits),
                        hn::Set(di, 1 << Format::kSignBit));
    if constexpr (Format::kSpecials == Specials::kNone) {
      sign = hn::IfThenZeroElse(is_nan, sign);
    } else if constexpr (Format::kSpecials == Specials::kUnsigned) {
      const auto digits = hn::And(narrow, hn::Set(di, Format::kMagnitude));
      sign = hn::IfThenZeroElse(hn::Eq(digits, hn::Zero(di)), sign);
    }
    const hn::Rebind<uint32_t, D> du;
    return hn::TruncateTo(d, hn::BitCast(du, hn::Or(narrow, sign)));
  }

 private:
  /// The sum's last bit is a step of the format's subnormal numbers.
  template <class DI, class VI>
  static HWY_INLINE VI Subnormal(DI di, VI magnitude) {
    const hn::RebindToFloat<DI> df;
    const auto shift =
        hn::Set(di, (151 - Format::kBias - Format::kMantissa) << 23);
    const auto sum =
        hn::Add(hn::BitCast(df, magnitude), hn::BitCast(df, shift));
    return hn::Sub(hn::BitCast(di, sum), shift);
  }
  template <class DI, class VI>
  static HWY_INLINE VI Normal(DI di, VI magnitude) {
    constexpr int kDropped = 23 - Format::kMantissa;
    constexpr int32_t kBelowHalf = (1 << (kDropped - 1)) - 1;
    const auto odd =
        hn::And(hn::ShiftRight<kDropped>(magnitude), hn::Set(di, 1));
    const auto offset = hn::Set(di, kBelowHalf - ((127 - Format::kBias) << 23));
    return hn::ShiftRight<kDropped>(hn::Add(hn::Add(magnitude, offset), odd));
  }
};

/// float8e8m0: powers of 2, from 2^-127 to 2^127. Numbers below 0 are NaN; -0
/// counts as 0.
struct FloatToScale : Conversion<float, uint8_t> {
  int32_t carry;  ///< what makes mantissas round up
  bool saturates;

  explicit FloatToScale(const NarrowParams& params)
      : carry(params.round_mode == RoundMode::kUp     ? 0x7FFFFF
              : params.round_mode == RoundMode::kDown ? 0
                                                      : 0x400000),
        saturates(params.saturates) {}

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::Rebind<int32_t, D> di;
    constexpr int32_t kLeast = 0x400000, kLargest = 0x7F000000;
    const auto bits = hn::BitCast(di, x);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    // From 2^-127 on, as if all numbers were normal; below 0 if smaller.
    const auto lowest = hn::Set(di, 0x800000);
    const auto scaled = hn::IfThenElse(
        hn::Lt(magnitude, lowest),
        hn::Sub(hn::Add(magnitude, magnitude), lowest), magnitude);
    auto exponent = hn::ShiftRight<23>(hn::Add(scaled, hn::Set(di, carry)));
    exponent = hn::Min(hn::Max(exponent, hn::Zero(di)), hn::Set(di, 0xFE));
    // -0 is the lowest integer.
    auto is_nan = hn::Or(
        hn::Gt(magnitude, hn::Set(di, kFloatInfinity)),
        hn::And(hn::Lt(bits, hn::Zero(di)), hn::Gt(magnitude, hn::Zero(di))));
    if (!saturates) {
      is_nan = hn::Or(is_nan, hn::Or(hn::Lt(magnitude, hn::Set(di, kLeast)),
                                     hn::Gt(magnitude, hn::Set(di, kLargest))));
    }
    exponent = hn::IfThenElse(is_nan, hn::Set(di, 0xFF), exponent);
    return hn::TruncateTo(d, hn::BitCast(hn::Rebind<uint32_t, D>(), exponent));
  }
};

/// What is rounded to odd: what follows rounds as if there were no float32. By
/// bits, NaN keeps its sign, which some CPUs drop.
struct DoubleToOddFloat : Conversion<double, float> {
  static constexpr bool kRounds = true;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x) const {
    const hn::Rebind<uint64_t, D> du64;
    const hn::RebindToUnsigned<D> du;
    const auto upper =
        hn::TruncateTo(du, hn::ShiftRight<32>(hn::BitCast(du64, x)));
    return hn::CopySign(ToOddFloat(d, x), hn::BitCast(d, upper));
  }
};

template <class Fn>
HWY_INLINE void ByParamsRows(const Job& job) {
  const Fn fn(*static_cast<const NarrowParams*>(job.setup->params));
  ForEachRow<1>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    const auto* from = reinterpret_cast<const float*>(in[0]);
    ComputeRow(reinterpret_cast<uint8_t*>(out), n, false, fn,
               Moving<float>{from, 0});
  });
}
/// The kernel of a functor that is made from the attributes.
template <class Fn>
HWY_INLINE lw_status ByParams(const Job& job) {
  const FpEnv env(FpEnv::Default());
  return RunJob(Kernel<ByParamsRows<Fn>>, job);
}

// ------------------------------ Packed elements

template <int kAt>
using At = std::integral_constant<int, kAt>;

/// Bytes from the fields of packed bytes; the sign is extended.
template <int kBits, bool kSigned>
HWY_INLINE void UnpackRows(const Job& job) {
  constexpr size_t kFields = 8 / kBits;
  const hn::ScalableTag<uint8_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t N = hn::Lanes(d);
  const auto field = [&](auto v, auto at) HWY_ATTR {
    // The field's bits become the upper ones, then the lower ones.
    const auto upper = hn::ShiftLeft<8 - kBits*(at + 1)>(v);
    if constexpr (kSigned) {
      return hn::BitCast(d, hn::ShiftRight<8 - kBits>(hn::BitCast(di, upper)));
    } else {
      return hn::ShiftRight<8 - kBits>(upper);
    }
  };
  ForEachRow<1>(job, [&](char* to, size_t n, const char* const* in) HWY_ATTR {
    const auto* from = reinterpret_cast<const uint8_t*>(in[0]);
    auto* out = reinterpret_cast<uint8_t*>(to);
    size_t i = 0;
    for (; i + kFields * N <= n; i += kFields * N) {
      const auto v = hn::LoadU(d, from + i / kFields);
      if constexpr (kFields == 2) {
        hn::StoreInterleaved2(field(v, At<0>()), field(v, At<1>()), d, out + i);
      } else {
        hn::StoreInterleaved4(field(v, At<0>()), field(v, At<1>()),
                              field(v, At<2>()), field(v, At<3>()), d, out + i);
      }
    }
    for (; i < n; ++i) {
      const auto at = static_cast<int>(i % kFields) * kBits;
      const int upper = from[i / kFields] << (8 - kBits - at) & 0xFF;
      const int sign = kSigned ? upper & 0x80 : 0;
      out[i] = static_cast<uint8_t>((upper - 2 * sign) >> (8 - kBits));
    }
  });
}

/// Packed bytes from the low bits of bytes, or from the nearest number of the
/// narrow type. Bits of the last byte that no element has are 0.
template <int kBits, typename T, bool kSaturates>
HWY_INLINE void PackRows(const Job& job) {
  constexpr size_t kFields = 8 / kBits;
  constexpr int kSigned = hwy::IsSigned<T>() ? 1 : 0;
  constexpr T kMost = (1 << (kBits - kSigned)) - 1;
  constexpr T kLeast = kSigned != 0 ? -kMost - 1 : 0;
  constexpr uint8_t kMask = (1 << kBits) - 1;
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const size_t N = hn::Lanes(d);
  const auto field = [&](auto v, auto at) HWY_ATTR {
    if constexpr (kSaturates) {
      v = hn::Min(hn::Max(v, hn::Set(d, kLeast)), hn::Set(d, kMost));
    }
    const auto low = hn::And(hn::BitCast(du, v), hn::Set(du, kMask));
    return hn::ShiftLeft<kBits * at>(low);
  };
  ForEachRow<1>(job, [&](char* to, size_t n, const char* const* in) HWY_ATTR {
    const auto* from = reinterpret_cast<const T*>(in[0]);
    auto* out = reinterpret_cast<uint8_t*>(to);
    size_t i = 0;
    for (; i + kFields * N <= n; i += kFields * N) {
      auto a = hn::Zero(d), b = a, c = a, e = a;
      if constexpr (kFields == 2) {
        hn::LoadInterleaved2(d, from + i, a, b);
        const auto packed = hn::Or(field(a, At<0>()), field(b, At<1>()));
        hn::StoreU(packed, du, out + i / kFields);
      } else {
        hn::LoadInterleaved4(d, from + i, a, b, c, e);
        const auto low = hn::Or(field(a, At<0>()), field(b, At<1>()));
        const auto high = hn::Or(field(c, At<2>()), field(e, At<3>()));
        hn::StoreU(hn::Or(low, high), du, out + i / kFields);
      }
    }
    for (; i < n; ++i) {
      T x = from[i];
      if (kSaturates) x = HWY_MIN(HWY_MAX(x, kLeast), kMost);
      const auto at = static_cast<int>(i % kFields) * kBits;
      const int before = at == 0 ? 0 : out[i / kFields];
      out[i / kFields] = static_cast<uint8_t>(before | (x & kMask) << at);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_CONVERSION_NARROW_INL_H_
