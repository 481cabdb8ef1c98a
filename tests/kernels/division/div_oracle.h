// SPDX-License-Identifier: Apache-2.0
//
// The correct results of Div, in plain scalar code that is independent of the
// kernel, and the comparison with them: quotients, status and zero divisors.

#ifndef LANEWISE_TESTS_KERNELS_DIVISION_DIV_ORACLE_H_
#define LANEWISE_TESTS_KERNELS_DIVISION_DIV_ORACLE_H_

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"
#include "tests/support/ways.h"

namespace lanewise::test {

inline constexpr OpId kDiv = {"Div", 14, 2};
inline constexpr lw_type kDivFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32,
                                         LW_FLOAT64};
inline constexpr lw_type kDivIntegers[] = {LW_INT8,   LW_UINT8, LW_INT16,
                                           LW_UINT16, LW_INT32, LW_UINT32,
                                           LW_INT64,  LW_UINT64};
inline constexpr lw_type kDivTypes[] = {
    LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64, LW_INT8,  LW_UINT8,
    LW_INT16,   LW_UINT16,   LW_INT32,   LW_UINT32,  LW_INT64, LW_UINT64};
inline constexpr lw_pattern kPatterns[] = {LW_SAME, LW_SCALAR_B, LW_SCALAR_A};

// ---- Quotients ----

/// C++'s operator/, with a result for the two cases that C++ leaves undefined.
template <typename T>
T Quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    if (b == 0) return 0;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
      return static_cast<T>(static_cast<U>(U{0} - static_cast<U>(a)));
    }
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}

/// Rounded twice, to 53 bits and then to p <= 11, which is correct: between two
/// numbers of p bits lies a midpoint m of p + 1 bits. If a / b is not m itself,
/// a - m * b is not 0. As a multiple of the last place of a product of
/// 2 * p + 1 bits, a - m * b is at least 2^-(2 * p + 2) of a. So far from m,
/// a / b stays on its side of m when rounded to a double, because m is a
/// double. Subnormal results have fewer bits.
template <int kExponentBits, int kMantissaBits>
struct Quotient16 {
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  uint16_t operator()(uint16_t a, uint16_t b) const {
    return RoundTo16<kExponentBits, kMantissaBits>(values[a] / values[b]);
  }
};

template <typename T, class Fn>
void ForPattern(const void* a_data, const void* b_data, void* out_data,
                size_t n, lw_pattern pattern, const Fn& fn) {
  const T* a = static_cast<const T*>(a_data);
  const T* b = static_cast<const T*>(b_data);
  T* out = static_cast<T*>(out_data);
  if (pattern == LW_SAME) {
    for (size_t i = 0; i < n; ++i) out[i] = fn(a[i], b[i]);
  } else if (pattern == LW_SCALAR_B) {
    for (size_t i = 0; i < n; ++i) out[i] = fn(a[i], *b);
  } else {
    for (size_t i = 0; i < n; ++i) out[i] = fn(*a, b[i]);
  }
}

/// Calls fn(T()), where T is the C++ type for `type`. For 16-bit floats, T
/// holds the bits.
template <class Fn>
auto WithCppType(lw_type type, const Fn& fn) {
  switch (type) {
    case LW_FLOAT32:
      return fn(float());
    case LW_FLOAT64:
      return fn(double());
    case LW_INT8:
      return fn(int8_t());
    case LW_UINT8:
      return fn(uint8_t());
    case LW_INT16:
      return fn(int16_t());
    case LW_INT32:
      return fn(int32_t());
    case LW_UINT32:
      return fn(uint32_t());
    case LW_INT64:
      return fn(int64_t());
    case LW_UINT64:
      return fn(uint64_t());
    default:
      return fn(uint16_t());
  }
}

/// Compiled once and out of line. The oracle runs in any rounding mode, so the
/// compiler must not compute a quotient anywhere else.
[[gnu::noinline]] inline void DivideByOracle(lw_type type, const void* a,
                                             const void* b, void* out, size_t n,
                                             lw_pattern pattern) {
  if (type == LW_FLOAT16) {
    ForPattern<uint16_t>(a, b, out, n, pattern, Quotient16<5, 10>());
  } else if (type == LW_BFLOAT16) {
    ForPattern<uint16_t>(a, b, out, n, pattern, Quotient16<8, 7>());
  } else {
    WithCppType(type, [&](auto zero) {
      using T = decltype(zero);
      ForPattern<T>(a, b, out, n, pattern, Quotient<T>);
    });
  }
}

// ---- Comparison ----

/// Replaces every NaN by the same NaN.
inline void UnifyNans(Array& array) {
  const auto unify = [&](auto bits) {
    using T = decltype(bits);
    const int m = MantissaBits(array.type());
    constexpr T kSign = T{1} << (std::numeric_limits<T>::digits - 1);
    const T infinity = static_cast<T>(kSign - (T{1} << m));
    T* p = array.as<T>();
    for (size_t i = 0; i < array.size(); ++i) {
      const T magnitude = p[i] & static_cast<T>(~kSign);
      p[i] = magnitude > infinity ? static_cast<T>(infinity | T{1} << (m - 1))
                                  : p[i];
    }
  };
  if (!IsFloat(array.type())) return;
  if (array.element_size() == 2) return unify(uint16_t());
  if (array.element_size() == 4) return unify(uint32_t());
  unify(uint64_t());
}

