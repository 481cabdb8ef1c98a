// SPDX-License-Identifier: Apache-2.0
//
// The doubles that the tests of Sinh and Cosh try.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "tests/support/check_ulps.h"

namespace lanewise::test {

/// All magnitudes, small ones, numbers close to odd multiples of ln2 / 2, and
/// those where the results overflow.
inline double HyperbolicAngle(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 7) {
    case 0:
      return AnyMagnitude(-1074, 1024, random);
    case 1:
      return AnyMagnitude(-30, 3, random);
    case 2: {
      const auto odd = static_cast<double>(2 * (random() % 64) + 1);
      return odd * 0.34657359027997264 + AnyMagnitude(-50, -4, random);
    }
    case 3:
      return Uniform(-50, 50, random);
    case 4:
      return Uniform(-711, 711, random);
    case 5:
      return Uniform(708, 711, random);
    default:
      return DoubleOf(random());
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_
