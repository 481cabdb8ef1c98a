// SPDX-License-Identifier: Apache-2.0
//
// What Sum and Mean share: the sum from the left to the right, in scalar code,
// under the current rounding mode.

#ifndef LANEWISE_TESTS_SUPPORT_SUM_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_SUM_SPEC_H_

#include <cstddef>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

/// Sum, Mean.
inline std::vector<VersionSpec> SumVersions() {
  return {{1, kF3, AnyInputs(), {ConsumedInputsSpec()}},
          {6, kF3, AnyInputs()},
          {8, kF3, AnyInputs()},
          {13, kF4, AnyInputs()}};
}

template <typename T>
T SumIn(const long double* in, size_t count, bool divides) {
  T sum = static_cast<T>(in[0]);
  for (size_t k = 1; k < count; ++k) sum += static_cast<T>(in[k]);
  return divides ? sum / static_cast<T>(count) : sum;
}
/// In float64 or float32, which 16-bit types are added in.
template <bool kDivides>
long double SumOfAll(lw_type type, const long double* in, size_t count) {
  return type == LW_FLOAT64 ? SumIn<double>(in, count, kDivides)
                            : SumIn<float>(in, count, kDivides);
}
template <bool kDivides>
long double SumOfTwo(lw_type type, const long double* in) {
  return SumOfAll<kDivides>(type, in, 2);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SUM_SPEC_H_
