// SPDX-License-Identifier: Apache-2.0
//
// Plans the call of one operator (plan/plan.h).

#ifndef LANEWISE_RUNTIME_CALL_CALL_PLAN_H_
#define LANEWISE_RUNTIME_CALL_CALL_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "runtime/call/call.h"
#include "runtime/node/node.h"
#include "runtime/plan/plan.h"

namespace lanewise {

/// How many numbers the plan of a call needs.
size_t PlanNumbers(const Node& node, const Call& call);
inline constexpr size_t kMostPlanNumbers =
    NestNumbers(kMaxInputs + 1, LW_MAX_RANK);

/// Plans a call that has elements. The call and the numbers must live as long
/// as the plan.
void MakePlan(const Node& node, const Call& call, int64_t* numbers, Plan* plan);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_CALL_PLAN_H_
