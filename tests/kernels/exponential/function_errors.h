// SPDX-License-Identifier: Apache-2.0
//
// The error of a function of one float, in ULP, against the same function in a
// wider type: float32 against double, double against long double. Blocks for
// check_errors.h.

#ifndef LANEWISE_TESTS_KERNELS_EXPONENTIAL_FUNCTION_ERRORS_H_
#define LANEWISE_TESTS_KERNELS_EXPONENTIAL_FUNCTION_ERRORS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_errors.h"

namespace lanewise::test {

template <typename TFloat, typename TWide>
class FunctionBlock {
 public:
  using T = TFloat;
  static constexpr lw_type kType =
      sizeof(T) == sizeof(float) ? LW_FLOAT32 : LW_FLOAT64;
  static constexpr size_t kSize = 4096;
  using Exact = TWide (*)(TWide);
  using Draw = T (*)(uint64_t block, uint64_t i, std::mt19937_64& random);

  FunctionBlock(Exact exact, Draw draw) : exact_(exact), draw_(draw) {}

  size_t Fill(uint64_t index, T* x) {
    std::mt19937_64 random(index);
    for (size_t i = 0; i < kSize; ++i) x[i] = draw_(index, i, random);
    return kSize;
  }

  void Prepare(const T* x, size_t n) {
    x_ = x;
    constexpr int kBits = std::numeric_limits<T>::digits - 1;
    constexpr int kLeast = std::numeric_limits<T>::min_exponent - 1;
    constexpr int kMost = std::numeric_limits<T>::max_exponent - 1;
    for (size_t i = 0; i < n; ++i) {
      const TWide y = exact_(TWide{x[i]});
      int exponent = kLeast;
      if (std::isnormal(y)) std::frexp(y, &exponent), --exponent;
      scale_[i] =
          std::ldexp(TWide{1}, kBits - std::clamp(exponent, kLeast, kMost));
      expected_[i] = y;
    }
  }

  Judgement Judge(const T* y, size_t n) const {
    Judgement judgement;
    for (size_t i = 0; i < n; ++i) {
      const TWide exact = expected_[i];
      // Also infinities that are right, and an overflow that rounds to one.
      if (y[i] == static_cast<T>(exact)) {
        if (std::isinf(y[i])) continue;
        if (exact == 0 && std::signbit(y[i]) == std::signbit(exact)) continue;
      } else if (exact != exact && y[i] != y[i]) {
        continue;
      }
      const auto ulps =
          static_cast<double>(std::fabs(TWide{y[i]} - exact) * scale_[i]);
      if (ulps < 2 &&
          (y[i] != 0 || std::signbit(y[i]) == std::signbit(exact))) {
        if (ulps > judgement.worst.ulps)
          judgement.worst = {ulps, double{x_[i]}};
        continue;
      }
      judgement.worst.Add({ulps, double{x_[i]}});
      judgement.fault = "NaN, sign, zero or infinity is wrong, or all bits";
      judgement.fault_input = double{x_[i]};
    }
    return judgement;
  }

 private:
  Exact exact_;
  Draw draw_;
  const T* x_ = nullptr;
  std::vector<TWide> expected_ = std::vector<TWide>(kSize);
  std::vector<TWide> scale_ = std::vector<TWide>(kSize);
};
using FloatBlock = FunctionBlock<float, double>;
using DoubleBlock = FunctionBlock<double, long double>;

/// All floats, in 2^32 / kSize blocks, and every 1021st of them.
inline constexpr uint64_t kAllFloats = (uint64_t{1} << 32) / FloatBlock::kSize;
inline constexpr uint64_t kSomeFloats = kAllFloats / 1021;
inline float EachFloat(uint64_t block, uint64_t i, std::mt19937_64&) {
  return FloatOf(static_cast<uint32_t>(block * FloatBlock::kSize + i));
}
inline float SomeFloat(uint64_t block, uint64_t i, std::mt19937_64&) {
  return FloatOf(static_cast<uint32_t>((block * FloatBlock::kSize + i) * 1021));
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
inline double EachScale(uint64_t block, uint64_t, std::mt19937_64& random) {
  switch (block % 6) {
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
    default:
      return DoubleOf(random());
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_EXPONENTIAL_FUNCTION_ERRORS_H_
