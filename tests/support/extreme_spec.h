// SPDX-License-Identifier: Apache-2.0
//
// The oracle of Max and Min.

#ifndef LANEWISE_TESTS_SUPPORT_EXTREME_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_EXTREME_SPEC_H_

#include <cmath>
#include <cstring>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

/// Copies in[0] if the number is a NaN or comes before in[1], else in[1]: of
/// equal zeros the second one.
template <class Before>
void ChooseBits(lw_type type, const void* const* in, void* out,
                const Before& before) {
  const bool is_nan =
      kF4.count(type) != 0 && std::isnan(ReadFloat(type, in[0]));
  const bool is_nan_second =
      kF4.count(type) != 0 && std::isnan(ReadFloat(type, in[1]));
  const bool first = is_nan || (!is_nan_second && Compare(type, in, before));
  std::memcpy(out, in[first ? 0 : 1], ElementSize(type));
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_EXTREME_SPEC_H_
