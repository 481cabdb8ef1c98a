// SPDX-License-Identifier: Apache-2.0
//
// What Softmax, LogSoftmax and Hardmax have in common: versions, axes, the
// cases of their suites, and wrong calls.

#ifndef LANEWISE_TESTS_SUPPORT_SOFTMAX_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_SOFTMAX_SPEC_H_

#include <cstdint>
#include <vector>

#include "tests/support/composed_spec.h"

namespace lanewise::test {

inline std::vector<VersionSpec> SoftmaxVersions() {
  const std::vector<AttributeSpec> axis = {{"axis", LW_ATTRIBUTE_INT}};
  return {{1, kF3, {{"input"}}, axis},
          {11, kF3, {{"input"}}, axis},
          {13, kF4, {{"input"}}, axis}};
}

/// Versions 1 and 11 look at rows of all dims from the axis on.
inline std::vector<int64_t> SoftmaxAxes(const ComposedNode& node,
                                        const Numbers& x) {
  if (node.version < 13) {
    return AxesFrom(static_cast<int64_t>(node.Number("axis", 1)),
                    x.dims.size());
  }
  return {static_cast<int64_t>(node.Number("axis", -1))};
}

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include "tests/support/composed_suite.h"

namespace lanewise::test {

inline std::vector<ComposedCase> SoftmaxCases() {
  return {
      {13, {}, {{7}}},
      {13, {}, {{}}},
      {13, {}, {{3, 1}}},
      {13, {}, {{5, 300}}},
      {13, {IntOf("axis", 0)}, {{70, 5}}},
      {13, {IntOf("axis", 1)}, {{2, 3, 4, 5}}},
      {13, {IntOf("axis", -2)}, {{2, 33, 40}}},
      {13, {IntOf("axis", 1)}, {{3, 0, 2}}},
      {13, {}, {{0, 4}}},
      {13, {}, {{90, 500}}},
      {11, {}, {{2, 3, 4}}},
      {11, {IntOf("axis", 2)}, {{2, 3, 4}}},
      {11, {IntOf("axis", 0)}, {{2, 3, 4}}},
      {1, {IntOf("axis", -1)}, {{2, 3, 40}}},
      {1, {}, {{0, 3}}},
  };
}

inline void ExpectWrongSoftmaxCalls(const OperatorSpec& spec) {
  ExpectWrong(spec, {{13, {IntOf("axis", 2)}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "axis 2 is none of [2,3]"});
  ExpectWrong(spec, {{11, {}, {{3}}}, LW_INVALID_SHAPE, "axis 1 is none"});
  ExpectWrong(spec, {{11, {}, {{2, 3}}},
                     LW_UNSUPPORTED_TYPE,
                     "bfloat16 is supported from version 13 on",
                     LW_BFLOAT16});
  ExpectWrong(spec,
              {{13, {}, {{2, 3}}}, LW_UNSUPPORTED_TYPE, "int32", LW_INT32});
  ExpectWrong(spec, {{13, {}, {{2, 3}, {3}}},
                     LW_WRONG_COUNT,
                     "1 input(s) are needed, not 2"});
  ExpectWrong(spec, {{13, {}, {{2, 3}}},
                     LW_WRONG_COUNT,
                     "1 output is needed, not 2",
                     LW_FLOAT32,
                     {},
                     2});
  ExpectWrong(spec, {{13, {}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,3], not [3,2]",
                     LW_FLOAT32,
                     {},
                     1,
                     {{3, 2}}});
}

}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY

#endif  // LANEWISE_TESTS_SUPPORT_SOFTMAX_SPEC_H_
