// SPDX-License-Identifier: Apache-2.0
//
// What Div must answer, in plain scalar code that shares nothing with the
// kernel, and the check of an answer: quotients, status and zero divisors.

#ifndef LANEWISE_TESTS_KERNELS_DIV_ORACLE_H_
#define LANEWISE_TESTS_KERNELS_DIV_ORACLE_H_

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

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
inline constexpr lw_run kRuns[] = {LW_SAME, LW_SCALAR_B, LW_SCALAR_A};

/// LANEWISE_TEST_ALL_ISAS=1: everything on every instruction set.
inline bool AllIsasWanted() {
  const char* value = std::getenv("LANEWISE_TEST_ALL_ISAS");
  return value != nullptr && *value != '\0' && *value != '0';
}

// ---- Quotients ----

/// C++'s operator/, with an answer in the two cases where it has none.
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

/// Rounds to nearest, ties to even; every NaN becomes the positive quiet one.
/// Without branches, so that compilers vectorize it.
template <int kExponentBits, int kMantissaBits>
uint16_t RoundTo16(double x) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr int kDrop = 52 - kMantissaBits;
  constexpr auto kPowerOf2 = [](int exponent) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
  };
  // In a sum with this the last place is that of the subnormal numbers.
  constexpr double kAlign = kPowerOf2(1 - kBias - kMantissaBits + 52);
  constexpr double kOverflow =
      kPowerOf2(kBias) * (2 - kPowerOf2(-kMantissaBits - 1));
  constexpr auto kInfinity = uint64_t{(1 << kExponentBits) - 1}
                             << kMantissaBits;

  const uint64_t bits = BitsOf(x) & ~(uint64_t{1} << 63);
  const double magnitude = DoubleOf(bits);
  const uint64_t small = BitsOf(magnitude + kAlign) - BitsOf(kAlign);
  const uint64_t odd = bits >> kDrop & 1;
  const uint64_t normal =
      ((bits + odd + (uint64_t{1} << (kDrop - 1)) - 1) >> kDrop) -
      (uint64_t{1023 - kBias} << kMantissaBits);
  uint64_t result = magnitude < kPowerOf2(1 - kBias) ? small : normal;
  result = magnitude >= kOverflow ? kInfinity : result;
  result |= BitsOf(x) >> 63 << 15;
  result = x != x ? kInfinity | 1 << (kMantissaBits - 1) : result;
  return static_cast<uint16_t>(result);
}

/// The values of all bit patterns of a 16-bit format.
template <int kExponentBits, int kMantissaBits>
const double* ValuesOf16() {
  static const std::vector<double>& values = *[] {
    auto* made = new std::vector<double>(1 << 16);
    for (uint32_t i = 0; i < 1 << 16; ++i) {
      (*made)[i] = Widen(i, {kExponentBits, kMantissaBits});
    }
    return made;
  }();
  return values.data();
}

/// Rounded twice, to 53 bits and then to p <= 11, which is correct: between two
/// numbers of p bits lies a midpoint m of p + 1 bits. If a / b is not m itself,
/// then a - m * b is not 0, and being a multiple of the last place of a product
/// of 2 * p + 1 bits it is at least 2^-(2 * p + 2) of a. So a / b keeps that
/// distance from m, a double keeps it on its side of m, and m is a double.
/// Subnormal results have fewer bits.
template <int kExponentBits, int kMantissaBits>
struct Quotient16 {
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  uint16_t operator()(uint16_t a, uint16_t b) const {
    return RoundTo16<kExponentBits, kMantissaBits>(values[a] / values[b]);
  }
};

template <typename T, class Fn>
void ForRun(const void* a_data, const void* b_data, void* out_data, size_t n,
            lw_run run, const Fn& fn) {
  const T* a = static_cast<const T*>(a_data);
  const T* b = static_cast<const T*>(b_data);
  T* out = static_cast<T*>(out_data);
  if (run == LW_SAME) {
    for (size_t i = 0; i < n; ++i) out[i] = fn(a[i], b[i]);
  } else if (run == LW_SCALAR_B) {
    for (size_t i = 0; i < n; ++i) out[i] = fn(a[i], *b);
  } else {
    for (size_t i = 0; i < n; ++i) out[i] = fn(*a, b[i]);
  }
}

/// fn(T()), T being the C++ type that stands for `type`; bits for 16-bit
/// floats.
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

