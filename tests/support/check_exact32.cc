// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_exact32.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lanewise::test {
namespace {

/// The floats that the result of x may be: one, unless nobody can tell.
struct Results {
  float low;
  float high;

  bool Contain(float y) const {
    if (std::isnan(low) || std::isnan(y))
      return std::isnan(low) == std::isnan(y);
    return BitsOf(y) == BitsOf(low) || BitsOf(y) == BitsOf(high);
  }
};

Results Round(const ExactFunction& function, double x, double near) {
  constexpr double kError = 0x1p-40;
  const auto low = static_cast<float>(near * (1 - kError));
  const auto high = static_cast<float>(near * (1 + kError));
  if (BitsOf(low) == BitsOf(high)) return {low, low};
  // The middle of two floats is exact; that of the largest float and infinity
  // is the middle of the floats that would follow.
  const double middle = std::isinf(high) ? std::copysign(0x1.ffffffp+127, near)
                                         : double{low} / 2 + double{high} / 2;
  bool open = false;
  const int side = function.in_precise(x).Compare(middle, &open);
  if (open) return {low, high};
  if (side == 0) {
    const auto even = static_cast<float>(middle);
    return {even, even};
  }
  const float y = side < 0 ? std::min(low, high) : std::max(low, high);
  return {y, y};
}

/// A block of JudgeEveryIsa.
template <class Draw>
class ExactBlock {
 public:
  using T = float;
  static constexpr lw_type kType = LW_FLOAT32;
  static constexpr size_t kSize = 4096;

  ExactBlock(const ExactFunction& function, Draw draw)
      : function_(function), draw_(draw) {}

  size_t Fill(uint64_t index, float* x) {
    for (size_t i = 0; i < kSize; ++i) x[i] = draw_(index * kSize + i);
    return kSize;
  }
  void Prepare(const float* x, size_t n) {
    x_ = x;
    for (size_t i = 0; i < n; ++i) {
      near_[i] = function_.in_double(x[i]);
      results_[i] = Round(function_, x[i], near_[i]);
    }
  }
  Judgement Judge(const float* y, size_t n) const {
    Judgement judgement;
    for (size_t i = 0; i < n; ++i) {
      judgement.worst.Add({UlpError(near_[i], y[i]), double{x_[i]}});
      if (results_[i].Contain(y[i])) continue;
      judgement.fault = "not correctly rounded";
      judgement.fault_input = x_[i];
    }
    return judgement;
  }

 private:
  ExactFunction function_;
  Draw draw_;
  const float* x_ = nullptr;
  std::vector<double> near_ = std::vector<double>(kSize);
  std::vector<Results> results_ = std::vector<Results>(kSize);
};

constexpr double kHalfUlp = 0.5 + 0x1p-16;  // the double has an error, too

}  // namespace

void CheckExact32(const OpId& op, const ExactFunction& function,
                  uint32_t stride) {
  const auto draw = [stride](uint64_t i) {
    return FloatOf(static_cast<uint32_t>(i * stride));
  };
  using Block = ExactBlock<decltype(draw)>;
  CheckErrors(op, (uint64_t{1} << 32) / Block::kSize / stride,
              Block(function, draw), kHalfUlp, kToNearest, AllExactIsas());
}

void CheckHardFloats(const OpId& op, const ExactFunction& function,
                     const HardFloat* hard, size_t count) {
  std::vector<float> x;
  // 64 numbers: what is alone, and in all lanes of a vector.
  const auto add = [&x](float number) {
    x.push_back(number);
    x.resize((x.size() + 31) / 32 * 32, 0.75f);
    x.resize(x.size() + 32, number);
  };
  for (size_t i = 0; i < count; ++i) {
    add(FloatOf(hard[i].x));
    add(-FloatOf(hard[i].x));
  }
  // Half of a tiny number may be a tie.
  for (uint32_t bits = 1; bits < 64; ++bits) {
    add(FloatOf(bits));
    add(-FloatOf(bits));
  }
  const Array lattice = FloatLattice(LW_FLOAT32);
  x.insert(x.end(), lattice.as<float>(), lattice.as<float>() + lattice.size());
  for (int i = 0; i < 1 << 14; ++i) {
    x.push_back(static_cast<float>(i) * 0x1p-24f);
    x.push_back(static_cast<float>(i) * -0x1p-24f);
  }
  const auto draw = [&x](uint64_t i) { return i < x.size() ? x[i] : 0.0f; };
  using Block = ExactBlock<decltype(draw)>;
  CheckErrors(op, x.size() / Block::kSize + 1, Block(function, draw), kHalfUlp,
              kToNearest, AllExactIsas());
  for (const Isa& isa : AllExactIsas()) {
    CheckEveryLengthAndAlignment(KernelApi(isa.engine, op, LW_FLOAT32),
                                 RandomBits(LW_FLOAT32, 1000));
  }
}

}  // namespace lanewise::test
