// SPDX-License-Identifier: Apache-2.0
//
// The correct results of Exp. float32 is compared with double precision, whose
// error is 2^-29 of a float's last place; the other types with PreciseExp.

#ifndef LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_ORACLE_H_
#define LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_ORACLE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/check_errors.h"
#include "tests/support/double_double.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

inline constexpr OpId kExp = {"Exp", 13};

/// The arguments where results stop being finite or non-zero, in round to
/// nearest.
template <typename T>
struct ExpThresholds {
  T last_finite;
  T first_infinite;
  T last_nonzero;
  T first_zero;
};
inline constexpr ExpThresholds<float> kExpFloat32 = {
    88.72283172607422f, 88.72283935546875f, -103.97207641601562f,
    -103.97208404541016f};
inline constexpr ExpThresholds<double> kExpFloat64 = {
    709.782712893384, 709.7827128933841, -745.1332191019411,
    -745.1332191019412};
// float16 and bfloat16, as values rather than bits.
inline constexpr ExpThresholds<double> kExpFloat16 = {11.0859375, 11.09375,
                                                      -17.328125, -17.34375};
inline constexpr ExpThresholds<double> kExpBfloat16 = {88.5, 89.0, -92.5,
                                                       -93.0};

/// e^x rounded to double, for any x.
inline double RoundedExp(double x) {
  if (!(std::fabs(x) < 1000)) return std::exp(x);
  const ScaledDoubleDouble e = PreciseExp(x);
  return std::ldexp(e.fraction.hi, e.exponent);
}

/// The correctly rounded results of a 16-bit format. Rounding a double is
/// sufficient: no e^x is so close to a tie that the error of the double
/// matters.
template <const Format& kFormat>
void Exp16(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const uint16_t*>(in);
  auto* y = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < n; ++i) {
    const double exact = RoundedExp(Widen(x[i], kFormat));
    y[i] = static_cast<uint16_t>(Narrow(exact, kFormat));
    if (std::isnan(exact)) continue;
    EXPECT_EQ(y[i], Narrow(exact * (1 + 0x1p-45), kFormat));
    EXPECT_EQ(y[i], Narrow(exact * (1 - 0x1p-45), kFormat));
  }
}

/// Every `stride`-th of the 2^32 floats.
class ExpFloat32Block {
 public:
  using T = float;
  static constexpr lw_type kType = LW_FLOAT32;
  static constexpr size_t kStep = 4096;
  static constexpr size_t kSize = kStep + 1;
  static constexpr uint64_t kBlocks = (uint64_t{1} << 32) / kStep;

  ExpFloat32Block(uint32_t stride, const RoundingMode& rounding)
      : stride_(stride), nearest_(rounding.mode == FE_TONEAREST) {}

  /// Consecutive blocks share one float, the first of the next block, so that
  /// reversals between two blocks are found, too.
  size_t Fill(uint64_t index, float* x) {
    const uint64_t first = index * kStep;
    const bool last = (first + kStep) % (uint64_t{1} << 31) == 0;
    const size_t n = stride_ != 1 || last ? kStep : kSize;
    for (size_t i = 0; i < n; ++i) {
      x[i] = FloatOf(static_cast<uint32_t>((first + i) * stride_));
    }
    return n;
  }

  void Prepare(const float* x, size_t n) {
    x_ = x;
    for (size_t i = 0; i < n; ++i) {
      const double exact = x[i] > 89     ? kOverflow
                           : x[i] < -110 ? 0
                                         : std::exp(double{x[i]});
      exact_[i] = std::min(exact, kOverflow);
      scale_[i] = InverseUlp(exact_[i]);
      if (x[i] != x[i]) exact_[i] = scale_[i] = 0;
      const Range range = RangeAt(x[i]);
      low_[i] = range.low;
      high_[i] = range.high;
      mask_[i] = range.mask;
    }
  }

