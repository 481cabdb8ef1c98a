// SPDX-License-Identifier: Apache-2.0
//
// Gelu: y = x / 2 * (1 + erf(x / sqrt 2)), or with approximate "tanh"
// y = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
//
// Version 20 (float16, float32, float64, bfloat16). Below 1 ULP in float32 and
// float64, subnormal results included; correctly rounded in float16 and
// bfloat16. NaN -> NaN, +inf -> +inf, -inf -> -0; a zero keeps its sign. How:
// gelu-inl.h.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/error_function/gelu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/error_function/erf-inl.h"
#include "kernels/error_function/gelu-inl.h"
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/pieces-inl.h"
#include "kernels/quick16-inl.h"

#ifndef LANEWISE_KERNELS_GELU_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_GELU_PARAMS_
namespace lanewise {
struct GeluParams {
  bool tanh;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_GELU_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_gelu {
namespace {

template <typename TLane, class Form>
struct GeluOf {
  using T = TLane;
  static constexpr size_t kUnroll = 1;  // long
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Gelu<Form>(d, x);
  }
};
template <class Form>
struct GeluOf16Bits : GeluOf<float, Form> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return GeluFor16Bits<Form>(d, x);
  }
};

/// max(x, 0) - e^(-a^2 / 2) M(a), where a = |x| and M(a) = a N of gelu-inl.h.
/// M is computed by pieces, which begin where 1.03125 (a + 1) is 1.03125, 1.5,
/// 2, 3, 4, 6, 8, and 12. They were fitted as the coefficients there, within
/// 2^-23.3 of M.
struct FastGeluByPieces {
  static constexpr float kMost = 14.5f;  // Gelu is 0 or x from there on
  static constexpr int kRaise = 64;
  static constexpr Pieces<8> kPieces{
      {{0x1.6c9b26p0f, 0x1.326c9cp1f, 0x1.ec9b26p1f, 0x1.726c9cp2f,
        0x1.164d94p3f, 0x1.926c9cp3f, 0x0p0f, 0x1.64d936p-1f},
       {0x1.366456p-2f, 0x1.66b4c4p-2f, 0x1.8134dp-2f, 0x1.8d4744p-2f,
        0x1.93513p-2f, 0x1.95fb38p-2f, 0x0p0f, 0x1.ba0d68p-3f},
       {0x1.38b9c4p-4f, 0x1.e98662p-6f, 0x1.4c3f4ap-7f, 0x1.cbd73cp-9f,
        0x1.26fab2p-10f, 0x1.956bf2p-12f, 0x1.fffffep-2f, 0x1.74e6p-3f},
       {-0x1.539c1ap-5f, -0x1.a60df2p-7f, -0x1.aa879p-9f, -0x1.af3154p-11f,
        -0x1.83bd92p-13f, -0x1.7a2c2cp-15f, -0x1.98831ap-2f, -0x1.ea1066p-4f},
       {0x1.2ec9cp-6f, 0x1.315e86p-8f, 0x1.d45e22p-11f, 0x1.5fa12cp-13f,
        0x1.be950ap-16f, 0x1.36a8bap-18f, 0x1.ffc17cp-3f, 0x1.0306f2p-4f},
       {-0x1.d9705cp-8f, -0x1.8a03a4p-10f, -0x1.d2f0dep-13f, -0x1.04ad3ep-15f,
        -0x1.dce2f6p-19f, -0x1.a8b78p-22f, -0x1.0e067p-3f, -0x1.d8d18ep-6f},
       {0x1.5e0568p-9f, 0x1.e0c428p-12f, 0x1.d54b6ep-15f, 0x1.803028p-18f,
        0x1.0c18fcp-21f, 0x1.6b2b3ep-25f, 0x1.d71fdap-5f, 0x1.8752a4p-7f},
       {-0x1.d0f788p-11f, -0x1.0b55d8p-13f, -0x1.a1e94p-17f, -0x1.3def68p-20f,
        -0x1.0ecd6p-24f, -0x1.a4992ap-27f, -0x1.043b46p-6f, -0x1.25bbc8p-8f}}};

