// SPDX-License-Identifier: Apache-2.0
//
// The errors of operators with one input whose float32 and float64 results may
// be an ULP off: float32 against a function of doubles, in all inputs or a
// sample, and float64 against one of long doubles. Also what the suite cannot
// check for them: values by hand, and the same bits at every length.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_errors.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_unary.h"
#include "tests/support/operator_spec.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {

/// The error of y in units of the last place of a T at `exact`; infinity if
/// sign, NaN, or an infinity that is no rounding differs.
template <typename T, typename Exact>
double UlpError(Exact exact, T y) {
  constexpr bool kIsFloat = sizeof(T) == 4;
  constexpr int kLeast = kIsFloat ? -126 : -1022;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (exact != exact || y != y)
    return (exact != exact) == (y != y) ? 0 : kWrong;
  if (std::signbit(exact) != std::signbit(y)) return kWrong;
  if (static_cast<Exact>(y) == exact) return 0;
  if (std::isinf(static_cast<T>(exact)) || std::isinf(y)) {
    return static_cast<T>(exact) == y ? 0 : kWrong;
  }
  int exponent;
  if constexpr (sizeof(Exact) == 8) {  // quicker than ilogb
    exponent = static_cast<int>(BitsOf(exact) >> 52 & 0x7FF) - 1023;
  } else {
    exponent = exact == 0 ? kLeast : std::ilogb(exact);
  }
  exponent = std::max(exponent, kLeast) - (kIsFloat ? 23 : 52);
  const Exact off = std::fabs(static_cast<Exact>(y) - exact);
  if constexpr (sizeof(Exact) == 8) {
    return off * DoubleOf(static_cast<uint64_t>(1023 - exponent) << 52);
  } else {
    return static_cast<double>(std::ldexp(off, -exponent));
  }
}

/// A block of JudgeEveryIsa. draw(index, i, random) is input i of a block.
template <typename TFloat, typename Exact, class Draw>
class UlpBlock {
 public:
  using T = TFloat;
  static constexpr lw_type kType = sizeof(T) == 4 ? LW_FLOAT32 : LW_FLOAT64;
  static constexpr size_t kSize = 4096;

  UlpBlock(Exact (*exact)(Exact), Draw draw) : exact_of_(exact), draw_(draw) {}

  size_t Fill(uint64_t index, T* x) {
    std::mt19937_64 random(index);
    for (size_t i = 0; i < kSize; ++i) x[i] = draw_(index, i, random);
    return kSize;
  }
  void Prepare(const T* x, size_t n) {
    x_ = x;
    for (size_t i = 0; i < n; ++i) exact_[i] = exact_of_(x[i]);
  }
  Judgement Judge(const T* y, size_t n) const {
    Judgement judgement;
    for (size_t i = 0; i < n; ++i) {
      judgement.worst.Add({UlpError(exact_[i], y[i]), double{x_[i]}});
    }
    return judgement;
  }

 private:
  Exact (*exact_of_)(Exact);
  Draw draw_;
  const T* x_ = nullptr;
  std::vector<Exact> exact_ = std::vector<Exact>(kSize);
};

/// Every stride-th of the 2^32 floats, an odd number.
inline void CheckUlps32(const OpId& op, double (*exact)(double),
                        uint32_t stride) {
  constexpr uint64_t kSize = 4096;
  const auto draw = [stride](uint64_t index, size_t i, std::mt19937_64&) {
    return FloatOf(static_cast<uint32_t>((index * kSize + i) * stride));
  };
  using Block = UlpBlock<float, double, decltype(draw)>;
  static_assert(Block::kSize == kSize);
  CheckErrors(op, (uint64_t{1} << 32) / kSize / stride, Block(exact, draw),
              1.0);
}

/// A number in [low, high).
inline double Uniform(double low, double high, std::mt19937_64& random) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
/// Of either sign, with an exponent in [low, high).
inline double AnyMagnitude(int low, int high, std::mt19937_64& random) {
  const auto width = static_cast<uint64_t>(high - low);
  const int exponent = low + static_cast<int>(random() % width);
  const double magnitude = std::ldexp(Uniform(1, 2, random), exponent);
  return random() % 2 == 0 ? magnitude : -magnitude;
}
/// For functions that change between -50 and 50, and whose results end or
/// become subnormal close to -720.
inline double AroundZero(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 7) {
    case 0:
      return Uniform(-2, 2, random);
    case 1:
      return AnyMagnitude(-1074, 6, random);
    case 2:
      return Uniform(-760, -690, random);
    case 3:
      return Uniform(-50, 0, random);
    case 4:
      return Uniform(0, 50, random);
    case 5:
      return Uniform(-1000, 1000, random);
    default:
      return DoubleOf(random());
  }
}