  Judgement Judge(const float* y, size_t n) const {
    Judgement judgement;
    if (size_t i = FirstOutOfRange(y, n); i != n) {
      judgement.fault = "NaN, sign, zero or infinity is wrong";
      judgement.fault_input = double{x_[i]};
    }
    const double worst = MaxUlps(y, n);
    size_t at = 0;
    while (at < n && Ulps(y, at) != worst) ++at;
    if (at < n) judgement.worst = {worst, double{x_[at]}};
    if (stride_ == 1) CountReversals(y, n, &judgement);
    return judgement;
  }

 private:
  static constexpr double kOverflow = 0x1p+128;
  static constexpr int32_t kInfinity = 0x7F800000;
  static constexpr int32_t kOne = 0x3F800000;

  // The range of a result's bits, after the sign of a NaN is masked out.
  struct Range {
    int32_t low;
    int32_t high;
    int32_t mask;
  };
  Range RangeAt(float x) const {
    if (x != x) return {kInfinity + 1, INT32_MAX, INT32_MAX};
    if (x == 0) return {kOne, kOne, -1};
    if (!nearest_) return {0, kInfinity, -1};
    if (x >= kExpFloat32.first_infinite) return {kInfinity, kInfinity, -1};
    if (x <= kExpFloat32.first_zero) return {0, 0, -1};
    return {1, kInfinity - 1, -1};
  }

  // One divided by the ULP of a float at `exact`.
  static double InverseUlp(double exact) {
    const uint64_t exponent =
        std::clamp<uint64_t>(BitsOf(exact) >> 52, 1023 - 126, 1023 + 127);
    return DoubleOf((2 * 1023 + 23 - exponent) << 52);
  }

  size_t FirstOutOfRange(const float* y, size_t n) const {
    const auto wrong = [&](size_t i) {
      const auto bits = static_cast<int32_t>(BitsOf(y[i])) & mask_[i];
      return static_cast<int>(bits < low_[i]) |
             static_cast<int>(bits > high_[i]);
    };
    int any = 0;
    for (size_t i = 0; i < n; ++i) any |= wrong(i);
    if (any == 0) return n;
    size_t i = 0;
    while (!wrong(i)) ++i;
    return i;
  }

  double Ulps(const float* y, size_t i) const {
    const double value = double{y[i]} < kOverflow ? double{y[i]} : kOverflow;
    return std::fabs(value - exact_[i]) * scale_[i];
  }
  // Several maxima in parallel, for speed. FirstOutOfRange detects NaNs.
  double MaxUlps(const float* y, size_t n) const {
    constexpr size_t kLanes = 8;
    double max[kLanes] = {};
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (size_t k = 0; k < kLanes; ++k) {
        const double ulps = Ulps(y, i + k);
        max[k] = max[k] < ulps ? ulps : max[k];
      }
    }
    for (; i < n; ++i) max[0] = std::max(max[0], Ulps(y, i));
    return *std::max_element(max, max + kLanes);
  }

  // The bits of non-negative floats have the same order as their values.
  void CountReversals(const float* y, size_t n, Judgement* judgement) const {
    if (x_[0] != x_[0] || x_[n - 1] != x_[n - 1]) return;
    const bool negative = std::signbit(x_[0]);
    const auto reversed = [=](size_t i) {
      const auto before = static_cast<int32_t>(BitsOf(y[i]));
      const auto after = static_cast<int32_t>(BitsOf(y[i + 1]));
      return static_cast<int>(negative ? before < after : before > after);
    };
    int count = 0;
    for (size_t i = 0; i + 1 < n; ++i) count += reversed(i);
    if (count == 0) return;
    judgement->reversals += static_cast<uint64_t>(count);
    size_t i = 0;
    while (reversed(i) == 0) ++i;
    judgement->reversed_input = double{x_[i]};
  }

  uint32_t stride_;
  bool nearest_;
  const float* x_ = nullptr;
  std::vector<double> exact_ = std::vector<double>(kSize);
  std::vector<double> scale_ = std::vector<double>(kSize);
  std::vector<int32_t> low_ = std::vector<int32_t>(kSize);
  std::vector<int32_t> high_ = std::vector<int32_t>(kSize);
  std::vector<int32_t> mask_ = std::vector<int32_t>(kSize);
};

