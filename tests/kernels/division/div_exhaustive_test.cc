// SPDX-License-Identifier: Apache-2.0
//
// Div on all pairs of 8-bit and of 16-bit elements. For 16 bits, the best
// instruction set gets all pairs and the others a sample;
// LANEWISE_TEST_ALL_ISAS=1 tests all pairs on all instruction sets.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/check_values.h"

namespace lanewise::test {
namespace {

constexpr uint64_t kValues = 1 << 16;

/// Divides each value by the value `shift` above it, wrapping, for every
/// `step`-th shift. Adjacent lanes have different divisors, and a step of 1
/// covers every pair.
void CheckPairs16(const std::vector<Subject>& subjects, uint64_t step) {
  constexpr uint64_t kBlock = 1 << 13;  // all buffers stay in L2
  const lw_type type = subjects[0].type;
  OnEveryCore(
      kValues / kBlock * ((kValues + step - 1) / step), [&](const auto& next) {
        Array a(type, kBlock);
        Array b(type, kBlock);
        for (uint64_t block = 0; next(&block);) {
          const uint64_t shift = block / (kValues / kBlock) * step;
          const uint64_t first = block * kBlock;  // modulo 2^16
          for (uint64_t i = 0; i < kBlock; ++i) {
            a.as<uint16_t>()[i] = static_cast<uint16_t>(first + i);
            b.as<uint16_t>()[i] = static_cast<uint16_t>(first + i + shift);
          }
          if (!CheckDiv(subjects, a, b)) return;
        }
      });
}

/// Divides every dividend by every `step`-th divisor, as a scalar.
void CheckScalars16(const std::vector<Subject>& subjects, uint64_t step) {
  const lw_type type = subjects[0].type;
  const Array all = AllValues(type);
  OnEveryCore((kValues + step - 1) / step, [&](const auto& next) {
    Array one(type, 1);
    for (uint64_t i = 0; next(&i);) {
      *one.as<uint16_t>() = static_cast<uint16_t>(i * step);
      const bool is_b = subjects[0].pattern == LW_SCALAR_B;
      if (!CheckDiv(subjects, is_b ? all : one, is_b ? one : all)) return;
    }
  });
}

std::vector<Subject> Wanted(lw_type type, lw_pattern pattern) {
  return AllIsasWanted() ? DivOnAllIsas(type, pattern)
                         : DivOnBestIsa(type, pattern);
}

class DivPairs : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivPairs,
                         testing::Values(LW_FLOAT16, LW_BFLOAT16, LW_INT16,
                                         LW_UINT16),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivPairs, ExhaustiveOnBestIsa) {
  CheckPairs16(Wanted(GetParam(), LW_SAME), 1);
}
TEST_P(DivPairs, SampleOnEveryIsa) {
  CheckPairs16(DivOnAllIsas(GetParam()), 331);
}
TEST_P(DivPairs, ScalarSampleOnEveryIsa) {
  CheckScalars16(DivOnAllIsas(GetParam(), LW_SCALAR_B), 331);
  CheckScalars16(DivOnAllIsas(GetParam(), LW_SCALAR_A), 331);
}

// Where the quotient of bfloat16 numbers begins to be subnormal or infinite,
// some kernels divide by multiplication, and some by the divider.
TEST(DivPairsBFloat16, EndsOfTheRangeOfMultiplication) {
  constexpr int kBias = 127, kMantissas = 128;
  std::vector<uint16_t> small, large;
  for (int exponent = 61; exponent <= 67; ++exponent) {
    for (int mantissa = 0; mantissa < kMantissas; ++mantissa) {
      small.push_back(
          static_cast<uint16_t>((kBias - exponent) * kMantissas + mantissa));
      large.push_back(
          static_cast<uint16_t>((kBias + exponent) * kMantissas + mantissa));
    }
  }
  const std::vector<Subject> subjects = DivOnAllIsas(LW_BFLOAT16);
  Array a(LW_BFLOAT16, small.size());
  Array b(LW_BFLOAT16, small.size());
  for (const auto& [dividends, divisors] :
       {std::pair(small, large), std::pair(large, small)}) {
    for (size_t shift = 0; shift < small.size(); ++shift) {
      for (size_t i = 0; i < small.size(); ++i) {
        a.as<uint16_t>()[i] = dividends[i];
        b.as<uint16_t>()[i] = divisors[(i + shift) % divisors.size()];
      }
      ASSERT_TRUE(CheckDiv(subjects, a, b));
    }
  }
}

// A scalar divisor is turned into a multiplier, so each divisor is a case of
// its own.
TEST_P(DivPairs, ExhaustiveScalarsOnBestIsa) {
  CheckScalars16(Wanted(GetParam(), LW_SCALAR_B), 1);
}

class DivByInvariant : public DivPairs {};
INSTANTIATE_TEST_SUITE_P(Type, DivByInvariant,
                         testing::Values(LW_INT16, LW_UINT16),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

// Every divisor on every instruction set. With each q from the powers of two
// and their neighbours, the dividends are q, q * divisor and q * divisor +- 1.
TEST_P(DivByInvariant, EveryDivisorOnEveryIsa) {
  const lw_type type = GetParam();
  const std::vector<Subject> subjects = DivOnAllIsas(type, LW_SCALAR_B);
  const Array lattice = IntegerLattice(type);
  const size_t n = lattice.size();
  OnEveryCore(kValues, [&](const auto& next) {
    Array a(type, 4 * n);
    Array b(type, 1);
    for (uint64_t divisor = 0; next(&divisor);) {
      *b.as<uint16_t>() = static_cast<uint16_t>(divisor);
      for (size_t i = 0; i < n; ++i) {
        const uint64_t q = lattice.as<uint16_t>()[i];
        a.as<uint16_t>()[i] = static_cast<uint16_t>(q);
        for (uint64_t k = 0; k < 3; ++k) {
          a.as<uint16_t>()[n * (k + 1) + i] =
              static_cast<uint16_t>(q * divisor + k - 1);
        }
      }
      if (!CheckDiv(subjects, a, b)) return;
    }
  });
}

TEST(Div8Bits, AllPairsOnEveryIsa) {
  for (const lw_type type : {LW_INT8, LW_UINT8}) {
    for (const lw_pattern pattern : {LW_SAME, LW_SCALAR_B, LW_SCALAR_A}) {
      const std::vector<Subject> subjects = DivOnAllIsas(type, pattern);
      const Array all = AllValues(type);
      Array other(type, pattern == LW_SAME ? all.size() : 1);
      for (uint32_t k = 0; k < 256; ++k) {
        for (size_t i = 0; i < other.size(); ++i) {
          *other.at(i) = static_cast<uint8_t>(pattern == LW_SAME ? i + k : k);
        }
        const bool is_a = pattern == LW_SCALAR_A;
        if (!CheckDiv(subjects, is_a ? other : all, is_a ? all : other)) return;
      }
    }
  }
}

// Rows of 1,024 bytes and more may be divided in a way of their own.
TEST(Div8Bits, AllPairsInLongRows) {
  for (const lw_type type : {LW_INT8, LW_UINT8}) {
    const std::vector<Subject> subjects = DivOnAllIsas(type, LW_SCALAR_B);
    for (const size_t n : {1023, 1024, 1024 + 57}) {
      Array dividends(type, n);
      for (size_t i = 0; i < n; ++i) {
        *dividends.at(i) = static_cast<uint8_t>(i);
      }
      Array divisor(type, 1);
      for (uint32_t k = 0; k < 256; ++k) {
        *divisor.at(0) = static_cast<uint8_t>(k);
        if (!CheckDiv(subjects, dividends, divisor)) return;
      }
    }
  }
}

// Compares the oracle's rounding with the simple one of bits.h.
TEST(DivOracle, RoundsTo16BitsLikeScalarCode) {
  const Array lattice = FloatLattice(LW_FLOAT64);
  const Array random = RandomBits(LW_FLOAT64, 1 << 20);
  for (const Array* array : {&lattice, &random}) {
    for (size_t i = 0; i < array->size(); ++i) {
      double x = array->as<double>()[i];
      // Move every other value into the range of the 16-bit formats or just
      // outside.
      if (i % 2 != 0) {
        x = DoubleOf((BitsOf(x) & ~(uint64_t{0x7FF} << 52)) | (990 + i / 2 % 60)
                                                                  << 52);
      }
      const bool nan = x != x;
      ASSERT_EQ((RoundTo16<5, 10>(x)), nan ? 0x7E00 : ToHalf(x)) << x;
      ASSERT_EQ((RoundTo16<8, 7>(x)), nan ? 0x7FC0 : ToBfloat(x)) << x;
    }
  }
}

}  // namespace
}  // namespace lanewise::test