  template <class D, class V>
  static HWY_INLINE V M(D d, V a) {
    const V scale = hn::Set(d, 1.03125f);
    return ByPiece<22>(d, a, hn::MulAdd(a, scale, scale), kPieces);
  }
};

/// The same without pieces: N is w Q(t) with w = 1 / (a + 5.5), t = 1 - 11 w
/// and 1 / w = a + 5.5 (1 + rest) - so that dN = rest / w * (1 / sqrt(2 pi) - a
/// N). Q was fitted as the coefficients in gelu-inl.h, within 2^-55.8.
struct FastGeluOfDoubles {
  static constexpr double kMost = 39;  // Gelu is 0 or x from there on
  static constexpr int kRaise = 200;
  static constexpr double kQ[] = {
      0x1.8c2b8893b5c8dp-1,  -0x1.5ed05c7e41a2ep-1,  0x1.1239b3f8c06dap-1,
      -0x1.77dbb5cdda96cp-2, 0x1.be33e6ee995f1p-3,   -0x1.c15806fa4912bp-4,
      0x1.71707b5751f26p-5,  -0x1.c83edf4336ca4p-7,  0x1.4034e561d102cp-9,
      0x1.1ab345dddb888p-12, -0x1.544962c15b26ep-12, 0x1.2b891cc3df75dp-14,
      0x1.11cdc72fb62e9p-16, -0x1.96a48d5cf31c5p-17, 0x1.df447e5a4aa4ep-22,
      0x1.8e5276355b65ap-20, -0x1.1f8597ccd520ap-22, -0x1.7d62094f770c1p-23,
      0x1.afa7ab5eb4b70p-25, 0x1.8a1a2d6bfd406p-26,  -0x1.84765d2e61809p-28,
      -0x1.6298359b4c7b8p-29};

  template <class D, class V>
  static HWY_INLINE V M(D d, V a) {
    const V one = hn::Set(d, 1);
    const V k = hn::Set(d, 5.5);
    const V larger = hn::Max(a, k);
    const V sum = hn::Add(a, k);
    const V sum_lo = hn::Sub(hn::Min(a, k), hn::Sub(sum, larger));
    const V w = hn::Div(one, sum);
    const V rest = hn::NegMulAdd(w, sum_lo, hn::NegMulAdd(w, sum, one));
    const V t = hn::NegMulAdd(w, hn::Set(d, 11), one);
    const V q = Polynomial(d, t, kQ);
    const V slope =
        hn::NegMulAdd(a, hn::Mul(w, q), hn::Set(d, 0x1.9884533d43651p-2));
    return hn::Mul(a, hn::MulAdd(w, q, hn::Mul(hn::Mul(rest, sum), slope)));
  }
};

template <class Of, typename TFloat>
struct FastGeluNone : FastLanes<TFloat> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr TFloat kScale =
        sizeof(TFloat) == 4 ? TFloat{0x1p-64} : TFloat{0x1p-200};
    const V a = hn::Min(hn::Abs(x), hn::Set(d, Of::kMost));
    const V m = Of::M(d, a);
    const V half = hn::Mul(a, hn::Set(d, TFloat{-0.5}));
    const V z = hn::Mul(half, a);
    V power;
    const V q = ExpInParts<Of::kRaise>(d, power, z, hn::MulSub(half, a, z));
    const V raised = hn::Mul(hn::MulAdd(m, q, m), power);
    // x86 takes the second operand if any is NaN.
    const V y =
        hn::NegMulAdd(raised, hn::Set(d, kScale), hn::Max(hn::Zero(d), x));
    return hn::CopySign(y, x);
  }
};

/// x sigmoid(v) with v = 2 sqrt(2 / pi) (x + 0.044715 x^3), in two words.
template <typename TFloat>
struct FastGeluTanh : FastLanes<TFloat> {
  // The sigmoid is 1 or 0 from there on.
  static constexpr TFloat kMost = sizeof(TFloat) == 4 ? 11 : 21.75;
  // The factors of x and x^3.
  static constexpr double kOne = 0x1.9884533d43651p+0;
  static constexpr double kOneLow = -0x1.cbc0d30ebfd15p-54;
  static constexpr double kThree = 0x1.2444f2a4d8b4bp-4;
  static constexpr double kThreeLow = -0x1.6c843a29d1c70p-61;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr auto kOneHi = static_cast<TFloat>(kOne);
    constexpr auto kOneLo = static_cast<TFloat>(kOne - kOneHi + kOneLow);
    constexpr auto kThreeHi = static_cast<TFloat>(kThree);
    constexpr auto kThreeLo =
        static_cast<TFloat>(kThree - kThreeHi + kThreeLow);
    const V near = hn::Min(hn::Max(x, hn::Set(d, -kMost)), hn::Set(d, kMost));
    const V t = hn::Mul(near, near);
    const V three = hn::Set(d, kThreeHi);
    const V cubic = hn::Mul(t, three);
    const V sum = hn::Add(cubic, hn::Set(d, kOneHi));
    V low = SumError(cubic, hn::Set(d, kOneHi), sum);
    low = hn::Add(low, hn::Set(d, kOneLo));
    low = hn::Add(low, LostInProduct(d, t, three, cubic));
    low = hn::MulAdd(t, hn::Set(d, kThreeLo), low);
    low = hn::MulAdd(LostInProduct(d, near, near, t), three, low);
    const V v = hn::Mul(near, sum);
    return TimesSigmoid(d, x, near, v,
                        hn::MulAdd(near, low, LostInProduct(d, near, sum, v)));
  }
};

