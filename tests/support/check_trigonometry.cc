// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_trigonometry.h"

namespace lanewise::test {

double AnyAngle(uint64_t block, size_t, std::mt19937_64& random) {
  constexpr long double kQuarterPi = 0.78539816339744830961566L;
  switch (block % 6) {
    case 0:
      return AnyMagnitude(-1074, 1024, random);
    case 1:
      return Uniform(-10, 10, random);
    case 2:
    case 3: {
      const uint64_t most = block % 6 == 2 ? 64 : 1 << 22;
      auto x = static_cast<double>(static_cast<long double>(random() % most) *
                                   kQuarterPi);
      for (uint64_t steps = random() % 4; steps != 0; --steps) {
        x = std::nextafter(x, random() % 2 == 0 ? 0.0 : 1e9);
      }
      return random() % 2 == 0 ? x : -x;
    }
    case 4:
      return AnyMagnitude(15, 25, random);
    default:
      return DoubleOf(random());
  }
}

void CheckAngles(const OpId& op, const ByHand& pairs) {
  std::vector<double> numbers;
  for (const auto& pair : pairs) numbers.push_back(pair.first);
  const Array in = FromValues(LW_FLOAT64, numbers);
  for (const Isa& isa : AllIsas()) {
    const Array out = Compute(KernelApi(isa.engine, op, LW_FLOAT64), in);
    for (size_t i = 0; i < in.size(); ++i) {
      const double y = DoubleOf(ReadBits(out.at(i), 8));
      EXPECT_LE(std::fabs(y - pairs[i].second),
                std::fabs(std::nextafter(pairs[i].second, 0) - pairs[i].second))
          << isa.name << ' ' << std::hexfloat << numbers[i] << " gives " << y;
    }
  }
}

void CheckRefusesInfinity(const OpId& op) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    CheckByHand(isa.engine, op, LW_FLOAT64,
                {{kInf, DoubleOf(0x7FF8000000000000)},
                 {-kInf, DoubleOf(0xFFF8000000000000)}});
  }
}

}  // namespace lanewise::test
