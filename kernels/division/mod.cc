// SPDX-License-Identifier: Apache-2.0
//
// Mod: y = a - floor(a / b) * b, or, with the attribute fmod,
//      y = a - trunc(a / b) * b
//
// Versions 10 (float16, float32, float64, all eight integers), 13 (+ bfloat16),
// 28.
// Integers: exact. A zero divisor gives 0 and is reported to the runtime;
// MIN % -1 is 0.
// Floats: C's fmod, exact for all exponents. Without the attribute, b is added
// to a remainder whose sign is not that of b, and the sum is rounded; a zero
// has the sign of b.

#include <cstddef>
#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/division/mod.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division/intdiv_rows-inl.h"
#include "kernels/division/remainder.h"
#include "kernels/float16-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

#ifndef LANEWISE_KERNELS_MOD_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_MOD_PARAMS_
namespace lanewise {
struct ModParams {
  bool floors;  // rather than truncates
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_MOD_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_mod {
namespace {

bool Floors(const Job& job) {
  return static_cast<const ModParams*>(job.setup->params)->floors;
}

// ------------------------------ Integers

/// The remainder from the truncated quotient, which is 0 for a divisor of 0.
struct ToRemainder {
  // The division takes longer than the way to memory.
  static constexpr bool kStreams = false;
  bool floors;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V q) const {
    V rest = hn::Sub(a, hn::Mul(q, b));
    if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
      if (floors) {
        const auto other_sign = hn::And(hn::Ne(rest, hn::Zero(d)),
                                        hn::IsNegative(hn::Xor(rest, b)));
        rest = hn::Add(rest, hn::IfThenElseZero(other_sign, b));
      }
    }
    return intdiv_detail::ZeroIfNoDivisor(d, b, rest);
  }
};

template <typename T, int kPattern>
HWY_INLINE void ModRows(const Job& job) {
  const ToRemainder finish{Floors(job)};
  for (size_t row = 0; row < job.setup->rows; ++row) {
    T* out = OutRow<T>(job, row);
    const auto a = InputOf<T, kPattern, 0>(job, row, T{0});
    const auto b = InputOf<T, kPattern, 1>(job, row, T{1});
    if constexpr (kPattern == LW_SCALAR_B) {
      if (HWY_UNLIKELY(b.value == 0)) NoteZeros(job.n, row, 0, *job.zeros);
      ComputeRow(out, job.n, false, IntDiv<T, Way::kUsual, ToRemainder>{finish},
                 a, b);
    } else {
      DivideRow<Way::kUsual>(out, row, a, b, job, finish);
    }
  }
}
/// As in Div, the float lanes must round to nearest and not trap.
template <typename T, int kPattern>
HWY_INLINE lw_status ModIntegers(const Job& job) {
  constexpr KernelFn kRows = Kernel<ModRows<T, kPattern>>;
  if constexpr (LANEWISE_QUIET) {
    return RunJob(kRows, job);
  } else {
    const FpEnv nearest(FpEnv::Default());
    return RunJob(kRows, job);
  }
}

// ------------------------------ Floats

/// Out of line, as few vectors need this.
template <class D, class V = hn::VFromD<D>>
static HWY_NOINLINE V RemaindersOneByOne(V x, V y) {
  using T = hn::TFromD<D>;
  const D d;
  HWY_ALIGN T rest[hn::MaxLanes(d)];
  HWY_ALIGN T divisor[hn::MaxLanes(d)];
  hn::Store(x, d, rest);
  hn::Store(y, d, divisor);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    rest[i] = RemainderOf(rest[i], divisor[i]);
  }
  return hn::Load(d, rest);
}

/// fmod(x, y) of numbers without a sign. A quotient below 2^p, where p is the
/// number of significant bits, rounds to n or n + 1 if the true one is in
/// [n, n + 1). Both x - n * y and x - (n + 1) * y are floats, because they are
/// below y and multiples of y's last place. So the fused step is exact, in
/// every rounding mode.
template <class D, class V>
HWY_INLINE V Remainders([[maybe_unused]] D d, V x, V y) {
#if HWY_NATIVE_FMA
  using T = hn::TFromD<D>;
  constexpr T kMost =
      static_cast<T>(uint64_t{1} << (hwy::MantissaBits<T>() + 1));
  const V q = hn::Div(x, y);
  // False for NaN: the step then gives NaN.
  if (HWY_LIKELY(hn::AllFalse(d, hn::Ge(q, hn::Set(d, kMost))))) {
    const V rest = hn::NegMulAdd(hn::Trunc(q), y, x);
    const V fixed =
        hn::Add(rest, hn::IfThenElseZero(hn::Lt(rest, hn::Zero(d)), y));
    return hn::IfThenElse(hn::Lt(x, y), x, fixed);  // y may be infinity
  }
#endif
  return RemaindersOneByOne<D>(x, y);
}

template <typename TFloat>
struct FloatMod {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  bool floors;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const V size = Remainders(d, hn::Abs(a), hn::Abs(b));
    V y = hn::CopySign(size, a);
    if (floors) {
      const hn::RebindToSigned<D> di;
      const auto other_sign = hn::RebindMask(
          d, hn::IsNegative(hn::Xor(hn::BitCast(di, a), hn::BitCast(di, b))));
      y = hn::IfThenElse(hn::And(other_sign, hn::Ne(size, hn::Zero(d))),
                         hn::Add(y, b), hn::CopySign(size, b));
    }
    // Which NaN comes depends on nothing but the two numbers.
    const V nan = hn::IfThenElse(hn::IsNaN(a), a, b);
    return hn::IfThenElse(hn::IsNaN(nan), hn::Add(nan, nan), y);
  }
};

