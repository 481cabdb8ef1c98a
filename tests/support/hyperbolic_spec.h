// SPDX-License-Identifier: Apache-2.0
//
// What the specs of Sinh, Cosh, Asinh, Acosh and Atanh share.

#ifndef LANEWISE_TESTS_SUPPORT_HYPERBOLIC_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_HYPERBOLIC_SPEC_H_

#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

inline std::vector<VersionSpec> HyperbolicVersions() {
  return {{9, kF3, {{"input"}}}, {22, kF4, {{"input"}}}};
}

/// Arguments of Sinh and Cosh up to where the results overflow.
inline Range UpToOverflow(lw_type type) {
  const double most = type == LW_FLOAT16 ? 11.7 : type == LW_FLOAT64 ? 710 : 89;
  return {Range::kUniform, -most, most};
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_HYPERBOLIC_SPEC_H_
