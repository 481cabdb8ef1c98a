// SPDX-License-Identifier: Apache-2.0
//
// The kernels of all reductions, of every type on every instruction set of this
// machine, against a model in plain C++: whole rows; sequences along memory, in
// parts; sequences across memory, in parts of rows and columns; accumulators
// that are combined; nothing. The bits are those of the documented order, also
// where the caller's rounding mode is another one. Functions are within their
// bounds, and have the same bits in each of these ways.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "hwy/targets.h"
#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "kernels/reduction.h"
#include "runtime/node/registry.h"
#include "tests/kernels/reduction/reduction_model.h"
#include "tests/support/guarded.h"

namespace lanewise::test {
namespace {

using Random = std::mt19937_64;

/// What elements look like.
enum class Data { kNumbers, kSmall, kZeros, kSpecial, kInfinite, kCount };

template <class Type>
typename Type::Stored Value(Data data, Random* random) {
  using S = typename Type::Stored;
  using A = typename Type::A;
  const uint64_t bits = (*random)();
  if constexpr (!std::is_floating_point_v<A>) {
    if (data == Data::kNumbers) return static_cast<S>(bits);
    if (data == Data::kZeros) return 0;
    return static_cast<S>(bits % 5);
  } else {
    const A number =
        static_cast<A>(static_cast<int64_t>(bits >> 20) % 100000) / A{25000};
    const bool negative = (bits >> 10 & 1) != 0;
    switch (data) {
      case Data::kSmall:
        return Type::Put(static_cast<A>(bits % 7) - 3);
      case Data::kZeros:
        return Type::Put(negative ? A{-0.0f} : A{0});
      case Data::kSpecial:
        if (bits % 97 == 0)
          return Type::Put(std::numeric_limits<A>::infinity());
        if (bits % 89 == 0) {
          return Type::Put(std::numeric_limits<A>::quiet_NaN());
        }
        if (bits % 5 == 0) {
          return Type::Put(
              std::ldexp(number, static_cast<int>(bits >> 40) % 240));
        }
        [[fallthrough]];
      default:
        return Type::Put(negative ? -number : number);
      case Data::kInfinite:
        return Type::Put(-std::numeric_limits<A>::infinity());
    }
  }
}

/// Whether two results are the same: of sums and products, which NaN comes is
/// not specified.
template <class Type>
bool Same(const void* a, const void* b, bool any_nan) {
  using S = typename Type::Stored;
  S x;
  S y;
  std::memcpy(&x, a, sizeof(S));
  std::memcpy(&y, b, sizeof(S));
  if (any_nan && std::is_floating_point_v<typename Type::A>) {
    const auto u = Type::Get(x);
    const auto v = Type::Get(y);
    if (u != u && v != v) return true;
  }
  return std::memcmp(&x, &y, sizeof(S)) == 0;
}

/// One reduction on one instruction set, and ways to call it.
class Caller {
 public:
  Caller(const Reduction& kernels, const void* params, size_t element_bytes)
      : k_(kernels), params_(params), bytes_(element_bytes) {}

  using Bytes = std::vector<char>;