/// Half of a subnormal x may be a tie, and the result is above it.
template <class Form>
struct CarefulGelu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V half = ToOdd(d, hn::Mul(x, hn::Set(d, 0.5)), hn::Abs(x));
    const auto is_tiny = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-120));
    return hn::IfThenElse(is_tiny, half, Gelu<Form>(d, x));
  }
};

template <class Form>
struct GeluOfHeldFloats {
  static constexpr double kError = 0x1p-40;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return exact32::IsZeroOrNotTiny(d, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return gelu_detail::Finish(d, x, Form::template OfFloats<true>(d, x));
  }
};
template <class Form>
using ExactGelu =
    ExactFloats<kHardGelu, CarefulGelu<Form>, GeluOfHeldFloats<Form>>;

template <class None, class Tanh>
HWY_INLINE lw_status ByForm(const Job& job) {
  const FpEnv env(FpEnv::Default());
  const auto* params = static_cast<const GeluParams*>(job.setup->params);
  return RunJob(params->tanh ? Unary<Tanh> : Unary<None>, job);
}
template <class None, class Tanh>
constexpr auto& kPatterns = kOnlySame<Kernel<ByForm<None, Tanh>>>;
template <typename T>
constexpr auto& kWide = kPatterns<GeluOf<T, GeluNone>, GeluOf<T, GeluTanh>>;
template <class Form>
using F16 = QuickFloat16<QuickGelu<Form>, GeluOf16Bits<Form>>;
template <class Form>
using BF16 = QuickBFloat16<QuickGelu<Form>, GeluOf16Bits<Form>>;
constexpr auto& kF16 = kPatterns<F16<GeluNone>, F16<GeluTanh>>;
constexpr auto& kBF16 = kPatterns<BF16<GeluNone>, BF16<GeluTanh>>;

constexpr KernelEntry kKernels[] = {
    {20, LW_FLOAT16, kF16},
    {20, LW_FLOAT32, kWide<float>},
    {20, LW_FLOAT32,
     kPatterns<PiecesOr<FastGeluNone<FastGeluByPieces, float>,
                        GeluOf<float, GeluNone>>,
               FastOr<FastGeluTanh<float>, GeluOf<float, GeluTanh>>>,
     Way::kFast},
    {20, LW_FLOAT64, kWide<double>},
    {20, LW_FLOAT64,
     kPatterns<FastOr<FastGeluNone<FastGeluOfDoubles, double>,
                      GeluOf<double, GeluNone>>,
               FastOr<FastGeluTanh<double>, GeluOf<double, GeluTanh>>>,
     Way::kFast},
    {20, LW_BFLOAT16, kBF16},
    {20, LW_FLOAT16, kF16, Way::kExact},
    {20, LW_FLOAT32, kPatterns<ExactGelu<GeluNone>, ExactGelu<GeluTanh>>,
     Way::kExact},
    {20, LW_BFLOAT16, kBF16, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_gelu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_gelu {
namespace {

constexpr int kVersions[] = {20};
constexpr const char* kApproximations[] = {"none", "tanh"};
constexpr AttributeInfo kAttributes[] = {{"approximate",
                                          LW_ATTRIBUTE_STRING,
                                          Meaning::kParameter,
                                          false,
                                          {},
                                          kApproximations}};
constexpr Form kForms[] = {{20, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Gelu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_gelu),
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          params->As<GeluParams>() = {attributes.Choice("approximate") == 1};
        },
};

}  // namespace lanewise::op_gelu
#endif  // HWY_ONCE
