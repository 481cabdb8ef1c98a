// SPDX-License-Identifier: Apache-2.0
//
// All pairs of 16-bit operands of a comparison.

#ifndef LANEWISE_TESTS_SUPPORT_ORDER_PAIRS_H_
#define LANEWISE_TESTS_SUPPORT_ORDER_PAIRS_H_

#include <cstdint>

#include "tests/support/all_pairs16.h"

namespace lanewise::test {

template <class Order, int kExponentBits, int kMantissaBits>
struct OrderByValue {
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  bool operator()(uint16_t a, uint16_t b) const {
    return Order()(values[a], values[b]);
  }
};

template <class Order, typename T>
struct OrderOfIntegers {
  bool operator()(uint16_t a, uint16_t b) const {
    return Order()(static_cast<T>(a), static_cast<T>(b));
  }
};

/// Holds a comparison against Order, which is std::less<> or a sibling.
template <class Order>
void CheckOrder16(const OpId& op, lw_type type) {
  const auto check = [&](const auto& oracle) {
    CheckAllPairs16<uint8_t>(op, type, 0x7FFF, oracle);
  };
  if (type == LW_FLOAT16) check(OrderByValue<Order, 5, 10>());
  if (type == LW_BFLOAT16) check(OrderByValue<Order, 8, 7>());
  if (type == LW_INT16) check(OrderOfIntegers<Order, int16_t>());
  if (type == LW_UINT16) check(OrderOfIntegers<Order, uint16_t>());
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ORDER_PAIRS_H_