  /// Partial results of a sequence in memory, from parts, folded.
  Bytes Along(const Reduction& k, const char* x, size_t n, Random* random,
              const void* center) const {
    Bytes partials(kPartials * k.accumulator_bytes);
    k.start(partials.data(), kPartials);
    for (size_t begin = 0; begin < n;) {
      const size_t blocks = (*random)() % 9 + 1;
      const size_t part = std::min(n - begin, blocks * kPartials);
      const Feed feed = {.params = params_,
                         .x = x + begin * bytes_,
                         .n = part,
                         .first = begin,
                         .accumulators = partials.data(),
                         .center = center,
                         .rows = 1,
                         .step = 0};
      k.along(feed);
      begin += part;
    }
    k.fold(params_, partials.data());
    partials.resize(k.accumulator_bytes);
    return partials;
  }
  /// Accumulators of n sequences: rows [begin, end) of x, in parts.
  Bytes Across(const Reduction& k, const char* x, size_t n, size_t begin,
               size_t end, size_t step, Random* random,
               const char* centers) const {
    const size_t size = k.accumulator_bytes;
    const size_t center_size =
        k.before == nullptr ? 0 : k.before->accumulator_bytes;
    Bytes accumulators(n * size);
    k.start(accumulators.data(), n);
    for (size_t j = 0; j < n;) {
      const size_t columns = std::min<size_t>(n - j, (*random)() % n + 1);
      for (size_t r = begin; r < end;) {
        const size_t rows = std::min<size_t>(end - r, (*random)() % 40 + 1);
        const Feed feed = {.params = params_,
                           .x = x + r * step + j * bytes_,
                           .n = columns,
                           .first = r,
                           .accumulators = accumulators.data() + j * size,
                           .center = centers + j * center_size,
                           .rows = rows,
                           .step = static_cast<ptrdiff_t>(step)};
        k.across(feed);
        r += rows;
      }
      j += columns;
    }
    return accumulators;
  }
  Bytes Results(const Bytes& accumulators, const Bytes& centers, size_t n,
                uint64_t count, size_t out_bytes) const {
    Bytes out(n * out_bytes);
    k_.finish({.params = params_,
               .accumulators = accumulators.data(),
               .center = centers.data(),
               .n = n,
               .count = count,
               .out = out.data()});
    return out;
  }
  Bytes AlongAll(const char* x, size_t n, Random* random,
                 size_t out_bytes) const {
    Bytes center(8);
    if (k_.before != nullptr) center = Along(*k_.before, x, n, random, nullptr);
    return Results(Along(k_, x, n, random, center.data()), center, 1, n,
                   out_bytes);
  }
  /// Rows [0, split) and the rest are combined.
  Bytes AcrossAll(const char* x, size_t n, size_t rows, size_t split,
                  size_t step, Random* random, size_t out_bytes) const {
    Bytes centers(n * 8);
    const auto of = [&](const Reduction& k, const Bytes& c) {
      Bytes a = Across(k, x, n, 0, split, step, random, c.data());
      if (split == rows) return a;
      const Bytes b = Across(k, x, n, split, rows, step, random, c.data());
      k.combine(params_, a.data(), b.data(), n);
      return a;
    };
    if (k_.before != nullptr) centers = of(*k_.before, {});
    return Results(of(k_, centers), centers, n, rows, out_bytes);
  }
  void Rows(const char* x, size_t n, size_t rows, size_t step, char* out,
            size_t out_step) const {
    k_.rows({.params = params_,
             .x = x,
             .n = n,
             .rows = rows,
             .step = static_cast<ptrdiff_t>(step),
             .out = out,
             .out_step = static_cast<ptrdiff_t>(out_step)});
  }

 private:
  const Reduction& k_;
  const void* params_;
  size_t bytes_;
};

/// All checks of one reduction.
template <class Type>
class Checker {
 public:
  using S = typename Type::Stored;
  using A = typename Type::A;
  using Real = RealOf<Type>;
  static constexpr auto kEpsilon =
      static_cast<Real>(std::numeric_limits<A>::epsilon());

  Checker(const Operator& op, lw_type type, const Reduction& kernels, bool last)
      : model_{op.name},
        type_(type),
        is_arg_(kernels.needs_elements),
        last_(last),
        out_bytes_(is_arg_ ? 8 : sizeof(S)),
        caller_(kernels, &last_, sizeof(S)) {}

