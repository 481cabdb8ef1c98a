// SPDX-License-Identifier: Apache-2.0
//
// What the specs of Sin, Cos and Tan and of their inverses share.

#ifndef LANEWISE_TESTS_SUPPORT_TRIGONOMETRY_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_TRIGONOMETRY_SPEC_H_

#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

inline std::vector<VersionSpec> TrigonometryVersions() {
  return {{7, kF3, {{"input"}}}, {22, kF4, {{"input"}}}};
}

/// Arguments in which peers are compared.
inline Range ManyTurns(lw_type /*type*/) {
  return {Range::kExponents, -14, 15};
}

/// Arguments of Asin and Acos.
inline constexpr Range kRatios = {Range::kUniform, -1, 1};
inline Range AnyRatios(lw_type /*type*/) { return {Range::kExponents, -20, 0}; }

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_TRIGONOMETRY_SPEC_H_
