// SPDX-License-Identifier: Apache-2.0
//
// Div: the types that each version accepts, and quotients of floats. Integers,
// all pairs of narrow types, zero divisors, memory and threads, the
// floating-point environment, and broadcasting are tested in div_*_test.cc.

#include <cstdint>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_div = {
    .name = "Div",
    .versions = ArithmeticVersions(),
    .output = {"C"},
    .exact =
        [](lw_type type, const long double* in) {
          return InTypeOf(type, in, [](auto a, auto b) { return a / b; });
        },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const int64_t a = ReadInteger(type, in[0]);
          const int64_t b = ReadInteger(type, in[1]);
          int64_t q = 0;
          if (b == 0) {
            q = 0;
          } else if (!IsSignedInteger(type)) {
            q = static_cast<int64_t>(static_cast<uint64_t>(a) /
                                     static_cast<uint64_t>(b));
          } else if (b == -1) {
            q = static_cast<int64_t>(0 - static_cast<uint64_t>(a));
          } else {
            q = a / b;
          }
          WriteInteger(type, q, out);
        },
    .typical = {Range::kExponents, -5, 5},
    .wide = AnyExponent,
    .divides = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/check_values.h"

namespace lanewise::test {
namespace {

// ---- Versions ----

// The first version that lists a type, or 0 if none does.
int SinceVersion(int32_t type) {
  switch (type) {
    case LW_FLOAT16:
    case LW_FLOAT32:
    case LW_FLOAT64:
      return 1;
    case LW_INT32:
    case LW_INT64:
    case LW_UINT32:
    case LW_UINT64:
      return 6;
    case LW_BFLOAT16:
      return 13;
    case LW_INT8:
    case LW_INT16:
    case LW_UINT8:
    case LW_UINT16:
      return 14;
    default:
      return 0;
  }
}

TEST(DivVersions, EveryTypeAtEveryOpset) {
  const int versions[] = {1, 6, 7, 13, 14};
  for (int32_t opset = 1; opset <= 30; ++opset) {
    const int version = *(
        std::upper_bound(std::begin(versions), std::end(versions), opset) - 1);
    const OpPtr op = MakeOp(nullptr, {"Div", opset, 2});
    for (int32_t type = 1; type <= LW_INT2; ++type) {
      const std::string label =
          "Div-" + std::to_string(version) + ", " + lw_type_name(type);
      const bool listed =
          SinceVersion(type) != 0 && SinceVersion(type) <= version;
      const lw_status wanted = listed ? LW_OK : LW_UNSUPPORTED_TYPE;
      const auto names_it = [&] {
        const std::string message = lw_last_error();
        return listed ||
               (message.find("Div-" + std::to_string(version)) !=
                    std::string::npos &&
                message.find(lw_type_name(type)) != std::string::npos);
      };

      const lw_tensor scalar = {nullptr, type, 0, nullptr, nullptr, 0};
      const lw_tensor in[] = {scalar, scalar};
      lw_shape shape;
      EXPECT_EQ(lw_op_infer(op.get(), in, 2, &shape), wanted) << label;
      EXPECT_TRUE(names_it()) << label << ": " << lw_last_error();
      for (const lw_pattern pattern : kPatterns) {
        EXPECT_EQ(KernelStatus(nullptr, "Div", opset, type, pattern), wanted)
            << label;
        EXPECT_TRUE(names_it()) << label << ": " << lw_last_error();
      }
    }
  }
}

TEST(DivVersions, SameBitsInEveryVersion) {
  for (const lw_type type : kDivTypes) {
    const Array a = RandomBits(type, 1000);
    const Array b = RandomDivisors(type, 1000);
    const Array expected = Compute(KernelApi(nullptr, kDiv, type), a, b);
    for (int32_t opset = SinceVersion(type); opset <= 15; ++opset) {
      const OpId id = {"Div", opset, 2};
      EXPECT_TRUE(
          SameBits(Compute(KernelApi(nullptr, id, type), a, b), expected));
      EXPECT_TRUE(
          SameBits(Compute(TensorApi(nullptr, id, type), a, b), expected));
    }
  }
}

TEST(DivVersions, BothInputsHaveOneType) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  const lw_tensor in[] = {{nullptr, LW_INT32, 0, nullptr, nullptr, 0},
                          {nullptr, LW_UINT32, 0, nullptr, nullptr, 0}};
  lw_shape shape;
  EXPECT_EQ(lw_op_infer(op.get(), in, 2, &shape), LW_UNSUPPORTED_TYPE);
}

// ---- Quotients by hand, because the oracle might be wrong, too ----

struct FloatCase {
  float a, b, quotient;
};
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr FloatCase kCases[] = {
    {1, 3, 0x1.555556p-2f},
    {-1, 3, -0x1.555556p-2f},
    {2, 3, 0x1.555556p-1f},
    {10, 5, 2},
    {7, -2, -3.5f},
    {0, 5, 0},
    {0, -5, -0.0f},
    {5, 0, kInf},
    {5, -0.0f, -kInf},
    {-5, 0, -kInf},
    {0, 0, kNan},
    {kInf, kInf, kNan},
    {kInf, -2, -kInf},
    {2, -kInf, -0.0f},
    {kNan, 1, kNan},
    {1, kNan, kNan},
    {0x1p-126f, 2, 0x1p-127f},      // a subnormal result
    {0x1p-149f, 2, 0},              // a tie, to even
    {0x1.8p-148f, 2, 0x1p-148f},    // a tie, to even, upwards
    {0x1p-149f, 0x1p-149f, 1},      // subnormal operands
    {0x1.fffffep127f, 0.5f, kInf},  // overflow
    {0x1.fffffep127f, 0x1.fffffep127f, 1},
    {0x1p-126f, 0x1.fffffep127f, 0},         // underflow
    {1, 0x1.fffffep127f, 0x1.000002p-128f},  // its reciprocal is subnormal
};

class DivTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, DivTest, testing::ValuesIn(AllWays()),
                         testing::PrintToStringParamName());

