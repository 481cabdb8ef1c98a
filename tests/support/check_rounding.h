// SPDX-License-Identifier: Apache-2.0
//
// Checks of Floor, Ceil and Round.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_ROUNDING_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_ROUNDING_H_

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/rounding_spec.h"

namespace lanewise::test {

template <typename T, class Fn>
void RoundAll(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const T*>(in);
  auto* y = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = Fn()(x[i]);
}

/// Numbers of either sign around whole numbers and halves, from 1/8 to beyond
/// the last one with a fraction.
Array NearWholeNumbers(lw_type type);

/// Results of every type are the same on every instruction set and in every
/// rounding mode, also those of NaNs.
void CheckRoundingModesIgnored(const OpId& op);

/// With every exception but the inexact one unmasked, nothing traps.
void CheckRoundingIsQuiet(const OpId& op);

struct Rounded {
  double x, y;
};
/// Values by hand, in every type: signs of zeros, too.
void CheckRoundedByHand(const OpId& op, const std::vector<Rounded>& pairs);

/// What the suite cannot know, for all three.
template <class Fn>
void CheckRounding(const OpId& op) {
  CheckValues(op, NearWholeNumbers(LW_FLOAT32), RoundAll<float, Fn>);
  CheckValues(op, NearWholeNumbers(LW_FLOAT64), RoundAll<double, Fn>);
  CheckValues(op, RandomBits(LW_FLOAT64, 1 << 20), RoundAll<double, Fn>,
              ExactOrNan);
  CheckRoundingModesIgnored(op);
  CheckRoundingIsQuiet(op);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_ROUNDING_H_
