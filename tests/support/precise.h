// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 400 bits, by MPFR: oracles that decide how a result close to a tie
// is rounded. Without MPFR (in builds for another machine) they are long
// doubles, which leave some results open.

#ifndef LANEWISE_TESTS_SUPPORT_PRECISE_H_
#define LANEWISE_TESTS_SUPPORT_PRECISE_H_

#include <cmath>
#include <cstdlib>

#if LANEWISE_HAVE_MPFR
#include <mpfr.h>
#endif

namespace lanewise::test {

#if LANEWISE_HAVE_MPFR

class Precise {
 public:
  Precise(double x) : Precise() { mpfr_set_d(value_, x, MPFR_RNDN); }
  Precise(const Precise& x) : Precise() {
    mpfr_set(value_, x.value_, MPFR_RNDN);
  }
  Precise& operator=(const Precise&) = delete;
  ~Precise() { mpfr_clear(value_); }

  /// A decimal number.
  static Precise Parse(const char* text) {
    Precise x;
    mpfr_set_str(x.value_, text, 10, MPFR_RNDN);
    return x;
  }

  friend Precise operator-(const Precise& a) { return 0 - a; }
  friend bool operator<(const Precise& a, double b) {
    return mpfr_cmp_d(a.value_, b) < 0;
  }

  /// -1, 0 or 1 where this is below, equal to or above x; `open`: unknown.
  int Compare(double x, bool* open) const {
    *open = false;
    const int sign = mpfr_cmp_d(value_, x);
    return sign < 0 ? -1 : sign > 0;
  }

#define LANEWISE_PRECISE_OPERATOR(sign, function)                    \
  friend Precise operator sign(const Precise& a, const Precise& b) { \
    Precise y;                                                       \
    function(y.value_, a.value_, b.value_, MPFR_RNDN);               \
    return y;                                                        \
  }
#define LANEWISE_PRECISE_FUNCTION(name)         \
  friend Precise name(const Precise& x) {       \
    Precise y;                                  \
    mpfr_##name(y.value_, x.value_, MPFR_RNDN); \
    return y;                                   \
  }
  LANEWISE_PRECISE_OPERATOR(+, mpfr_add)
  LANEWISE_PRECISE_OPERATOR(-, mpfr_sub)
  LANEWISE_PRECISE_OPERATOR(*, mpfr_mul)
  LANEWISE_PRECISE_OPERATOR(/, mpfr_div)

 private:
  /// The leak checker would report them.
  struct ThreadCaches {
    ~ThreadCaches() { mpfr_free_cache(); }
  };

  Precise() {
    static thread_local const ThreadCaches caches;
    mpfr_init2(value_, 400);
  }

  mpfr_t value_;

 public:
#else

class Precise {
 public:
  Precise(double x) : value_(x) {}
  explicit Precise(long double x) : value_(x) {}

  static Precise Parse(const char* text) {
    return Precise(std::strtold(text, nullptr));
  }

  friend Precise operator-(const Precise& a) { return Precise(-a.value_); }
  friend bool operator<(const Precise& a, double b) { return a.value_ < b; }

  int Compare(double x, bool* open) const {
    const long double off = value_ - x;
    *open = std::fabs(off) <= std::fabs(x) * 0x1p-58L;
    return off < 0 ? -1 : off > 0;
  }

#define LANEWISE_PRECISE_OPERATOR(sign, function)                    \
  friend Precise operator sign(const Precise& a, const Precise& b) { \
    return Precise(a.value_ sign b.value_);                          \
  }
#define LANEWISE_PRECISE_FUNCTION(name) \
  friend Precise name(const Precise& x) { return Precise(std::name(x.value_)); }
  LANEWISE_PRECISE_OPERATOR(+, )
  LANEWISE_PRECISE_OPERATOR(-, )
  LANEWISE_PRECISE_OPERATOR(*, )
  LANEWISE_PRECISE_OPERATOR(/, )

 private:
  long double value_;

 public:
#endif  // LANEWISE_HAVE_MPFR

  LANEWISE_PRECISE_FUNCTION(acos)
  LANEWISE_PRECISE_FUNCTION(acosh)
  LANEWISE_PRECISE_FUNCTION(asin)
  LANEWISE_PRECISE_FUNCTION(asinh)
  LANEWISE_PRECISE_FUNCTION(atan)
  LANEWISE_PRECISE_FUNCTION(atanh)
  LANEWISE_PRECISE_FUNCTION(cos)
  LANEWISE_PRECISE_FUNCTION(cosh)
  LANEWISE_PRECISE_FUNCTION(erf)
  LANEWISE_PRECISE_FUNCTION(erfc)
  LANEWISE_PRECISE_FUNCTION(exp)
  LANEWISE_PRECISE_FUNCTION(expm1)
  LANEWISE_PRECISE_FUNCTION(log)
  LANEWISE_PRECISE_FUNCTION(log1p)
  LANEWISE_PRECISE_FUNCTION(sin)
  LANEWISE_PRECISE_FUNCTION(sinh)
  LANEWISE_PRECISE_FUNCTION(sqrt)
  LANEWISE_PRECISE_FUNCTION(tan)
  LANEWISE_PRECISE_FUNCTION(tanh)
#undef LANEWISE_PRECISE_OPERATOR
#undef LANEWISE_PRECISE_FUNCTION
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_PRECISE_H_
