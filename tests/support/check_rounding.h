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
inline Array NearWholeNumbers(lw_type type) {
  std::mt19937_64 random(1);
  std::vector<double> values;
  const int end = type == LW_FLOAT64 ? 54 : MantissaBits(type) + 2;
  for (int exponent = -3; exponent <= end; ++exponent) {
    for (int i = 0; i < 200; ++i) {
      const double any =
          std::ldexp(1 + std::ldexp(random() >> 11, -53), exponent);
      const double whole = std::trunc(any);
      for (const double x :
           {any, whole, whole + 0.5, std::nextafter(whole + 0.5, 0.0),
            std::nextafter(whole + 0.5, INFINITY)}) {
        values.push_back(x);
        values.push_back(-x);
      }
    }
  }
  return FromValues(type, values);
}

/// Results of every type are the same on every instruction set and in every
/// rounding mode, also those of NaNs.
inline void CheckRoundingModesIgnored(const OpId& op) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const Array inputs[] = {Lattice(type), RandomBits(type, 1 << 14),
                            NearWholeNumbers(type)};
    for (const Array& in : inputs) {
      CheckSameOnEveryIsa(op, in);
      for (const Isa& isa : AllIsas()) {
        const Subject subject = KernelApi(isa.engine, op, type);
        const Array nearest = Compute(subject, in);
        for (const RoundingMode& rounding : kDirected) {
          const FloatEnvScope scope;
          std::fesetround(rounding.mode);
          EXPECT_TRUE(SameBits(Compute(subject, in), nearest))
              << isa.name << ", rounding " << rounding.name;
        }
      }
    }
  }
}

/// With every exception but the inexact one unmasked, nothing traps.
inline void CheckRoundingIsQuiet(const OpId& op) {
  for (const lw_type type : kFloatTypes) {
    Array in = FromValues(type, {0.0, -0.5, 2.5, 1e5, -3e9, 1e30, INFINITY,
                                 -INFINITY, std::nan("")});
    for (const Isa& isa : AllIsas()) {
      const Subject subject = KernelApi(isa.engine, op, type);
      Array out(type, in.size());
      const FloatEnvScope scope;
      std::feclearexcept(FE_ALL_EXCEPT);
      subject.compute(in.data(), nullptr, out.data(), in.size());
      EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT), 0)
          << isa.name << ' ' << lw_type_name(type);
    }
  }
}

struct Rounded {
  double x, y;
};
/// Values by hand, in every type: signs of zeros, too.
inline void CheckRoundedByHand(const OpId& op,
                               const std::vector<Rounded>& pairs) {
  for (const lw_type type : kFloatTypes) {
    std::vector<double> in, expected;
    for (const Rounded& pair : pairs) {
      in.push_back(pair.x);
      expected.push_back(pair.y);
    }
    for (const Isa& isa : AllIsas()) {
      const Subject subject = KernelApi(isa.engine, op, type);
      const Array wanted = FromValues(type, expected);
      const size_t i = FirstRejected(
          wanted, Compute(subject, FromValues(type, in)), ExactBits);
      EXPECT_EQ(i, in.size())
          << isa.name << ' ' << lw_type_name(type) << ' ' << in[i % in.size()];
    }
  }
}

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