/// First a lattice over all doubles, then random doubles from several strata.
class ExpFloat64Block {
 public:
  using T = double;
  static constexpr lw_type kType = LW_FLOAT64;
  static constexpr size_t kSize = 4096;

  explicit ExpFloat64Block(const RoundingMode& rounding)
      : nearest_(rounding.mode == FE_TONEAREST),
        lattice_(FloatLattice(LW_FLOAT64)) {}

  size_t Fill(uint64_t index, double* x) {
    const size_t first = index * kSize;
    if (first < lattice_.size()) {
      const size_t n = std::min(kSize, lattice_.size() - first);
      std::copy_n(lattice_.as<double>() + first, n, x);
      return n;
    }
    std::mt19937_64 random(index);
    for (size_t i = 0; i < kSize; ++i) x[i] = Draw(index % 8, random);
    return kSize;
  }

  void Prepare(const double* x, size_t n) {
    x_ = x;
    for (size_t i = 0; i < n; ++i) {
      // All overflows count as the smallest one.
      if (x[i] >= kExpFloat64.first_infinite) {
        exact_[i] = {{1.0, 0.0}, 1024};
      } else if (x[i] == x[i]) {
        exact_[i] = PreciseExp(std::max(x[i], -800.0));
      }
    }
  }

  Judgement Judge(const double* y, size_t n) const {
    Judgement judgement;
    for (size_t i = 0; i < n; ++i) {
      if (!InRange(x_[i], y[i])) {
        judgement.fault = "NaN, sign, zero or infinity is wrong";
        judgement.fault_input = x_[i];
      } else if (x_[i] == x_[i]) {
        judgement.worst.Add({UlpsFrom(exact_[i], y[i]), x_[i]});
      }
    }
    return judgement;
  }

 private:
  bool InRange(double x, double y) const {
    if (x != x) return y != y;
    if (x == 0) return y == 1;
    if (y != y || std::signbit(y)) return false;
    if (!nearest_) return true;
    if (x >= kExpFloat64.first_infinite) return std::isinf(y);
    if (x <= kExpFloat64.first_zero) return y == 0;
    return y > 0 && !std::isinf(y);
  }

  static double Draw(uint64_t stratum, std::mt19937_64& random) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const double sign = random() % 2 == 0 ? 1.0 : -1.0;
    const auto near = [&random](double x, int64_t distance) {
      const auto width = static_cast<uint64_t>(2 * distance + 1);
      const auto step = static_cast<int64_t>(random() % width) - distance;
      return DoubleOf(BitsOf(x) + static_cast<uint64_t>(step));
    };
    switch (stratum) {
      case 0:  // the whole range
      case 1:
        return -745.2 + 1455.1 * unit;
      case 2:  // every magnitude
        return sign *
               std::ldexp(1 + unit, static_cast<int>(random() % 80) - 70);
      case 3: {  // where reduction by ln2, ln2/2, ... ln2/32 can go both ways
        const double k = static_cast<double>(random() % 67000) - 34350;
        return near(k * 0x1.62e42fefa39efp-6, 20);
      }
      case 4:  // the same for multiples of ln2, including midpoints
        return near(sign * static_cast<double>(1 + random() % 1420) *
                        0x1.62e42fefa39efp-2,
                    100);
      case 5:  // subnormal results
        return -708.3 - 36.9 * unit;
      case 6: {  // the thresholds
        const double at[] = {709.782712893384, -745.1332191019411,
                             -708.3964185322641};
        return near(at[random() % 3], 10000);
      }
      default: {
        // x is a multiple of 2^-52 with x^2 / 2 near an odd multiple of 2^-53,
        // so 1 + x + x^2 / 2 is next to a tie.
        const auto odd = static_cast<double>(2 * (random() % 5000) + 1);
        return sign * std::nearbyint(std::sqrt(odd) * 0x1p+26) * 0x1p-52;
      }
    }
  }

  bool nearest_;
  Array lattice_;
  const double* x_ = nullptr;
  std::vector<ScaledDoubleDouble> exact_ =
      std::vector<ScaledDoubleDouble>(kSize);
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_ORACLE_H_
