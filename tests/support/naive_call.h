// SPDX-License-Identifier: Apache-2.0
//
// What a tensor call has to write, found element by element: indices are
// counted up, strides multiplied, and the operator's spec asked for each
// element.

#ifndef LANEWISE_TESTS_SUPPORT_NAIVE_CALL_H_
#define LANEWISE_TESTS_SUPPORT_NAIVE_CALL_H_

#include <cstdint>
#include <string>

#include "lanewise/lanewise.h"
#include "tests/support/random_calls.h"

namespace lanewise::test {

/// What is wrong with the answer to a call that the library accepted; empty if
/// nothing is. `after` is the call's memory with the answer, and `zeros` are
/// the zero divisors that were reported. Calls with float attributes are not
/// checked: the specs know the defaults only.
std::string ComplaintAboutCall(const RandomOperator& op, const RandomCall& call,
                               const uint8_t* after,
                               const lw_zero_divisors& zeros);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_NAIVE_CALL_H_
