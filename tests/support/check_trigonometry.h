// SPDX-License-Identifier: Apache-2.0
//
// What the tests of Sin, Cos and Tan and of their inverses share: the doubles
// that they try, and values by hand.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_TRIGONOMETRY_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_TRIGONOMETRY_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/check_ulps.h"

namespace lanewise::test {

/// All magnitudes, a few turns, and numbers within some places of a multiple of
/// pi/4, below 2^20 and above.
double AnyAngle(uint64_t block, size_t, std::mt19937_64& random);

/// All magnitudes up to `most`, and numbers near the bounds of the polynomials
/// and of the domain.
template <int kMost>
double AnyRatio(uint64_t block, size_t, std::mt19937_64& random) {
  constexpr double kBounds[] = {0.5, 1, 2};
  const double sign = random() % 2 == 0 ? 1 : -1;
  switch (block % 6) {
    case 0:
      return AnyMagnitude(-1074, std::ilogb(kMost), random);
    case 1:
    case 2:
      return Uniform(-kMost, kMost, random);
    case 3:
      return sign * (1 - std::fabs(AnyMagnitude(-53, 0, random)));
    case 4:
      return sign * kBounds[random() % 3] + AnyMagnitude(-53, -3, random);
    default:
      return DoubleOf(random());
  }
}

/// float64 results by hand, within an ULP.
void CheckAngles(const OpId& op, const ByHand& pairs);

/// An infinity gives NaN.
void CheckRefusesInfinity(const OpId& op);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_TRIGONOMETRY_H_
