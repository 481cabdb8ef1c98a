// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of reductions compute, one element after the other, in the
// documented order.

#ifndef LANEWISE_TESTS_KERNELS_REDUCTION_REDUCTION_MODEL_H_
#define LANEWISE_TESTS_KERNELS_REDUCTION_REDUCTION_MODEL_H_

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tests/support/bits.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

/// Types: what lies in memory, and what is computed with.
template <typename T>
struct Plain {
  using Stored = T;
  using A = T;
  static A Get(Stored x) { return x; }
  static Stored Put(A a) { return a; }
};
struct HalfType {
  using Stored = uint16_t;
  using A = float;
  static A Get(Stored x) { return HalfToFloat(x); }
  static Stored Put(A a) { return ToHalf(a); }
};
struct BfloatType {
  using Stored = uint16_t;
  using A = float;
  static A Get(Stored x) { return BfloatToFloat(x); }
  static Stored Put(A a) { return ToBfloat(a); }
};
struct BoolType {
  using Stored = uint8_t;
  using A = uint8_t;
  static A Get(Stored x) { return x != 0; }
  static Stored Put(A a) { return a; }
};

/// Rounds to nearest while it lives.
class ToNearestEnv {
 public:
  ToNearestEnv() : mode_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
  ~ToNearestEnv() { std::fesetround(mode_); }
  ToNearestEnv(const ToNearestEnv&) = delete;
  ToNearestEnv& operator=(const ToNearestEnv&) = delete;

 private:
  int mode_;
};

/// A reduction whose bits are known: accumulators by `element`, `combine` and
/// `identity`, and results by `finish`. Sums before a logarithm, too.
template <class Type>
struct Model {
  using S = typename Type::Stored;
  using A = typename Type::A;
  static constexpr bool kFloat = std::is_floating_point_v<A>;

  std::string op;
  bool is_max() const { return op == "ReduceMax" || op == "ArgMax"; }
  bool is_extreme() const {
    return is_max() || op == "ReduceMin" || op == "ArgMin";
  }

  A Identity() const {
    using L = std::numeric_limits<A>;
    if (op == "ReduceProd") return 1;
    if (std::is_same_v<Type, BoolType>) return !is_max();
    if (is_max()) return kFloat ? -L::infinity() : L::lowest();
    if (is_extreme()) return kFloat ? L::infinity() : L::max();
    if (op == "ReduceL1" || op == "ReduceL2" || op == "ReduceSumSquare")
      return 0;
    if constexpr (kFloat) return A{-0.0f};
    return 0;
  }
  A Element(S x) const {
    const A a = Type::Get(x);
    if (op == "ReduceL1") return Magnitude(a);
    if (op == "ReduceL2" || op == "ReduceSumSquare") return Times(a, a);
    return a;
  }
  A Combine(A a, A b) const {
    if (op == "ReduceProd") return Times(a, b);
    if (!is_extreme()) return Plus(a, b);
    if (IsNaN(a) || IsNaN(b)) return IsNaN(a) ? a : b;
    return (is_max() ? a > b : a < b) ? a : b;
  }
  S Finish(A a, uint64_t count) const {
    if constexpr (kFloat) {
      if (count == 0) return Type::Put(OfNothing());
      if (op == "ReduceMean") a = a / static_cast<A>(count);
      if (op == "ReduceL2") a = std::sqrt(a);
      return Type::Put(a);
    } else {
      const ToNearestEnv env;
      if (count == 0)
        return is_extreme() || op == "ReduceProd" ? Identity() : 0;
      if (op == "ReduceMean") {
        using Wide = std::conditional_t<std::is_signed_v<A>, int64_t, uint64_t>;
        return static_cast<S>(static_cast<Wide>(a) / static_cast<Wide>(count));
      }
      if (op == "ReduceL2") {
        const volatile double sum = static_cast<double>(a);
        return a <= 0 ? 0 : static_cast<S>(std::sqrt(sum));
      }
      return a;
    }
  }
  A OfNothing() const {
    if constexpr (kFloat) {
      if (op == "ReduceMean") return std::numeric_limits<A>::quiet_NaN();
    }
    return op == "ReduceProd" || is_extreme() ? Identity() : A{0};
  }

  /// The 64 partial results of elements that lie along memory, folded.
  A Along(const S* x, size_t n) const {
    return CombinePiece(
        n, 64, Identity(), [&](size_t k) { return Element(x[k]); },
        [&](A a, A b) { return Combine(a, b); });
  }
};

/// What functions are computed in: more than float64 for float64 alone, because
/// some CPUs have no such numbers.
template <class Type>
using RealOf = std::conditional_t<std::is_same_v<typename Type::A, double>,
                                  long double, double>;

/// log(sum(e^x)).
template <class Type>
RealOf<Type> LogSumExpOf(const typename Type::Stored* x, size_t n,
                         size_t stride) {
  using Real = RealOf<Type>;
  Real most = -std::numeric_limits<Real>::infinity();
  for (size_t k = 0; k < n; ++k) {
    const auto value = static_cast<Real>(Type::Get(x[k * stride]));
    if (value != value) return value;
    most = std::fmax(most, value);
  }
  if (std::isinf(most)) {
    return most < 0 ? most : std::numeric_limits<Real>::quiet_NaN();
  }
  Real sum = 0;
  for (size_t k = 0; k < n; ++k) {
    sum += std::exp(static_cast<Real>(Type::Get(x[k * stride])) - most);
  }
  return std::log(sum) + most;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_REDUCTION_REDUCTION_MODEL_H_
