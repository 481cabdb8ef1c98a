// SPDX-License-Identifier: Apache-2.0
//
// Sets the floating-point environment temporarily, and reads it.

#ifndef LANEWISE_TESTS_SUPPORT_FLOAT_ENV_H_
#define LANEWISE_TESTS_SUPPORT_FLOAT_ENV_H_

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "tests/support/array.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Restores the whole environment at the end of a scope.
class FloatEnvScope {
 public:
  FloatEnvScope() { std::fegetenv(&saved_); }
  ~FloatEnvScope() { std::fesetenv(&saved_); }
  FloatEnvScope(const FloatEnvScope&) = delete;
  FloatEnvScope& operator=(const FloatEnvScope&) = delete;

 private:
  std::fenv_t saved_;
};

/// Control bits and flags as one number; 0 on CPUs where this is not
/// implemented.
inline uint64_t FloatControl() {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  uint64_t control;
  uint64_t flags;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
  return control << 32 | flags;
#else
  return 0;
#endif
}

/// On this thread, treats subnormal operands and results as zero.
inline void FlushSubnormals() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // FTZ, DAZ
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | uint64_t{1} << 24));
#endif
}

/// Clears all flags and, with glibc, turns floating-point exceptions into
/// signals until the end of the scope.
inline void TrapOnExceptions() {
  std::feclearexcept(FE_ALL_EXCEPT);
#if defined(__GLIBC__)
  feenableexcept(FE_ALL_EXCEPT);
#endif
}

/// For operators that compute only with integers. The caller's environment must
/// not change the result, and the call must not change the environment, not
/// even a flag. With exceptions unmasked nothing may trap.
inline void CheckFloatEnvIgnored(const Subject& subject, const Array& a,
                                 const Array& b = {}) {
  const Array expected = Compute(subject, a, b);
  const auto check = [&](const char* what) {
    Array out(subject.type, expected.size());
    const uint64_t before = FloatControl();
    const lw_status status = subject.compute(
        a.data(), b.empty() ? nullptr : b.data(), out.data(), out.size());
    const uint64_t after = FloatControl();
    EXPECT_EQ(status, LW_OK) << what;
    EXPECT_EQ(before, after) << what;
    EXPECT_TRUE(SameBits(out, expected)) << what;
  };
  for (const int rounding :
       {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const FloatEnvScope scope;
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
    check("flags cleared");
    std::feraiseexcept(FE_INEXACT | FE_DIVBYZERO);
    check("flags set");
    FlushSubnormals();
    check("subnormals flushed");
  }
  const FloatEnvScope scope;
  TrapOnExceptions();
  check("exceptions unmasked");
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_FLOAT_ENV_H_