TEST_P(DivTest, FloatQuotientsByHand) {
  for (const lw_pattern pattern : kPatterns) {
    const Subject div = KernelApi(isa().engine, kDiv, LW_FLOAT32, pattern);
    for (const FloatCase& c : kCases) {
      const size_t n = 19;
      const Array a(LW_FLOAT32,
                    std::vector<float>(pattern == LW_SCALAR_A ? 1 : n, c.a));
      const Array b(LW_FLOAT32,
                    std::vector<float>(pattern == LW_SCALAR_B ? 1 : n, c.b));
      Array expected(LW_FLOAT32, std::vector<float>(n, c.quotient));
      Array actual = Compute(div, a, b);
      UnifyNans(expected);
      UnifyNans(actual);
      EXPECT_TRUE(SameBits(actual, expected)) << c.a << " / " << c.b;
    }
  }
}

// Quotients of 16-bit types, which must be rounded only once.
TEST_P(DivTest, NarrowFloatQuotientsByHand) {
  struct Case {
    lw_type type;
    uint16_t a, b, quotient;
  };
  constexpr Case kNarrow[] = {
      {LW_FLOAT16, 0x3C00, 0x4200, 0x3555},   // 1 / 3
      {LW_FLOAT16, 0x7BFF, 0x3800, 0x7C00},   // 65504 / 0.5
      {LW_FLOAT16, 0x0001, 0x4000, 0x0000},   // a tie, to even
      {LW_FLOAT16, 0x0003, 0x4000, 0x0002},   // a tie, to even, upwards
      {LW_FLOAT16, 0x0001, 0x0001, 0x3C00},   // subnormal operands
      {LW_FLOAT16, 0x0400, 0x4000, 0x0200},   // a subnormal result
      {LW_FLOAT16, 0x7C00, 0xC000, 0xFC00},   // inf / -2
      {LW_FLOAT16, 0x4000, 0xFC00, 0x8000},   // 2 / -inf
      {LW_FLOAT16, 0x4000, 0x8000, 0xFC00},   // 2 / -0
      {LW_BFLOAT16, 0x3F80, 0x4040, 0x3EAB},  // 1 / 3
      {LW_BFLOAT16, 0x7F7F, 0x3F00, 0x7F80},  // overflow
      {LW_BFLOAT16, 0x0001, 0x4000, 0x0000},  // a tie, to even
      {LW_BFLOAT16, 0x0003, 0x4000, 0x0002},  // a tie, to even, upwards
      {LW_BFLOAT16, 0x0080, 0x4000, 0x0040},  // a subnormal result
      {LW_BFLOAT16, 0x0001, 0x0001, 0x3F80},  // subnormal operands
  };
  for (const Case& c : kNarrow) {
    const std::vector<uint16_t> a(35, c.a), b(35, c.b),
        quotient(35, c.quotient);
    EXPECT_TRUE(SameBits(Compute(KernelApi(isa().engine, kDiv, c.type),
                                 {c.type, a}, {c.type, b}),
                         {c.type, quotient}));
  }
}

