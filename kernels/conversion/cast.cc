// SPDX-License-Identifier: Apache-2.0
//
// Cast: y = x in another type
//
// Versions 1, 6, 9 (float16, float32, float64, all eight integers, bool),
// 13 (+ bfloat16), 19 (+ four float8), 21 (+ int4, uint4), 23 (+ float4e2m1),
// 24 (+ float8e8m0), 25, 28 (+ int2, uint2). The attribute `to` names the
// output's type. Float to integer: truncated and saturated, NaN gives 0.
// Integer to integer: the low bits. To a float: rounded once, to nearest even,
// whatever the caller's rounding mode, FTZ and DAZ; overflow gives infinity, in
// narrow floats what the attribute `saturate` tells (narrow-inl.h). To bool:
// anything but a zero is true; from bool: any byte but 0 counts as 1.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conversion/cast.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/conversion/cast_kernels.h"
#include "kernels/conversion/narrow_params.h"
#include "kernels/conversion/pairs-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_cast {
namespace {

constexpr lw_type kTypes[] = {LW_FLOAT32,
                              LW_UINT8,
                              LW_INT8,
                              LW_UINT16,
                              LW_INT16,
                              LW_INT32,
                              LW_INT64,
                              LW_BOOL,
                              LW_FLOAT16,
                              LW_FLOAT64,
                              LW_UINT32,
                              LW_UINT64,
                              LW_BFLOAT16,
                              LW_FLOAT8E4M3FN,
                              LW_FLOAT8E4M3FNUZ,
                              LW_FLOAT8E5M2,
                              LW_FLOAT8E5M2FNUZ,
                              LW_UINT4,
                              LW_INT4,
                              LW_FLOAT4E2M1,
                              LW_FLOAT8E8M0,
                              LW_UINT2,
                              LW_INT2};
constexpr int SinceVersion(lw_type type) {
  if (type == LW_INT2 || type == LW_UINT2) return 25;
  if (type == LW_FLOAT8E8M0) return 24;
  if (type == LW_FLOAT4E2M1) return 23;
  if (IsNarrowInteger(type)) return 21;
  if (IsNarrow(type)) return 19;
  return type == LW_BFLOAT16 ? 13 : 1;
}
constexpr size_t kCount = sizeof(kTypes) / sizeof(kTypes[0]);

template <size_t kPair>
constexpr KernelEntry EntryOf() {
  constexpr lw_type kFrom = kTypes[kPair / kCount],
                    kTo = kTypes[kPair % kCount];
  return {.since = HWY_MAX(SinceVersion(kFrom), SinceVersion(kTo)),
          .type = kFrom,
          .kernels = kOnlySame<Convert<kFrom, kTo>()>,
          .to = kTo};
}
template <size_t... kPair>
constexpr std::array<KernelEntry, sizeof...(kPair)> EntriesOf(
    std::index_sequence<kPair...> /*pairs*/) {
  return {EntryOf<kPair>()...};
}
constexpr auto kKernels =
    EntriesOf(std::make_index_sequence<kCount * kCount>());
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_cast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_cast {
namespace {

constexpr int kVersions[] = {1, 6, 9, 13, 19, 21, 23, 24, 25, 28};

constexpr OperandInfo kInputs[] = {{"input", Role::kElements, false, "T1"}};
// By type code; types that are not offered have no name.
constexpr const char* kTypeNames[] = {
    "",      "FLOAT", "UINT8", "INT8",    "UINT16", "INT16",  "INT32",
    "INT64", "",      "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
constexpr AttributeInfo kToByName = {
    "to", LW_ATTRIBUTE_STRING, Meaning::kOutputType, true, {}, kTypeNames};
constexpr AttributeInfo kTo = {"to", LW_ATTRIBUTE_INT, Meaning::kOutputType,
                               true};
constexpr AttributeInfo kAttributes1[] = {kToByName};
constexpr AttributeInfo kAttributes6[] = {kTo};
constexpr AttributeInfo kAttributes19[] = {kTo, kSaturate};
constexpr AttributeInfo kAttributes24[] = {kTo, kSaturate, kRoundMode};
constexpr Form kForms[] = {{1, kInputs, ShapeRule::kSame, kAttributes1},
                           {6, kInputs, ShapeRule::kSame, kAttributes6},
                           {19, kInputs, ShapeRule::kSame, kAttributes19},
                           {24, kInputs, ShapeRule::kSame, kAttributes24}};

}  // namespace

TargetKernels KernelsOn(int64_t targets) {
  return LANEWISE_KERNELS(op_cast)(targets);
}

extern const Operator kOperator = {
    .name = "Cast",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output", Role::kElements, false, "T2", LW_ABSENT, true},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = KernelsOn,
    .exact = true,
    .prepare = PrepareNarrow,
};

}  // namespace lanewise::op_cast
#endif  // HWY_ONCE
