// SPDX-License-Identifier: Apache-2.0
//
// Calls of GlobalAveragePool and GlobalMaxPool.

#ifndef LANEWISE_TESTS_SUPPORT_POOL_CASES_H_
#define LANEWISE_TESTS_SUPPORT_POOL_CASES_H_

#include <vector>

#include "tests/support/composed_suite.h"

namespace lanewise::test {

inline std::vector<ComposedCase> PoolCases() {
  return {{22, {}, {{2, 3, 4, 5}}}, {22, {}, {{2, 3, 70}}},
          {22, {}, {{2, 3, 1}}},    {22, {}, {{2, 0, 4}}},
          {22, {}, {{2, 3, 0}}},    {22, {}, {{2, 20, 30, 30}}},
          {1, {}, {{2, 3, 4}}}};
}

inline void ExpectWrongPools(const OperatorSpec& spec) {
  ExpectWrong(spec, {{22, {}, {{2, 3}}}, LW_INVALID_SHAPE, "axis 2 is none"});
  ExpectWrong(spec, {{22, {}, {{2, 3, 4}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,3,1], not [2,3,4]"});
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_POOL_CASES_H_
