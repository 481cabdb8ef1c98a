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

/// A block of JudgeEveryIsa. `Inputs` makes the inputs of a block.
template <typename TFloat, typename Exact>
class UlpBlock {
 public:
  using T = TFloat;
  using Inputs = void (*)(uint64_t index, uint32_t stride, T* x);
  static constexpr lw_type kType = sizeof(T) == 4 ? LW_FLOAT32 : LW_FLOAT64;
  static constexpr size_t kSize = 4096;

  UlpBlock(Exact (*exact)(Exact), Inputs inputs, uint32_t stride)
      : exact_of_(exact), inputs_(inputs), stride_(stride) {}

  size_t Fill(uint64_t index, T* x) {
    inputs_(index, stride_, x);
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
  Inputs inputs_;
  uint32_t stride_;
  const T* x_ = nullptr;
  std::vector<Exact> exact_ = std::vector<Exact>(kSize);
};

/// Every stride-th of the 2^32 floats, an odd number.
inline void CheckUlps32(const OpId& op, double (*exact)(double),
                        uint32_t stride) {
  using Block = UlpBlock<float, double>;
  const auto inputs = [](uint64_t index, uint32_t step, float* x) {
    for (size_t i = 0; i < Block::kSize; ++i) {
      x[i] = FloatOf(static_cast<uint32_t>((index * Block::kSize + i) * step));
    }
  };
  CheckErrors(op, (uint64_t{1} << 32) / Block::kSize / stride,
              Block(exact, inputs, stride), 1.0);
}

/// Doubles of all magnitudes, and those around 1, 30 and 1000, of either sign:
/// blocks * 4096 of them.
inline void CheckUlps64(const OpId& op, long double (*exact)(long double),
                        uint64_t blocks) {
  using Block = UlpBlock<double, long double>;
  const auto inputs = [](uint64_t index, uint32_t, double* x) {
    std::mt19937_64 random(index);
    for (size_t i = 0; i < Block::kSize; ++i) {
      const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
      const double scales[] = {2, 30, 1000};
      const uint64_t kind = random() % 8;
      const double size =
          kind == 0  ? DoubleOf(random() >> 1)
          : kind < 3 ? std::ldexp(1 + unit, -static_cast<int>(random() % 60))
                     : scales[kind % 3] * unit;
      x[i] = random() % 2 == 0 ? size : -size;
    }
  };
  CheckErrors(op, blocks, Block(exact, inputs, 1), 1.0);
}

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
