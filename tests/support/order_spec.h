// SPDX-License-Identifier: Apache-2.0
//
// What the specs of Greater, Less, GreaterOrEqual and LessOrEqual share.

#ifndef LANEWISE_TESTS_SUPPORT_ORDER_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_ORDER_SPEC_H_

#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

/// Greater, Less.
inline std::vector<VersionSpec> StrictOrderVersions() {
  return {{1, kF3, InputsAB(), LegacyAttributes(false)},
          {7, kF3, InputsAB()},
          {9, kI8 + kF3, InputsAB()},
          {13, kN12, InputsAB()}};
}

/// GreaterOrEqual, LessOrEqual.
inline std::vector<VersionSpec> WeakOrderVersions() {
  return {{12, kI8 + kF3, InputsAB()}, {16, kN12, InputsAB()}};
}

/// The answer of a comparison; Order is std::less<> or one of its siblings.
template <class Order>
void OrderBits(lw_type type, const void* const* in, void* out) {
  *static_cast<bool*>(out) = Compare(type, in, Order());
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ORDER_SPEC_H_