// ---- Quotients against the oracle ----

/// Bit patterns around every special exponent and mantissa.
Array Specials(lw_type type) {
  const int m = MantissaBits(type);
  const int width = static_cast<int>(8 * ElementSize(type));
  const uint64_t top = (uint64_t{1} << m) - 1;
  const uint64_t max_exponent = (uint64_t{1} << (width - 1 - m)) - 1;
  const uint64_t middle = max_exponent / 2;
  std::vector<uint64_t> exponents;
  for (uint64_t i = 0; i < 4; ++i) {
    for (const uint64_t base :
         {uint64_t{0}, uint64_t(m) - 1, middle / 2, middle - uint64_t(m) - 2,
          middle - 2, middle + uint64_t(m) - 1, middle / 2 * 3,
          max_exponent - 3}) {
      exponents.push_back(base + i);
    }
  }
  std::mt19937_64 random(3);
  std::vector<uint64_t> patterns;
  for (const uint64_t exponent : exponents) {
    for (uint64_t mantissa :
         {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, top / 2,
          top / 2 + 1, top / 2 + 2, top / 3, top - 1, top, random() & top,
          random() & top, random() & top, random() & top}) {
      patterns.push_back(exponent << m | mantissa);
      patterns.push_back(exponent << m | mantissa | uint64_t{1} << (width - 1));
    }
  }
  return FromPatterns(type, patterns);
}

class DivFloats : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivFloats, testing::ValuesIn(kDivFloats),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivFloats, SpecialsSquared) {
  const Array specials = Specials(GetParam());
  for (const lw_pattern pattern : kPatterns) {
    const std::vector<Subject> div = DivOnAllIsas(GetParam(), pattern);
    Array other(GetParam(), pattern == LW_SAME ? specials.size() : 1);
    for (size_t k = 0; k < specials.size(); ++k) {
      for (size_t i = 0; i < other.size(); ++i) {
        std::memcpy(other.at(i), specials.at((i + k) % specials.size()),
                    other.element_size());
      }
      const bool is_a = pattern == LW_SCALAR_A;
      if (!CheckDiv(div, is_a ? other : specials, is_a ? specials : other)) {
        return;
      }
    }
  }
}

TEST_P(DivFloats, RandomBits) {
  constexpr size_t kBlock = 1 << 13;
  const std::vector<Subject> div = DivOnAllIsas(GetParam());
  OnEveryCore(1 << 11, [&](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      if (!CheckDiv(div, test::RandomBits(GetParam(), kBlock, 2 * block),
                    test::RandomBits(GetParam(), kBlock, 2 * block + 1))) {
        return;
      }
    }
  });
}

// Quotients as close to a tie as possible: q is halfway between two numbers,
// and a is the number nearest to q * b. TWide represents q exactly, and q * b
// closely enough.
template <typename T, typename TWide>
void CheckNearTies(lw_type type) {
  constexpr size_t kBlock = 1 << 13;
  constexpr int kBits = std::numeric_limits<T>::digits;
  const std::vector<Subject> div = DivOnAllIsas(type);
  OnEveryCore(1 << 9, [&](const auto& next) {
    Array a(type, kBlock);
    Array b(type, kBlock);
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      for (size_t i = 0; i < kBlock; ++i) {
        const uint64_t bit = uint64_t{1} << (kBits - 1);
        const uint64_t mantissa = bit | (random() & (bit - 1));
        const auto divisor = static_cast<T>(bit | (random() & (bit - 1)));
        const auto q = static_cast<TWide>(mantissa) + static_cast<TWide>(0.5);
        b.as<T>()[i] = divisor;
        a.as<T>()[i] = static_cast<T>(q * static_cast<TWide>(divisor));
        // Scale some of them down to where the result is subnormal and has
        // fewer bits.
        if (i % 4 == 0) {
          const int down = std::numeric_limits<T>::min_exponent - 2 * kBits -
                           static_cast<int>(random() % kBits);
          a.as<T>()[i] = std::ldexp(a.as<T>()[i], down / 2);
          b.as<T>()[i] = std::ldexp(b.as<T>()[i], down / 2 - down);
        }
      }
      if (!CheckDiv(div, a, b)) return;
    }
  });
}
TEST(DivNearTies, Float32) { CheckNearTies<float, double>(LW_FLOAT32); }
TEST(DivNearTies, Float64) { CheckNearTies<double, long double>(LW_FLOAT64); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
