// SPDX-License-Identifier: Apache-2.0
//
// The error function for float and double lanes, and for float lanes that the
// caller then rounds to float16 or bfloat16.
//
// Method: with a = |x|, erf(a) = a + a P(a^2) below kFrom, and 1 - R(a - 1)^2
// from there on, where R(u) = kR0 + u kR(u) is the square root of 1 - erf. A
// square needs no e^x, and an error of R counts little: the derivative of R^2
// is below 1. From kTo on, R^2 is less than half the last place of 1.
//
// Coefficients: minimax polynomials by Lawson's method in 70 digits, P with
// respect to erf(a) / a, R with respect to the error of R^2. Each coefficient
// was rounded, from the lowest one on, before the next ones were fitted again.
// With them, P is within 2^-29 and 2^-56 of the right value, R^2 within 2^-27
// and 2^-56.
//
// Proof: ErfErrors.ExhaustiveFloat32 computes all floats,
// ErfErrors.ExhaustiveFloat64Strata many doubles, and the operator suite all
// values of the 16-bit types.
//
// NaN stays, infinities give +-1, and a zero keeps its sign. Vectors without
// FMA round more often than those with FMA: the bits differ.

#if defined(LANEWISE_KERNELS_ERROR_FUNCTION_ERF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ERROR_FUNCTION_ERF_INL_H_
#undef LANEWISE_KERNELS_ERROR_FUNCTION_ERF_INL_H_
#else
#define LANEWISE_KERNELS_ERROR_FUNCTION_ERF_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/polynomial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct ErfConstants;
template <>
struct ErfConstants<float> {
  static constexpr float kFrom = 0.859375f, kTo = 3.9375f;
  static constexpr float kP[] = {
      0x1.06eba8p-3f, -0x1.812744p-2f,  0x1.ce2e7cp-4f, -0x1.b81a5cp-6f,
      0x1.554a4cp-8f, -0x1.af4974p-11f, 0x1.6f43e2p-14f};
  static constexpr float kR0 = 0x1.9620d6p-2f;
  static constexpr float kR[] = {
      -0x1.0bf098p-1f, 0x1.6cad22p-3f,   0x1.efb0b6p-5f,   -0x1.83f65ap-5f,
      -0x1.2e0072p-9f, 0x1.dbf362p-8f,   -0x1.9b1784p-14f, -0x1.81139p-10f,
      0x1.365596p-11f, -0x1.a64106p-14f, 0x1.c0e12ap-18f};
};
template <>
struct ErfConstants<double> {
  static constexpr double kFrom = 0.828125, kTo = 5.9375;
  static constexpr double kP[] = {
      0x1.06eba8214db69p-3,   -0x1.812746b037a26p-2,  0x1.ce2f21a045b7ap-4,
      -0x1.b82ce3136efbep-6,  0x1.565bcd32a2d0dp-8,   -0x1.c02dbab11bd33p-11,
      0x1.f9a3ec7c2048bp-14,  -0x1.f4e0eb71836b1p-17, 0x1.ba94b6cda5decp-20,
      -0x1.644c87f5d3b43p-23, 0x1.0f7d1523c51cp-26,   -0x1.5d5723bebe7d4p-30};
  static constexpr double kR0 = 0x1.9620d66f585ccp-2;
  static constexpr double kR[] = {
      -0x1.0bf098a417dcdp-1,  0x1.6cacc074f2a61p-3,   0x1.efb7b0bbe2275p-5,
      -0x1.83de126fcf663p-5,  -0x1.3d6a61336a8abp-9,  0x1.f4182c4616a9dp-8,
      -0x1.7c4d75dc1f15dp-11, -0x1.ac8f1a8c14e2ep-11, 0x1.6547783a0c58ep-13,
      0x1.f7f712c5e101fp-15,  -0x1.55b89eda8e25ep-16, -0x1.8adf0aa3433cp-19,
      0x1.b07c3e0cc1349p-20,  0x1.9c9f6343f0547p-23,  -0x1.b1e773926df7ep-23,
      0x1.fa4a83f97ea7dp-25,  -0x1.952df1415368ap-26, 0x1.9c0826cd62e91p-27,
      -0x1.25b1fb41c3548p-28, 0x1.0b09cec9822ecp-30,  -0x1.29369e09536f3p-33,
      0x1.2e5bce1ced9fcp-37,  0x1.54136cc986c51p-41,  -0x1.b5a4ef3dd4a91p-43,
      0x1.67230f53db1f4p-46,  -0x1.29cd0418600c7p-50, 0x1.a2cd051c2009dp-56};
};

/// erf(a) for a >= 0, or NaN.
template <class D, class V>
HWY_INLINE V ErfOfMagnitude(D d, V a) {
  using C = ErfConstants<hn::TFromD<D>>;
  const V small = hn::MulAdd(a, Polynomial(d, hn::Mul(a, a), C::kP), a);
  const V one = hn::Set(d, 1);
  const V u = hn::Sub(hn::Min(a, hn::Set(d, C::kTo)), one);
  const V r0 = hn::Set(d, C::kR0);
#if HWY_NATIVE_FMA
  const V r = hn::MulAdd(Polynomial(d, u, C::kR), u, r0);
  const V large = hn::NegMulAdd(r, r, one);
#else
  // Products are rounded here, so the sum may not lose half a last place, too.
  const V rest = hn::Mul(Polynomial(d, u, C::kR), u);
  const V r = hn::Add(r0, rest);
  const V lost = hn::Sub(rest, hn::Sub(r, r0));
  const V square = hn::Add(hn::Mul(r, r), hn::Mul(hn::Add(r, r), lost));
  const V large = hn::Sub(one, square);
#endif
  // Not for NaN, whatever Min returned.
  const auto is_large = hn::Ge(a, hn::Set(d, C::kFrom));
  return hn::IfThenElse(is_large, large, small);
}

// float lanes -> float, any input. Error over all 2^32 inputs: with FMA 0.82
// ULP, without FMA 0.96. double lanes -> double: see the test. Rounded to
// bfloat16, the results of all 65,536 inputs are the correctly rounded ones.
template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  return hn::CopySign(ErfOfMagnitude(d, hn::Abs(x)), x);
}
// The same function out of line, where its length matters more than the call.
template <class D, class V>
static HWY_NOINLINE V ErfOutOfLine(D d, V x) {
  return Erf(d, x);
}

// float lanes holding float16 values -> float lanes which, rounded to nearest
// even float16, are the correctly rounded result: all 65,536 inputs.
template <class D, class V>
HWY_INLINE V ErfForF16(D d, V x) {
  const V a = hn::Abs(x);
  // 0.48 ULP of a float below a tie, which is the nearest float.
  const auto hard = hn::Eq(a, hn::Set(d, 0x1.848p-10f));
  const V y = hn::Sub(ErfOfMagnitude(d, a),
                      hn::IfThenElseZero(hard, hn::Set(d, 0x1p-33f)));
  return hn::CopySign(y, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ERROR_FUNCTION_ERF_INL_H_
