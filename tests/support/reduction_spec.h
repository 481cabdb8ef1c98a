// SPDX-License-Identifier: Apache-2.0
//
// What the specs of reductions are made of: versions, and the oracle. The
// oracle combines elements one by one in the order that kernels/reduction.h
// documents, in plain C++ of the type that the kernels compute in: float for
// 16-bit floats, else the type itself. Integers wrap.

#ifndef LANEWISE_TESTS_SUPPORT_REDUCTION_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_REDUCTION_SPEC_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

// ---- Versions ---------------------------------------------------------------

inline const std::vector<OperandSpec>& DataAndAxes() {
  static const auto& both = *new std::vector<OperandSpec>{
      {"data"}, {"axes", "tensor(int64)", {LW_INT64}, true}};
  return both;
}
inline VersionSpec WithAxesAttribute(int32_t version, const Types& types) {
  return {version,
          types,
          {{"data"}},
          {{"axes", LW_ATTRIBUTE_INTS}, {"keepdims", LW_ATTRIBUTE_INT}}};
}
inline VersionSpec WithAxesInput(int32_t version, const Types& types) {
  return {version,
          types,
          DataAndAxes(),
          {{"keepdims", LW_ATTRIBUTE_INT},
           {"noop_with_empty_axes", LW_ATTRIBUTE_INT}}};
}
/// ReduceMean, ReduceProd, ReduceL1, ReduceL2, ReduceSumSquare.
inline std::vector<VersionSpec> ReductionVersions() {
  return {WithAxesAttribute(1, kN7), WithAxesAttribute(11, kN7),
          WithAxesAttribute(13, kN8), WithAxesInput(18, kN8)};
}
/// ReduceLogSum, ReduceLogSumExp.
inline std::vector<VersionSpec> LogarithmVersions() {
  std::vector<VersionSpec> versions = ReductionVersions();
  versions.push_back(WithAxesInput(28, kF4));
  return versions;
}
/// ReduceMax, ReduceMin.
inline std::vector<VersionSpec> ExtremeVersions() {
  const Types v12 = kN7 + Types{LW_INT8, LW_UINT8};
  const Types v13 = v12 + Types{LW_BFLOAT16};
  return {WithAxesAttribute(1, kN7),  WithAxesAttribute(11, kN7),
          WithAxesAttribute(12, v12), WithAxesAttribute(13, v13),
          WithAxesInput(18, v13),     WithAxesInput(20, v13 + Types{LW_BOOL})};
}
/// ArgMax, ArgMin.
inline std::vector<VersionSpec> IndexVersions() {
  std::vector<AttributeSpec> attributes = {{"axis", LW_ATTRIBUTE_INT},
                                           {"keepdims", LW_ATTRIBUTE_INT}};
  const std::vector<OperandSpec> data = {{"data"}};
  std::vector<VersionSpec> versions = {{1, kN11, data, attributes},
                                       {11, kN11, data, attributes}};
  attributes.push_back({"select_last_index", LW_ATTRIBUTE_INT});
  versions.push_back({12, kN11, data, attributes});
  versions.push_back({13, kN12, data, attributes});
  return versions;
}

// ---- Elements ---------------------------------------------------------------

/// body(A()) for the type that a reduction of `type` computes in.
template <class Body>
void InTypeOfResults(lw_type type, const Body& body) {
  switch (type) {
    case LW_FLOAT64:
      return body(double{});
    case LW_INT8:
      return body(int8_t{});
    case LW_INT16:
      return body(int16_t{});
    case LW_INT32:
      return body(int32_t{});
    case LW_INT64:
      return body(int64_t{});
    case LW_UINT8:
    case LW_BOOL:
      return body(uint8_t{});
    case LW_UINT16:
      return body(uint16_t{});
    case LW_UINT32:
      return body(uint32_t{});
    case LW_UINT64:
      return body(uint64_t{});
    default:
      return body(float{});
  }
}

template <typename A>
A ElementOf(const Sequence& sequence, size_t k) {
  const uint8_t* at = sequence.elements + k * ElementSize(sequence.type);
  if constexpr (std::is_floating_point_v<A>) {
    return static_cast<A>(ReadFloat(sequence.type, at));
  } else {
    return static_cast<A>(ReadInteger(sequence.type, at));
  }
}

/// `value` as an element: 16-bit floats are rounded to nearest even.
template <typename A>
void WriteElement(lw_type type, A value, void* out) {
  if constexpr (std::is_same_v<A, float>) {
    if (type != LW_FLOAT32) {
      const uint16_t bits =
          type == LW_FLOAT16 ? ToHalf(double{value}) : ToBfloat(double{value});
      std::memcpy(out, &bits, sizeof(bits));
      return;
    }
  }
  std::memcpy(out, &value, sizeof(value));
}

