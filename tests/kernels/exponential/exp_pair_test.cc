// SPDX-License-Identifier: Apache-2.0
//
// The error of the pairs of doubles with which exact Exp starts, before they
// are rounded: e^x must lie above s + lo, and below s + lo + kRange, as the
// analysis in exp_exact-inl.h says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "runtime/engine/isa.h"
#include "tests/kernels/exponential/exp_oracle.h"
#include "tests/support/double_double.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/kernels/exponential/exp_pair_test.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/exp_exact-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

// x has whole vectors of elements.
void ComputePairs(const double* x, double* s, double* lo, double* n,
                  size_t size) {
  const hn::ScalableTag<double> d;
  for (size_t i = 0; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    auto sum_lo = sum;
    auto t = sum;
    auto power = sum;
    exp_exact::ComputePair(d, hn::LoadU(d, x + i), sum, sum_lo, t, power);
    hn::StoreU(sum, d, s + i);
    hn::StoreU(sum_lo, d, lo + i);
    hn::StoreU(power, d, n + i);
  }
}
using ComputePairsFn = decltype(&ComputePairs);
ComputePairsFn PairsOf() { return ComputePairs; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {
HWY_EXPORT(PairsOf);
}  // namespace

namespace test {
namespace {

constexpr double kNormal = ExpConstants<double>::kNormal;
constexpr double kRange = ExpExactConstants<double>::kRange;

TEST(ExpPair, EnclosesTheResult) {
  constexpr size_t kSize = ExpFloat64Block::kSize;
  std::vector<double> x(kSize);
  std::vector<double> s(kSize);
  std::vector<double> lo(kSize);
  std::vector<double> n(kSize);
  for (int64_t targets = RunnableTargets(); targets != 0;
       targets &= targets - 1) {
    const int64_t target = targets & -targets;
    SCOPED_TRACE(TargetName(target));
    const auto compute = OnTarget(HWY_DISPATCH_TABLE(PairsOf), target);
    double least = kRange;
    double most = 0;
    ExpFloat64Block block(kToNearest);
    for (uint64_t index = 0; index < 250; ++index) {
      x.assign(kSize, 1.0);
      block.Fill(index, x.data());
      for (double& one : x) {
        if (!(std::fabs(one) <= kNormal)) one = std::fmod(one, kNormal);
        if (!(std::fabs(one) <= kNormal)) one = 0.5;
      }
      compute(x.data(), s.data(), lo.data(), n.data(), kSize);
      for (size_t i = 0; i < kSize; ++i) {
        const ScaledDoubleDouble e = PreciseExp(x[i]);
        const int exponent = e.exponent - static_cast<int>(std::floor(n[i]));
        const double high = std::ldexp(e.fraction.hi, exponent);
        const double low = std::ldexp(e.fraction.lo, exponent);
        // The first difference is exact. For the smallest arguments PreciseExp
        // tells e^x only to 2^-104.
        const double above = ((high - s[i]) - lo[i]) + low;
        least = std::min(least, above);
        most = std::max(most, above);
      }
    }
    const auto share = [](double above) {
      return std::to_string(above / kRange);
    };
    RecordProperty(TargetName(target), share(least) + " to " + share(most));
    std::printf("exact Exp f64 %s: e^x is %.3f to %.3f of the range above\n",
                TargetName(target), least / kRange, most / kRange);
    EXPECT_GT(least, 0.0);
    // lo + kRange is rounded by 2^-72.
    EXPECT_LT(most, kRange - 0x1p-72);
  }
}

}  // namespace
}  // namespace test
}  // namespace lanewise
#endif  // HWY_ONCE
