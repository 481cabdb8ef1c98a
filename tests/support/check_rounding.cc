// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_rounding.h"

namespace lanewise::test {

Array NearWholeNumbers(lw_type type) {
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

void CheckRoundingModesIgnored(const OpId& op) {
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

void CheckRoundingIsQuiet(const OpId& op) {
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

void CheckRoundedByHand(const OpId& op, const std::vector<Rounded>& pairs) {
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

}  // namespace lanewise::test
