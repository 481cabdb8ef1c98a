// SPDX-License-Identifier: Apache-2.0
//
// The error of Exp: float32 over all inputs, float64 over many.

#include <gtest/gtest.h>

#include "tests/kernels/exponential/exp_oracle.h"
#include "tests/support/check_errors.h"
#include "tests/support/worst_errors.h"

namespace lanewise::test {
namespace {

constexpr double kBound = 1.0;
constexpr double kDirectedBound = 4.0;

TEST(ExpErrors, ExhaustiveFloat32) {
  CheckErrors(kExp, ExpFloat32Block::kBlocks, ExpFloat32Block(1, kToNearest),
              kBound);
}

TEST(ExpErrors, ExhaustiveFloat64Strata) {
  CheckErrors(kExp, 12'000, ExpFloat64Block(kToNearest), kBound);
}

TEST(ExpErrors, Float64Strata) {
  CheckErrors(kExp, 400, ExpFloat64Block(kToNearest), kBound);
}

constexpr uint32_t kStride = 1021;

TEST(ExpErrors, Float32Sample) {
  CheckErrors(kExp, ExpFloat32Block::kBlocks / kStride,
              ExpFloat32Block(kStride, kToNearest), kBound);
}

TEST(ExpErrors, DirectedFloat32) {
  for (const RoundingMode& rounding : kDirected) {
    CheckErrors(kExp, ExpFloat32Block::kBlocks / kStride,
                ExpFloat32Block(kStride, rounding), kDirectedBound, rounding);
  }
}

TEST(ExpErrors, DirectedFloat64) {
  for (const RoundingMode& rounding : kDirected) {
    CheckErrors(kExp, 400, ExpFloat64Block(rounding), kDirectedBound, rounding);
  }
}

}  // namespace
}  // namespace lanewise::test
