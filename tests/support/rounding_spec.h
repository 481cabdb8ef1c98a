// SPDX-License-Identifier: Apache-2.0
//
// The oracles of Floor, Ceil and Round: the number without its fraction, then
// one step. They do not depend on the rounding mode.

#ifndef LANEWISE_TESTS_SUPPORT_ROUNDING_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_ROUNDING_SPEC_H_

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

struct ToFloor {
  template <typename T>
  T operator()(T x) const {
    const T whole = std::trunc(x);
    return whole > x ? whole - 1 : whole;
  }
};

struct ToCeil {
  template <typename T>
  T operator()(T x) const {
    const T whole = std::trunc(x);
    return whole < x ? whole + 1 : whole;
  }
};

struct ToEven {
  template <typename T>
  T operator()(T x) const {
    const T whole = std::trunc(x);
    const T fraction = std::fabs(x - whole);  // exact
    const bool away = fraction > T{0.5} ||
                      (fraction == T{0.5} && std::fmod(whole, T{2}) != 0);
    return away ? whole + std::copysign(T{1}, x) : whole;
  }
};

template <class Fn>
long double RoundToWhole(lw_type type, const long double* in) {
  const long double both[] = {in[0], 0};
  return InTypeOf(type, both, [](auto x, auto) { return Fn()(x); });
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ROUNDING_SPEC_H_
