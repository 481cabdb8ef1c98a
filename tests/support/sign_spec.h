// SPDX-License-Identifier: Apache-2.0
//
// What the specs of Neg, Abs and Sign share: sets of types, and floats as bits.

#ifndef LANEWISE_TESTS_SUPPORT_SIGN_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_SIGN_SPEC_H_

#include <cstdint>

#include "tests/support/element_bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

inline constexpr Types kS4 = {LW_INT8, LW_INT16, LW_INT32, LW_INT64};

inline uint64_t BitsOfFloat(lw_type type, const void* element) {
  return ReadBits(element, ElementSize(type));
}
/// The bits of -0.0, by which those of -x are larger than those of a positive
/// x.
inline uint64_t MinusZero(lw_type type) {
  return uint64_t{1} << (8 * ElementSize(type) - 1);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SIGN_SPEC_H_
