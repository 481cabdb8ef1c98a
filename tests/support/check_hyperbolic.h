// SPDX-License-Identifier: Apache-2.0
//
// What the tests of Sinh, Cosh, Asinh, Acosh and Atanh share: values by hand,
// and the doubles that Sinh and Cosh try.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

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

/// A NaN becomes quiet, and keeps its sign and payload.
inline void CheckKeepsNaN(const OpId& op) {
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    for (const lw_type type : kFloatTypes) {
      const Array in = FromPatterns(
          type,
          type == LW_FLOAT16    ? std::vector<uint64_t>{0x7E01, 0xFF03}
          : type == LW_BFLOAT16 ? std::vector<uint64_t>{0x7FC1, 0xFFE3}
          : type == LW_FLOAT32
              ? std::vector<uint64_t>{0x7FC00001, 0xFFE00003}
              : std::vector<uint64_t>{0x7FF8000000000001, 0xFFFC000000000003});
      EXPECT_TRUE(SameBits(Compute(KernelApi(isa.engine, op, type), in), in))
          << lw_type_name(type);
    }
    CheckByHand(isa.engine, op, LW_FLOAT64,
                {{DoubleOf(0x7FF0000000000001), DoubleOf(0x7FF8000000000001)}});
  }
}

/// Zeros and the smallest numbers of each type stay.
inline void CheckKeepsSmall(const OpId& op) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, op, type, {{0.0, 0.0}, {-0.0, -0.0}});
    }
    CheckByHand(
        isa.engine, op, LW_FLOAT32,
        {{0x1p-149, 0x1p-149}, {-0x1.8p-127, -0x1.8p-127}, {0x1p-13, 0x1p-13}});
    CheckByHand(isa.engine, op, LW_FLOAT64,
                {{0x1p-1074, 0x1p-1074},
                 {-0x1.8p-1023, -0x1.8p-1023},
                 {0x1p-30, 0x1p-30}});
  }
}

/// What holds of all five: NaN, the same bits everywhere, no flag that is not
/// due, to nearest always. `ordinary`: arguments with finite results.
inline void CheckHyperbolic(const OpId& op,
                            const std::vector<double>& ordinary) {
  CheckKeepsNaN(op);
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(op, AllValues(type));
  }
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    CheckAlwaysToNearest(isa.engine, op);
    CheckSameBits(isa.engine, op);
    for (const lw_type type : kFloatTypes) {
      CheckOnlyInexact(isa.engine, op, FromValues(type, ordinary));
    }
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_HYPERBOLIC_H_