// Integers wrap, also where C++'s own would overflow.
template <typename A>
A Plus(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) return a + b;
  return static_cast<A>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename A>
A Times(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) return a * b;
  return static_cast<A>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <typename A>
A Magnitude(A a) {
  if constexpr (std::is_floating_point_v<A>) return std::fabs(a);
  return a < A{0} ? static_cast<A>(0 - static_cast<uint64_t>(a)) : a;
}
template <typename A>
bool IsNaN(A a) {
  return a != a;
}

// ---- Orders -----------------------------------------------------------------

/// The elements of one piece, of which `part(k)` is what element k contributes.
template <typename A, class Part, class Combine>
A CombinePiece(size_t count, size_t partial_count, A start, const Part& part,
               const Combine& combine) {
  std::vector<A> partials(partial_count, start);
  for (size_t k = 0; k < count; ++k) {
    A& partial = partials[k % partial_count];
    partial = combine(partial, part(k));
  }
  for (size_t half = partial_count / 2; half > 0; half /= 2) {
    for (size_t j = 0; j < half; ++j) {
      partials[j] = combine(partials[j], partials[j + half]);
    }
  }
  return partials[0];
}

/// All elements of a sequence in the documented order.
template <typename A, class Part, class Combine>
A CombineInOrder(const Sequence& sequence, A start, const Part& part,
                 const Combine& combine) {
  const size_t piece_size = sequence.along ? 65536 : 256;
  const size_t partials = sequence.along ? 64 : 1;
  std::vector<A> pieces;
  for (size_t first = 0; first < sequence.count; first += piece_size) {
    const size_t count = std::min(piece_size, sequence.count - first);
    pieces.push_back(CombinePiece(
        count, partials, start,
        [&](size_t k) { return part(ElementOf<A>(sequence, first + k)); },
        combine));
  }
  while (pieces.size() > 1) {
    std::vector<A> pairs;
    for (size_t i = 0; i < pieces.size(); i += 2) {
      const bool has_partner = i + 1 < pieces.size();
      pairs.push_back(has_partner ? combine(pieces[i], pieces[i + 1])
                                  : pieces[i]);
    }
    pieces = pairs;
  }
  return pieces.empty() ? start : pieces[0];
}

/// The sum of elements. Nothing is added to the first one: the sum of -0.0 is
/// -0.0, and that of nothing 0.
template <typename A>
A SumInOrder(const Sequence& sequence) {
  if (sequence.count == 0) return A{0};
  return CombineInOrder(
      sequence, static_cast<A>(-A{0}), [](A x) { return x; }, Plus<A>);
}

/// OperatorSpec::reduced of sums of what is 0 or larger: `part` of an element
/// is added, `end(sum)` is the answer.
template <class Part, class End>
void ReduceBySum(const Sequence& sequence, void* out, const Part& part,
                 const End& end) {
  InTypeOfResults(sequence.type, [&](auto zero) {
    using A = decltype(zero);
    const A sum = CombineInOrder(sequence, zero, part, Plus<A>);
    WriteElement(sequence.type, static_cast<A>(end(sum)), out);
  });
}

inline constexpr auto kItself = [](auto x) { return x; };

/// OperatorSpec::reduced of ReduceMax and ReduceMin. A NaN wins; of equal
/// numbers (-0.0 and 0.0) the later one comes.
template <bool kLargest>
void ReduceByExtreme(const Sequence& sequence, void* out) {
  InTypeOfResults(sequence.type, [&](auto zero) {
    using A = decltype(zero);
    using Limits = std::numeric_limits<A>;
    A worst = kLargest ? Limits::lowest() : Limits::max();
    if (Limits::has_infinity)
      worst = kLargest ? -Limits::infinity() : Limits::infinity();
    if (sequence.type == LW_BOOL) worst = static_cast<A>(kLargest ? 0 : 1);
    const auto better = [](A a, A b) {
      if (IsNaN(a) || IsNaN(b)) return IsNaN(a) ? a : b;
      return (kLargest ? b < a : a < b) ? a : b;
    };
    A best = CombineInOrder(sequence, worst, kItself, better);
    if (sequence.type == LW_BOOL && best != 0) best = 1;  // any byte is true
    WriteElement(sequence.type, best, out);
  });
}

