// SPDX-License-Identifier: Apache-2.0
//
// BitwiseNot: y = ~x
//
// Version 18 (all eight integers).

#include <cstddef>
#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/bitwise_not.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_bitwise_not {
namespace {

template <typename TLane>
struct Flip {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return hn::Not(x);
  }
};

template <typename T>
constexpr auto& kFlip = kUnaryPatterns<Flip<T>>;

constexpr KernelEntry kKernels[] = {
    {18, LW_INT8, kFlip<uint8_t>},    {18, LW_INT16, kFlip<uint16_t>},
    {18, LW_INT32, kFlip<uint32_t>},  {18, LW_INT64, kFlip<uint64_t>},
    {18, LW_UINT8, kFlip<uint8_t>},   {18, LW_UINT16, kFlip<uint16_t>},
    {18, LW_UINT32, kFlip<uint32_t>}, {18, LW_UINT64, kFlip<uint64_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_bitwise_not
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_bitwise_not {
namespace {

constexpr int kVersions[] = {18};
constexpr Form kForms[] = {{18, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "BitwiseNot",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_bitwise_not),
    .exact = true,
};

}  // namespace lanewise::op_bitwise_not
#endif  // HWY_ONCE