template <class Fn>
HWY_INLINE void FloatRows(const Job& job) {
  using T = typename Fn::T;
  Fn fn = {};
  if constexpr (requires { fn.fn; }) {  // of 16-bit floats
    fn.fn.floors = Floors(job);
  } else {
    fn.floors = Floors(job);
  }
  ForEachRow<2>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    ComputeRow(reinterpret_cast<T*>(out), n, false, fn,
               InputAt<T, LW_SAME, 0>(job, in[0], Fn::kPadding),
               InputAt<T, LW_SAME, 1>(job, in[1], Fn::kPadding));
  });
}
/// Subnormal numbers count. The sum obeys the caller's rounding mode in float32
/// and float64.
template <class Fn>
HWY_INLINE lw_status ModFloats(const Job& job) {
  const bool rounds_to_nearest = sizeof(typename Fn::T) == 2;
  const FpEnv env(rounds_to_nearest ? FpEnv::Default()
                                    : FpEnv::OnlyRounding(FpEnv::Current()));
  return RunJob(Kernel<FloatRows<Fn>>, job);
}

/// One divisor for all has the reciprocals made once. A scalar gains nothing in
/// floats.
template <typename T>
constexpr PatternKernel kIntegers[] = {
    {LW_SAME, Kernel<ModIntegers<T, LW_SAME>>},
    {LW_SCALAR_B, Kernel<ModIntegers<T, LW_SCALAR_B>>}};
template <class Fn>
constexpr auto& kFloats = kOnlySame<Kernel<ModFloats<Fn>>>;

/// As Div's.
constexpr uint8_t kWeight32 = 2;
constexpr uint8_t kWeight64 = 4;

constexpr KernelEntry kKernels[] = {
    {10, LW_FLOAT16, kFloats<InFloat16<FloatMod<float>>>},
    {10, LW_FLOAT32, kFloats<FloatMod<float>>},
    {10, LW_FLOAT64, kFloats<FloatMod<double>>},
    {10, LW_INT8, kIntegers<int8_t>},
    {10, LW_INT16, kIntegers<int16_t>},
    {10, LW_INT32, kIntegers<int32_t>, Way::kUsual, kWeight32},
    {10, LW_INT64, kIntegers<int64_t>, Way::kUsual, kWeight64},
    {10, LW_UINT8, kIntegers<uint8_t>},
    {10, LW_UINT16, kIntegers<uint16_t>},
    {10, LW_UINT32, kIntegers<uint32_t>, Way::kUsual, kWeight32},
    {10, LW_UINT64, kIntegers<uint64_t>, Way::kUsual, kWeight64},
    {13, LW_BFLOAT16, kFloats<In16Bits<BFloat16, FloatMod<float>>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_mod
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_mod {
namespace {

constexpr int kVersions[] = {10, 13, 28};

constexpr AttributeInfo kAttributes[] = {
    {"fmod", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 0}};
constexpr Form kForms[] = {{10, kInputsAB, ShapeRule::kBroadcast, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Mod",
    .versions = kVersions,
    .forms = kForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels = LANEWISE_KERNELS(op_mod),
    .reports_zero_divisors = true,
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          params->As<ModParams>() = {*attributes.Int("fmod") == 0};
        },
};

}  // namespace lanewise::op_mod
#endif  // HWY_ONCE
