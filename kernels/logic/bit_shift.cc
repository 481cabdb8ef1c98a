// SPDX-License-Identifier: Apache-2.0
//
// BitShift: z = x << y, or x >> y
//
// Versions 11 (uint8, uint16, uint32, uint64), 28 (+ int8, int16, int32,
// int64). The attribute direction is "LEFT" or "RIGHT". An amount that is
// negative, or not below the width, gives 0; signed numbers keep their sign
// when they are shifted to the right, so that such an amount gives -1 for
// negative ones.

#include <cstdint>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/bit_shift.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

#ifndef LANEWISE_KERNELS_BIT_SHIFT_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_BIT_SHIFT_PARAMS_
namespace lanewise {
struct BitShiftParams {
  bool left;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_BIT_SHIFT_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_bit_shift {
namespace {

// Highway's shifts take amounts below the width only. As an unsigned number, a
// negative amount is beyond every width.
template <typename TLane>
struct LeftOrZero {
  using T = TLane;
  static_assert(std::is_unsigned_v<T>);
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  static constexpr T kWidth = 8 * sizeof(T);

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    const V amount = hn::And(y, hn::Set(d, kWidth - 1));
    return hn::IfThenElseZero(hn::Lt(y, hn::Set(d, kWidth)),
                              hn::Shl(x, amount));
  }
};
template <typename TLane>
struct RightOrZero : LeftOrZero<TLane> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    constexpr TLane kWidth = LeftOrZero<TLane>::kWidth;
    const V amount = hn::And(y, hn::Set(d, kWidth - 1));
    return hn::IfThenElseZero(hn::Lt(y, hn::Set(d, kWidth)),
                              hn::Shr(x, amount));
  }
};
template <typename TLane>
struct RightWithSign {
  using T = TLane;
  static_assert(std::is_signed_v<T>);
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    const hn::RebindToUnsigned<D> du;
    using TU = hn::TFromD<decltype(du)>;
    const auto most = hn::Set(du, TU{8 * sizeof(T) - 1});
    const auto amount = hn::Min(hn::BitCast(du, y), most);
    return hn::Shr(x, hn::BitCast(d, amount));
  }
};

template <class Left, class Right, int kPattern>
HWY_INLINE lw_status Shift(const Job& job) {
  const auto* params = static_cast<const BitShiftParams*>(job.setup->params);
  return RunJob(params->left ? Binary<Left, kPattern> : Binary<Right, kPattern>,
                job);
}
/// One number that is shifted by many amounts is too rare for a kernel.
template <class Left, class Right>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Kernel<Shift<Left, Right, LW_SAME>>},
    {LW_SCALAR_B, Kernel<Shift<Left, Right, LW_SCALAR_B>>}};
template <typename T>
constexpr auto& kUnsigned = kPatterns<LeftOrZero<T>, RightOrZero<T>>;
template <typename T>
constexpr auto& kSigned =
    kPatterns<LeftOrZero<std::make_unsigned_t<T>>, RightWithSign<T>>;

constexpr KernelEntry kKernels[] = {
    {11, LW_UINT8, kUnsigned<uint8_t>},   {11, LW_UINT16, kUnsigned<uint16_t>},
    {11, LW_UINT32, kUnsigned<uint32_t>}, {11, LW_UINT64, kUnsigned<uint64_t>},
    {28, LW_INT8, kSigned<int8_t>},       {28, LW_INT16, kSigned<int16_t>},
    {28, LW_INT32, kSigned<int32_t>},     {28, LW_INT64, kSigned<int64_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_bit_shift
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_bit_shift {
namespace {

constexpr int kVersions[] = {11, 28};
constexpr OperandInfo kInputs[] = {{"X"}, {"Y"}};
constexpr const char* kDirections[] = {"LEFT", "RIGHT"};
constexpr AttributeInfo kAttributes[] = {{"direction",
                                          LW_ATTRIBUTE_STRING,
                                          Meaning::kParameter,
                                          true,
                                          {},
                                          kDirections}};
constexpr Form kForms[] = {{11, kInputs, ShapeRule::kBroadcast, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "BitShift",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Z"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_bit_shift),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          params->As<BitShiftParams>() = {attributes.Choice("direction") == 0};
        },
};

}  // namespace lanewise::op_bit_shift
#endif  // HWY_ONCE