/// blocks * 4096 doubles.
template <class Draw = decltype(&AroundZero)>
void CheckUlps64(const OpId& op, long double (*exact)(long double),
                 uint64_t blocks, Draw draw = AroundZero) {
  CheckErrors(op, blocks, UlpBlock<double, long double, Draw>(exact, draw),
              1.0);
}

/// All floats if the run is long, else every 15th: the oracles of functions
/// take minutes for all.
inline uint32_t FloatStride() { return AllIsasWanted() ? 1 : 15; }

/// The four tests of an operator's errors: of float32 and a smaller sample, and
/// of many doubles and a few. The last argument, if there is one, draws
/// doubles.
#define LANEWISE_ULP_TESTS(suite, op, in_double, in_long_double, ...) \
  TEST(suite, ExhaustiveFloat32) {                                    \
    CheckUlps32(op, in_double, FloatStride());                        \
  }                                                                   \
  TEST(suite, Float32Sample) { CheckUlps32(op, in_double, 1021); }    \
  TEST(suite, ExhaustiveFloat64Strata) {                              \
    CheckUlps64(op, in_long_double, 5000 __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                   \
  TEST(suite, Float64Sample) {                                        \
    CheckUlps64(op, in_long_double, 100 __VA_OPT__(, ) __VA_ARGS__);  \
  }                                                                   \
  static_assert(true, "a semicolon follows")

/// The results of some numbers in all types, or in one type.
using ByHand = std::vector<std::pair<double, double>>;
inline void CheckByHand(const lw_engine* engine, const OpId& op, lw_type type,
                        const ByHand& pairs) {
  for (const auto& [x, y] : pairs) {
    // With a tail, whatever the length of vectors.
    const Array in = FromValues(type, std::vector<double>(67, x));
    const Array out = Compute(KernelApi(engine, op, type), in);
    EXPECT_TRUE(SameBits(out, FromValues(type, std::vector<double>(67, y))))
        << op.name << " of " << lw_type_name(type) << ' ' << x << " is "
        << BitsText(out.at(0), out.element_size());
  }
}

/// An element's bits depend on nothing but the element.
inline void CheckSameBits(const lw_engine* engine, const OpId& op) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckEveryLengthAndAlignment(KernelApi(engine, op, type),
                                 RandomBits(type, 1000));
    CheckOneValueOneResult(KernelApi(engine, op, type),
                           FromValues(type, {0.3, -0.7, -3.1, 2.5, -20.0}),
                           150);
  }
  CheckDirectedRounding16(engine, op, 0);
}

/// Below 1 ULP, or correctly rounded if the type has 16 bits.
inline bool IsBelow1Ulp(lw_type type, long double exact, const void* y) {
  if (type == LW_FLOAT32) {
    return UlpError(exact, *static_cast<const float*>(y)) < 1;
  }
  if (type == LW_FLOAT64) {
    return UlpError(exact, *static_cast<const double*>(y)) < 1;
  }
  return ExactOrNan(Narrow(static_cast<double>(exact), FormatOf(type)),
                    ReadBits(y, 2), type);
}

/// A node with attributes: all values of the 16-bit types, correctly rounded,
/// and some of the others, below 1 ULP.
inline void CheckNode(
    const lw_engine* engine, const OpId& id,
    const std::vector<lw_attribute>& attributes,
    const std::function<long double(lw_type, long double)>& exact) {
  const OpPtr op = MakeOp(engine, id, attributes);
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const lw_kernel* kernel = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
    const bool is_wide = ElementSize(type) > 2;
    std::mt19937_64 random(3);
    const Array in =
        is_wide ? MixedElements(type, 20'000, random) : AllValues(type);
    Array out(type, in.size());
    const void* const inputs[] = {in.data()};
    ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
    for (size_t i = 0; i < in.size(); ++i) {
      const long double y = exact(type, ReadFloat(type, in.at(i)));
      ASSERT_TRUE(IsBelow1Ulp(type, y, out.at(i)))
          << BitsText(in.at(i), in.element_size()) << " gives "
          << BitsText(out.at(i), in.element_size()) << ", not " << y;
    }
  }
}

/// An attribute as an element of the type.
inline long double RoundedTo(lw_type type, float value) {
  if (ElementSize(type) > 2) return value;
  return Widen(Narrow(value, FormatOf(type)), FormatOf(type));
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_