/// Compiled once and out of line: called in any rounding mode, no quotient may
/// be computed anywhere else.
[[gnu::noinline]] inline void DivideByOracle(lw_type type, const void* a,
                                             const void* b, void* out, size_t n,
                                             lw_run run) {
  if (type == LW_FLOAT16) {
    ForRun<uint16_t>(a, b, out, n, run, Quotient16<5, 10>());
  } else if (type == LW_BFLOAT16) {
    ForRun<uint16_t>(a, b, out, n, run, Quotient16<8, 7>());
  } else {
    WithCppType(type, [&](auto zero) {
      using T = decltype(zero);
      ForRun<T>(a, b, out, n, run, Quotient<T>);
    });
  }
}

// ---- Answers ----

/// Makes NaNs of every kind one.
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
  uint64_t zeros = 0;  ///< integer divisors that are 0, per output
  uint64_t first_zero = 0;
};

inline void CountZeroDivisors(const Array& b, size_t n, lw_run run,
                              Answer* answer) {
  if (IsFloat(b.type())) return;
  WithCppType(b.type(), [&](auto zero) {
    const auto* p = b.as<decltype(zero)>();
    for (size_t i = n; i-- > 0;) {
      if (p[run == LW_SCALAR_B ? 0 : i] != 0) continue;
      ++answer->zeros;
      answer->first_zero = i;
    }
  });
}

/// A scalar operand is the first element of its array.
inline Answer Expect(const Array& a, const Array& b, lw_run run = LW_SAME) {
  const size_t n = run == LW_SCALAR_A ? b.size() : a.size();
  Answer answer = {Array(a.type(), n)};
  DivideByOracle(a.type(), a.data(), b.data(), answer.values.data(), n, run);
  UnifyNans(answer.values);
  CountZeroDivisors(b, n, run, &answer);
  return answer;
}

/// Holds a status and what lw_last_zero_divisors says now against the answer.
inline testing::AssertionResult TellsZeros(lw_status status,
                                           const Answer& expected) {
  const lw_status wanted = expected.zeros == 0 ? LW_OK : LW_DIVIDE_BY_ZERO;
  if (status != wanted) {
    return testing::AssertionFailure()
           << "the status is " << lw_status_name(status) << ", not "
           << lw_status_name(wanted) << ": " << lw_last_error();
  }
  uint64_t first = 0;
  uint64_t count = 0;
  if (wanted != LW_OK) lw_last_zero_divisors(&first, &count);
  if (count == expected.zeros && first == expected.first_zero) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << count << " zero divisors are told from " << first << " on, not "
         << expected.zeros << " from " << expected.first_zero << " on";
}

/// One run against the answer. `actual` is the output, as its bits are.
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
  const size_t at_a = subject.run == LW_SCALAR_A ? 0 : i;
  const size_t at_b = subject.run == LW_SCALAR_B ? 0 : i;
  return testing::AssertionFailure()
         << lw_type_name(a.type()) << " element " << i << " of "
         << unified.size() << ": " << BitsText(a.at(at_a), size) << " / "
         << BitsText(b.at(at_b), size) << " gives "
         << BitsText(actual->at(i), size) << ", not "
         << BitsText(expected.values.at(i), size);
}

/// Div on the best instruction set, or on all in the order of AllIsas().
inline std::vector<Subject> DivOnBestIsa(lw_type type, lw_run run = LW_SAME) {
  return {DirectDoor(AllIsas()[0].engine, kDiv, type, run)};
}
inline std::vector<Subject> DivOnAllIsas(lw_type type, lw_run run = LW_SAME) {
  std::vector<Subject> subjects;
  for (const Isa& isa : AllIsas()) {
    subjects.push_back(DirectDoor(isa.engine, kDiv, type, run));
  }
  return subjects;
}

/// Every subject against the oracle, which is asked once, and against the first
/// subject, bit for bit, NaNs too.
inline bool CheckDiv(const std::vector<Subject>& subjects, const Array& a,
                     const Array& b) {
  const Answer expected = Expect(a, b, subjects[0].run);
  Array first;
  Array actual;
  for (size_t i = 0; i < subjects.size(); ++i) {
    Array& out = i == 0 ? first : actual;
    const testing::AssertionResult right =
        Divides(subjects[i], a, b, expected, &out);
    EXPECT_TRUE(right) << AllIsas()[i].name;
    if (!right) return false;
    if (i == 0) continue;
    const testing::AssertionResult same = SameBits(actual, first);
    EXPECT_TRUE(same) << AllIsas()[i].name << ", unlike " << AllIsas()[0].name;
    if (!same) return false;
  }
  return true;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_DIV_ORACLE_H_
