// SPDX-License-Identifier: Apache-2.0
//
// Div of 32- and 64-bit integers, which have too many pairs to test them all:
// all pairs of edge values, dividends next to every change of the quotient, and
// random pairs of mixed magnitudes. div_exhaustive_test.cc tests the narrower
// integers.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/check_values.h"
#include "tests/support/element_bits.h"

namespace lanewise::test {
namespace {

/// splitmix64: small, fast and sufficiently random.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0xD1342543DE82EF95u) {}
  uint64_t operator()() {
    uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  /// All magnitudes are equally likely; half of the numbers are negative.
  template <typename T>
  T Mixed() {
    const uint64_t bits = (*this)();
    const uint64_t magnitude = (*this)() >> (bits % 64);
    return static_cast<T>(bits >> 32 & 1 ? 0 - magnitude : magnitude);
  }

 private:
  uint64_t state_;
};

/// Powers of two and their neighbours, small numbers, both ends of the type,
/// and some numbers far from all of these.
Array Edges(lw_type type) {
  const Array lattice = IntegerLattice(type);
  std::vector<uint64_t> patterns;
  for (size_t i = 0; i < lattice.size(); ++i) {
    patterns.push_back(ReadBits(lattice.at(i), lattice.element_size()));
  }
  for (uint64_t i = 5; i < 32; ++i) {
    patterns.push_back(i);
    patterns.push_back(0 - i);
  }
  for (const uint64_t bits :
       {uint64_t{0xAAAAAAAAAAAAAAAA}, uint64_t{0x123456789ABCDEF0},
        uint64_t{1'000'000'007}, uint64_t{641}, uint64_t{6'700'417},
        uint64_t{10'000'000'000'000'000'000u}}) {
    patterns.push_back(bits);
    patterns.push_back(0 - bits);
  }
  return FromPatterns(type, patterns);
}

class DivIntegers : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivIntegers,
                         testing::Values(LW_INT32, LW_UINT32, LW_INT64,
                                         LW_UINT64),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

/// Pairs of edges, and for each divisor d and edge q the dividends q * d and
/// q * d +- 1.
template <typename T>
void FillWithEdges(const Array& edges, size_t shift, Array& a, Array& b) {
  const size_t n = edges.size();
  for (size_t i = 0; i < n; ++i) {
    const auto q = static_cast<uint64_t>(edges.as<T>()[i]);
    const auto d = static_cast<uint64_t>(edges.as<T>()[(i + shift) % n]);
    for (uint64_t k = 0; k < 4; ++k) {
      const uint64_t dividend = k == 3 ? q : q * d + k - 1;
      a.as<T>()[n * k + i] = static_cast<T>(dividend);
      b.as<T>()[n * k + i] = static_cast<T>(d);
    }
  }
}

TEST_P(DivIntegers, EdgesSquared) {
  const Array edges = Edges(GetParam());
  const std::vector<Subject> div = DivOnAllIsas(GetParam());
  OnEveryCore(edges.size(), [&](const auto& next) {
    Array a(GetParam(), 4 * edges.size());
    Array b(GetParam(), 4 * edges.size());
    for (uint64_t shift = 0; next(&shift);) {
      WithCppType(GetParam(), [&](auto zero) {
        FillWithEdges<decltype(zero)>(edges, shift, a, b);
      });
      if (!CheckDiv(div, a, b)) return;
    }
  });
}

/// Two thirds of the dividends are next to a multiple of the divisor.
template <typename T>
void FillWithRandom(uint64_t seed, Array& a, Array& b) {
  Random random(seed);
  for (size_t i = 0; i < a.size(); ++i) {
    const T d = random.Mixed<T>();
    auto dividend = static_cast<uint64_t>(random.Mixed<T>());
    if (i % 3 != 0) {
      // Keep the product within the type where possible.
      dividend = static_cast<uint64_t>(
          Quotient<T>(static_cast<T>(dividend), d == 0 ? T{1} : d));
      dividend = dividend * static_cast<uint64_t>(d) + random() % 3 - 1;
    }
    a.as<T>()[i] = static_cast<T>(dividend);
    b.as<T>()[i] = d;
  }
}

TEST_P(DivIntegers, RandomPairs) {
  constexpr size_t kBlock = 1 << 12;
  const std::vector<Subject> div = DivOnAllIsas(GetParam());
  OnEveryCore(1 << 13, [&](const auto& next) {  // 2^25 pairs
    Array a(GetParam(), kBlock);
    Array b(GetParam(), kBlock);
    for (uint64_t block = 0; next(&block);) {
      WithCppType(GetParam(), [&](auto zero) {
        FillWithRandom<decltype(zero)>(block, a, b);
      });
      if (!CheckDiv(div, a, b)) return;
    }
  });
}

/// Dividends for one divisor: edges, numbers next to its multiples (including
/// the highest multiple), and random numbers.
template <typename T>
void FillForDivisor(const Array& edges, T divisor, uint64_t seed, Array& a) {
  const size_t n = edges.size();
  const auto d = static_cast<uint64_t>(divisor);
  const T highest = std::numeric_limits<T>::max();
  const T lowest = std::numeric_limits<T>::min();
  Random random(seed);
  T* p = a.as<T>();
  for (size_t i = 0; i < n; ++i) {
    const uint64_t q = i == 0 ? uint64_t(Quotient<T>(highest, divisor))
                       : i == 1
                           ? uint64_t(Quotient<T>(lowest, divisor))
                           : uint64_t(Quotient<T>(random.Mixed<T>(), divisor));
    p[i] = edges.as<T>()[i];
    for (uint64_t k = 0; k < 3; ++k) {
      p[n * (k + 1) + i] = static_cast<T>(q * d + k - 1);
    }
    p[n * 4 + i] = random.Mixed<T>();
  }
}

TEST_P(DivIntegers, ScalarDivisors) {
  const Array edges = Edges(GetParam());
  const std::vector<Subject> div = DivOnAllIsas(GetParam(), LW_SCALAR_B);
  // All edges, then random divisors of every magnitude.
  OnEveryCore(edges.size() + 4000, [&](const auto& next) {
    Array a(GetParam(), 5 * edges.size());
    Array b(GetParam(), 1);
    for (uint64_t i = 0; next(&i);) {
      WithCppType(GetParam(), [&](auto zero) {
        using T = decltype(zero);
        const T d = i < edges.size() ? edges.as<T>()[i] : Random(i).Mixed<T>();
        *b.as<T>() = d;
        FillForDivisor<T>(edges, d, i, a);
      });
      if (!CheckDiv(div, a, b)) return;
    }
  });
}

TEST_P(DivIntegers, ScalarDividends) {
  const Array edges = Edges(GetParam());
  const std::vector<Subject> div = DivOnAllIsas(GetParam(), LW_SCALAR_A);
  for (size_t i = 0; i < edges.size(); ++i) {
    Array a(GetParam(), 1);
    std::memcpy(a.data(), edges.at(i), a.bytes());
    if (!CheckDiv(div, a, edges)) return;
  }
}

// Quotients written by hand, in every type.
TEST(DivIntegersByHand, EveryTypeOnEveryIsa) {
  for (const lw_type type : kDivIntegers) {
    WithCppType(type, [&](auto zero) {
      using T = decltype(zero);
      const T min = std::numeric_limits<T>::min();
      const T max = std::numeric_limits<T>::max();
      std::vector<T> a = {7, 6, 1, 0, max, max, 9, 100};
      std::vector<T> b = {2, 3, 2, 5, 1, max, 10, 7};
      std::vector<T> quotient = {3, 2, 0, 0, max, 1, 0, 14};
      if (std::is_signed_v<T>) {
        const auto minus = [](int x) { return static_cast<T>(-x); };
        for (const auto& [x, y, q] : std::vector<std::array<T, 3>>{
                 {minus(7), 2, minus(3)},  // toward zero
                 {7, minus(2), minus(3)},
                 {minus(7), minus(2), 3},
                 {minus(1), 2, 0},
                 {7, minus(1), minus(7)},
                 {min, minus(1), min},  // wraps
                 {min, 1, min},
                 {min, min, 1},
                 {max, min, 0},
                 {min, max, minus(1)}}) {
          a.push_back(x);
          b.push_back(y);
          quotient.push_back(q);
        }
      }
      for (const Subject& div : DivOnAllIsas(type)) {
        EXPECT_TRUE(SameBits(Compute(div, {type, a}, {type, b}),
                             Array(type, quotient)));
        // Calls with one element have a way of their own.
        for (size_t i = 0; i < a.size(); ++i) {
          EXPECT_TRUE(SameBits(Compute(div, {type, std::vector<T>(1, a[i])},
                                       {type, std::vector<T>(1, b[i])}),
                               Array(type, std::vector<T>(1, quotient[i]))));
        }
      }
      for (const Subject& div : DivOnAllIsas(type, LW_SCALAR_B)) {
        for (size_t i = 0; i < a.size(); ++i) {
          EXPECT_TRUE(SameBits(Compute(div, {type, std::vector<T>(21, a[i])},
                                       {type, std::vector<T>(1, b[i])}),
                               Array(type, std::vector<T>(21, quotient[i]))));
        }
      }
    });
  }
}

}  // namespace
}  // namespace lanewise::test
