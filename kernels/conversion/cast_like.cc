// SPDX-License-Identifier: Apache-2.0
//
// CastLike: y = x in the type of a second input
//
// Versions 15, 19, 21, 23, 24, 25: the types, the kernels and the answers of
// Cast at these versions. Nothing but the second input's type matters.

#include "kernels/conversion/cast_kernels.h"
#include "kernels/conversion/narrow_params.h"
#include "kernels/operator.h"

namespace lanewise::op_cast_like {
namespace {

constexpr int kVersions[] = {15, 19, 21, 23, 24, 25};
constexpr OperandInfo kInputs[] = {
    {"input", Role::kElements, false, "T1"},
    {"target_type", Role::kType, false, "T2", LW_ABSENT, false, true}};
constexpr AttributeInfo kAttributes19[] = {kSaturate};
constexpr AttributeInfo kAttributes24[] = {kSaturate, kRoundMode};
constexpr Form kForms[] = {{15, kInputs, ShapeRule::kSame},
                           {19, kInputs, ShapeRule::kSame, kAttributes19},
                           {24, kInputs, ShapeRule::kSame, kAttributes24}};

}  // namespace

extern const Operator kOperator = {
    .name = "CastLike",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output", Role::kElements, false, "T2", LW_ABSENT, true},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = op_cast::KernelsOn,
    .exact = true,
    .prepare = PrepareNarrow,
};

}  // namespace lanewise::op_cast_like