/// The place of the element that wins over all others: the first such element,
/// or the last. A NaN wins.
template <class Wins>
int64_t PlaceOfWinner(const Sequence& sequence, const Wins& wins) {
  int64_t place = 0;
  InTypeOfResults(sequence.type, [&](auto zero) {
    using A = decltype(zero);
    A best = ElementOf<A>(sequence, 0);
    for (size_t k = 1; k < sequence.count; ++k) {
      const A x = ElementOf<A>(sequence, k);
      const bool is_better = !IsNaN(best) && (IsNaN(x) || wins(x, best));
      const bool is_equal = x == best || (IsNaN(x) && IsNaN(best));
      if (!is_better && !(is_equal && sequence.takes_last)) continue;
      best = x;
      place = static_cast<int64_t>(k);
    }
  });
  return place;
}

// ---- Bounds -----------------------------------------------------------------

/// Half a unit in the last place of an A at `x`.
template <typename A>
long double HalfUlp(long double x) {
  constexpr int kDigits = std::numeric_limits<A>::digits;
  constexpr int kLeast = std::numeric_limits<A>::min_exponent - 1;
  const int exponent = x == 0 ? kLeast : std::max(std::ilogb(x), kLeast);
  return std::ldexp(1.0L, exponent - kDigits);
}

/// How many additions an element passes at most.
inline size_t DepthOf(const Sequence& sequence) {
  size_t depth = sequence.along ? std::min<size_t>(sequence.count, 65536) / 64 +
                                      (sequence.count > 1 ? 7 : 0)
                                : std::min<size_t>(sequence.count, 256);
  const size_t piece = sequence.along ? 65536 : 256;
  for (size_t n = sequence.count; n > piece; n = (n + 1) / 2) ++depth;
  return depth;
}

/// The bounds of results of an A whose distance from `exact` is below `off`
/// before they are rounded once.
inline Bounds Around(long double exact, long double off) {
  if (!std::isfinite(exact)) return {exact, exact};
  return {exact - off, exact + off};
}

/// ReduceLogSum: the sum has the documented order, and its logarithm an error
/// below 1 ULP. 16-bit floats are computed in float32; integers in float64.
inline Bounds LogarithmOfSum(const Sequence& sequence) {
  Bounds bounds = {};
  InTypeOfResults(sequence.type, [&](auto zero) {
    using A = decltype(zero);
    using F = std::conditional_t<std::is_same_v<A, float>, float, double>;
    const A sum = SumInOrder<A>(sequence);
    const long double exact = std::log(static_cast<long double>(sum));
    // float32 and float64 are rounded once more by those who ask.
    const bool is_rounded = ElementSize(sequence.type) == sizeof(F);
    bounds = Around(exact, HalfUlp<F>(exact) * (is_rounded ? 1 : 2));
  });
  return bounds;
}

/// ReduceLogSumExp: what an error of 1 ULP in each function and the rounding of
/// each sum can do to max + log(sum of e^(x - max)).
inline Bounds LogarithmOfSumOfPowers(const Sequence& sequence) {
  const long double kInfinity = std::numeric_limits<long double>::infinity();
  long double most = -kInfinity;
  std::vector<long double> x;
  for (size_t k = 0; k < sequence.count; ++k) {
    const uint8_t* at = sequence.elements + k * ElementSize(sequence.type);
    x.push_back(ReadNumber(sequence.type, at));
    if (IsNaN(x.back())) return {x.back(), x.back()};
    most = std::max(most, x.back());
  }
  if (most == -kInfinity) return {most, most};
  if (most == kInfinity) return {most - most, most - most};
  long double sum = 0;
  long double weighted = 0;  // errors of x - max, in units of the half ULP of 1
  for (const long double element : x) {
    const long double power = std::exp(element - most);
    sum += power;
    if (power > 0) weighted += power * (most - element);
  }
  const long double log = std::log(sum);
  // Beyond float64's whole numbers, a difference may be anything between 0 and
  // what it was.
  if (kF4.count(sequence.type) == 0 && std::fabs(most) > 0x1p50L) {
    const auto count = static_cast<long double>(x.size());
    return {most - std::fabs(most) * 0x1p-52L,
            most + std::fabs(most) * 0x1p-52L + std::log(count)};
  }
  const bool is_double =
      sequence.type == LW_FLOAT64 || kF4.count(sequence.type) == 0;
  const long double half = is_double ? 0x1p-53L : 0x1p-24L;
  const auto depth = static_cast<long double>(DepthOf(sequence));
  const long double off =
      half * (weighted / sum + 2 + depth + 2 * std::fabs(log)) +
      half * std::fabs(most + log);
  return Around(most + log, x.size() == 1 ? 0 : 1.01L * off);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_REDUCTION_SPEC_H_