struct Answer {
  Array values;
  uint64_t zeros = 0;  ///< outputs whose integer divisor is 0
  uint64_t first_zero = 0;
};

inline void CountZeroDivisors(const Array& b, size_t n, lw_pattern pattern,
                              Answer* answer) {
  if (IsFloat(b.type())) return;
  WithCppType(b.type(), [&](auto zero) {
    const auto* p = b.as<decltype(zero)>();
    for (size_t i = n; i-- > 0;) {
      if (p[pattern == LW_SCALAR_B ? 0 : i] != 0) continue;
      ++answer->zeros;
      answer->first_zero = i;
    }
  });
}

/// A scalar operand is the first element of its array.
inline Answer Expect(const Array& a, const Array& b,
                     lw_pattern pattern = LW_SAME) {
  const size_t n = pattern == LW_SCALAR_A ? b.size() : a.size();
  Answer answer = {Array(a.type(), n)};
  DivideByOracle(a.type(), a.data(), b.data(), answer.values.data(), n,
                 pattern);
  UnifyNans(answer.values);
  CountZeroDivisors(b, n, pattern, &answer);
  return answer;
}

/// Compares a status, and the result of lw_last_zero_divisors, with `expected`.
inline testing::AssertionResult TellsZeros(lw_status status,
                                           const Answer& expected) {
  const lw_status wanted = expected.zeros == 0 ? LW_OK : LW_DIVIDE_BY_ZERO;
  if (status != wanted) {
    return testing::AssertionFailure()
           << "the status is " << lw_status_name(status) << ", not "
           << lw_status_name(wanted) << ": " << lw_last_error();
  }
  lw_zero_divisors told = {};
  if (wanted != LW_OK) told = lw_last_zero_divisors();
  if (told.count == expected.zeros && told.first == expected.first_zero) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "lw_last_zero_divisors has count " << told.count << " and first "
         << told.first << ", not " << expected.zeros << " and "
         << expected.first_zero;
}

/// Runs one call and compares it with `expected`. `actual` gets the output's
/// bits.
inline testing::AssertionResult Divides(const Subject& subject, const Array& a,
                                        const Array& b, const Answer& expected,
                                        Array* actual) {
  *actual = Array(subject.type, expected.values.size());
  const lw_status status =
      subject.compute(a.data(), b.data(), actual->data(), actual->size());
  testing::AssertionResult told = TellsZeros(status, expected);
  if (!told) return told;
  Array unified = *actual;
  UnifyNans(unified);
  const size_t size = unified.element_size();
  const size_t i = FirstDifference(unified.data(), expected.values.data(),
                                   unified.size(), size);
  if (i == unified.size()) return testing::AssertionSuccess();
  const size_t at_a = subject.pattern == LW_SCALAR_A ? 0 : i;
  const size_t at_b = subject.pattern == LW_SCALAR_B ? 0 : i;
  return testing::AssertionFailure()
         << lw_type_name(a.type()) << " element " << i << " of "
         << unified.size() << ": " << BitsText(a.at(at_a), size) << " / "
         << BitsText(b.at(at_b), size) << " gives "
         << BitsText(actual->at(i), size) << ", not "
         << BitsText(expected.values.at(i), size);
}

/// Div on the best instruction set, or on all of them in the order of
/// AllWays().
inline std::vector<Subject> DivOnBestIsa(lw_type type,
                                         lw_pattern pattern = LW_SAME) {
  return {KernelApi(AllIsas()[0].engine, kDiv, type, pattern)};
}
inline std::vector<Subject> DivOnAllIsas(lw_type type,
                                         lw_pattern pattern = LW_SAME) {
  std::vector<Subject> subjects;
  for (const Isa& isa : AllWays()) {
    subjects.push_back(KernelApi(isa.engine, kDiv, type, pattern));
  }
  return subjects;
}

/// Compares every subject with the oracle, which runs once, and bit for bit
/// with the first subject, including NaNs.
inline bool CheckDiv(const std::vector<Subject>& subjects, const Array& a,
                     const Array& b) {
  const Answer expected = Expect(a, b, subjects[0].pattern);
  Array first;
  Array actual;
  for (size_t i = 0; i < subjects.size(); ++i) {
    Array& out = i == 0 ? first : actual;
    const testing::AssertionResult right =
        Divides(subjects[i], a, b, expected, &out);
    EXPECT_TRUE(right) << AllWays()[i];
    if (!right) return false;
    if (i == 0) continue;
    const testing::AssertionResult same = SameBits(actual, first);
    EXPECT_TRUE(same) << AllWays()[i] << " differs from " << AllWays()[0];
    if (!same) return false;
  }
  return true;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_DIVISION_DIV_ORACLE_H_