  /// With the first kinds of data.
  void CheckAll(int kinds) {
    CheckNothing();
    for (int data = 0; data < kinds; ++data) {
      data_ = static_cast<Data>(data);
      for (const size_t n :
           {1,   2,   3,   4,   5,   7,   8,   9,   15,  16,  17,
            31,  32,  33,  47,  60,  63,  64,  65,  96,  100, 127,
            128, 129, 200, 255, 256, 257, 320, 383, 1000}) {
        CheckRows(n, n < 100 ? 66 : 3);
      }
      if (data_ == Data::kNumbers) {
        for (const size_t n : {4096, 8191, 16384 + 70, 65536}) CheckRows(n, 1);
      }
      for (const size_t n : {1, 2, 3, 5, 8, 13, 16, 31, 40, 64, 65, 130, 300}) {
        for (const size_t rows : {1, 2, 7, 50}) CheckColumns(n, rows);
      }
      CheckColumns(20, 256);
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  std::vector<S> Values(size_t n) {
    std::vector<S> x(n);
    for (S& value : x) value = Value<Type>(data_, &random_);
    return x;
  }
  bool is_log_sum() const { return model_.op == "ReduceLogSum"; }
  bool is_log_sum_exp() const { return model_.op == "ReduceLogSumExp"; }

  void CheckNothing() {
    if (is_arg_) return;
    std::vector<char> centers(8);
    const A identity = model_.Identity();
    std::vector<char> accumulators(8);
    std::memcpy(accumulators.data(), &identity, sizeof(identity));
    const auto out = caller_.Results(accumulators, centers, 1, 0, out_bytes_);
    S expected = model_.Finish(identity, 0);
    if (is_log_sum() || is_log_sum_exp()) {
      if constexpr (std::is_floating_point_v<A>) {
        expected = Type::Put(-std::numeric_limits<A>::infinity());
      } else {
        expected = std::numeric_limits<S>::lowest();
      }
    }
    EXPECT_TRUE(Same<Type>(out.data(), &expected, true)) << "of nothing";
  }

  /// Whether `out` is the result of these elements: `along` memory, or in
  /// pieces of `split` rows.
  bool IsRight(const char* out, const S* x, size_t n, size_t stride, bool along,
               size_t split) {
    if (is_arg_) {
      int64_t index;
      std::memcpy(&index, out, sizeof(index));
      return index == IndexOf(x, n, stride);
    }
    S result;
    std::memcpy(&result, out, sizeof(S));
    if (is_log_sum_exp()) {
      return IsNear(result, LogSumExpOf<Type>(x, n, stride), [&](Real exact) {
        const Real units = 4 + static_cast<Real>(n) / 32;
        return kEpsilon * units * (1 + std::fabs(exact));
      });
    }
    A a = model_.Identity();
    if (along) {
      a = model_.Along(x, n);
    } else {
      A later = model_.Identity();
      for (size_t k = 0; k < n; ++k) {
        A& to = k < split ? a : later;
        to = model_.Combine(to, model_.Element(x[k * stride]));
      }
      if (split < n) a = model_.Combine(a, later);
    }
    if (is_log_sum()) {
      // As exact as Log: the sum has no error.
      return IsNear(result, std::log(static_cast<Real>(a)), [](Real exact) {
        return static_cast<Real>(2 * HalfUlp<A>(exact));
      });
    }
    const S expected = model_.Finish(a, n);
    return Same<Type>(out, &expected, !model_.is_extreme());
  }
  int64_t IndexOf(const S* x, size_t n, size_t stride) const {
    std::vector<S> elements(n);
    for (size_t k = 0; k < n; ++k) elements[k] = x[k * stride];
    const Sequence sequence = {
        type_, reinterpret_cast<const uint8_t*>(elements.data()), n, true,
        last_};
    return model_.is_max() ? PlaceOfWinner(sequence, std::greater<>())
                           : PlaceOfWinner(sequence, std::less<>());
  }
  /// Whether the result is off(exact) away from the exact one at most, beside
  /// rounding.
  template <class Off>
  static bool IsNear(S result, Real exact, const Off& off) {
    if constexpr (std::is_floating_point_v<A>) {
      const auto y = static_cast<Real>(Type::Get(result));
      if (exact != exact) return y != y;
      if (std::isinf(exact)) return y == exact;
      Real bound = off(exact);
      if (sizeof(S) == 2) {
        const auto nearest = Type::Put(static_cast<A>(exact));
        if (nearest == result) return true;
        bound +=
            std::fabs(exact) * (Type::Put(1) == 0x3C00 ? 0x1p-11 : 0x1p-8) +
            0x1p-25;
      }
      return std::fabs(y - exact) <= bound || y == exact;
    } else {
      if (!(exact > static_cast<Real>(std::numeric_limits<S>::lowest()))) {
        return result == std::numeric_limits<S>::lowest();
      }
      // In float64, then truncated.
      const Real bound = 1e-12 * (1 + std::fabs(exact));
      const auto y = static_cast<Real>(result);
      return y >= std::trunc(exact - bound) - bound &&
             y <= std::trunc(exact + bound) + bound;
    }
  }

  void CheckRows(size_t n, size_t rows) {
    const size_t step = n + random_() % 3;
    const std::vector<S> x = Values(step * (rows - 1) + n);
    const GuardedMemory memory(x.size() * sizeof(S));
    const Side side = random_() % 2 == 0 ? Side::kLower : Side::kUpper;
    const auto* guarded = reinterpret_cast<const char*>(
        memory.Copy(side, 0, x.data(), x.size() * sizeof(S)));
    const size_t out_step = out_bytes_ * (1 + random_() % 2);
    std::vector<char> out(out_step * rows, static_cast<char>(kUntouched));
    caller_.Rows(guarded, n, rows, step * sizeof(S), out.data(), out_step);
    for (size_t r = 0; r < rows; ++r) {
      const char* result = out.data() + r * out_step;
      ASSERT_TRUE(IsRight(result, x.data() + r * step, n, 1, true, 0))
          << "row " << r << " of " << rows << ", " << n << " elements, data "
          << static_cast<int>(data_) << Show(result);
      ASSERT_TRUE(IsUntouched(result + out_bytes_, out_step - out_bytes_));
      if (r > 2) continue;
      const auto again = caller_.AlongAll(guarded + r * step * sizeof(S), n,
                                          &random_, out_bytes_);
      const bool any_nan = !model_.is_extreme();
      ASSERT_TRUE(is_arg_ ? std::memcmp(again.data(), result, 8) == 0
                          : Same<Type>(again.data(), result, any_nan))
          << "row " << r << ", " << n << " elements along memory, data "
          << static_cast<int>(data_);
    }
  }
  std::string Show(const char* out) const {
    if (is_arg_) {
      int64_t index;
      std::memcpy(&index, out, 8);
      return ": index " + std::to_string(index);
    }
    S result;
    std::memcpy(&result, out, sizeof(S));
    return ": " + std::to_string(Type::Get(result));
  }

  void CheckColumns(size_t n, size_t rows) {
    const size_t step = n + random_() % 3;
    const std::vector<S> x = Values(step * (rows - 1) + n);
    const GuardedMemory memory(x.size() * sizeof(S));
    const Side side = random_() % 2 == 0 ? Side::kLower : Side::kUpper;
    const auto* guarded = reinterpret_cast<const char*>(
        memory.Copy(side, 0, x.data(), x.size() * sizeof(S)));
    const size_t split = random_() % 2 == 0 ? rows : random_() % rows + 1;
    const auto out = caller_.AcrossAll(guarded, n, rows, split,
                                       step * sizeof(S), &random_, out_bytes_);
    for (size_t j = 0; j < n; ++j) {
      const char* result = out.data() + j * out_bytes_;
      ASSERT_TRUE(IsRight(result, x.data() + j, rows, step, false, split))
          << "column " << j << " of " << n << ", " << rows << " rows, split at "
          << split << ", data " << static_cast<int>(data_) << Show(result);
    }
  }

  const Model<Type> model_;
  const lw_type type_;
  const bool is_arg_;
  const bool last_;
  const size_t out_bytes_;
  const Caller caller_;
  Random random_{7};
  Data data_ = Data::kNumbers;
};

template <class Type>
void Check(const Operator& op, lw_type type, const Reduction& kernels,
           int kinds) {
  for (const bool last : {false, true}) {
    if (last && !kernels.needs_elements) continue;
    Checker<Type>(op, type, kernels, last).CheckAll(kinds);
  }
}

void CheckType(const Operator& op, lw_type type, const Reduction& kernels,
               int kinds) {
  switch (type) {
    case LW_FLOAT16:
      return Check<HalfType>(op, type, kernels, kinds);
    case LW_BFLOAT16:
      return Check<BfloatType>(op, type, kernels, kinds);
    case LW_FLOAT32:
      return Check<Plain<float>>(op, type, kernels, kinds);
    case LW_FLOAT64:
      return Check<Plain<double>>(op, type, kernels, kinds);
    case LW_INT8:
      return Check<Plain<int8_t>>(op, type, kernels, kinds);
    case LW_INT16:
      return Check<Plain<int16_t>>(op, type, kernels, kinds);
    case LW_INT32:
      return Check<Plain<int32_t>>(op, type, kernels, kinds);
    case LW_INT64:
      return Check<Plain<int64_t>>(op, type, kernels, kinds);
    case LW_UINT8:
      return Check<Plain<uint8_t>>(op, type, kernels, kinds);
    case LW_UINT16:
      return Check<Plain<uint16_t>>(op, type, kernels, kinds);
    case LW_UINT32:
      return Check<Plain<uint32_t>>(op, type, kernels, kinds);
    case LW_UINT64:
      return Check<Plain<uint64_t>>(op, type, kernels, kinds);
    case LW_BOOL:
      return Check<BoolType>(op, type, kernels, kinds);
    default:
      FAIL() << "a type that the test does not know";
  }
}

void CheckEverything(int kinds) {
  int found = 0;
  for (const Operator* op : Operators()) {
    int64_t rest = hwy::SupportedTargets();
    while (rest != 0) {
      const int64_t target = rest & -rest;
      rest &= rest - 1;
      const TargetKernels kernels = op->kernels(target);
      if (kernels.target != target ||
          kernels.entries.front().reduction == nullptr) {
        continue;
      }
      for (const KernelEntry& entry : kernels.entries) {
        SCOPED_TRACE(std::string(op->name) + ", type " +
                     std::to_string(entry.type) + ", " +
                     hwy::TargetName(target));
        CheckType(*op, entry.type, *entry.reduction, kinds);
        ++found;
      }
    }
  }
  EXPECT_GT(found, 0);
}

TEST(Reductions, HaveTheBitsOfTheirOrder) {
  CheckEverything(static_cast<int>(Data::kCount));
}

class InMode : public testing::TestWithParam<int> {};
TEST_P(InMode, ReductionsHaveTheBitsOfTheirOrder) {
  const int mode = std::fegetround();
  ASSERT_EQ(std::fesetround(GetParam()), 0);
  CheckEverything(1);
  EXPECT_EQ(std::fegetround(), GetParam());
  std::fesetround(mode);
}
INSTANTIATE_TEST_SUITE_P(Reductions, InMode,
                         testing::Values(FE_DOWNWARD, FE_UPWARD));

}  // namespace
}  // namespace lanewise::test
