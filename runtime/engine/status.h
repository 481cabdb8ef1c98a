// SPDX-License-Identifier: Apache-2.0
//
// Failures: a status code for programs, and a message for people, which is kept
// in thread-local memory until the caller asks for it.

#ifndef LANEWISE_RUNTIME_ENGINE_STATUS_H_
#define LANEWISE_RUNTIME_ENGINE_STATUS_H_

#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// The operator that a message is about: messages begin with "Relu-14: ".
struct Label {
  const char* name;
  int version;  ///< 0 if no version is known yet
};

/// Stores the message and returns `status`, so that callers can return the
/// result. Allocates nothing.
[[gnu::format(printf, 2, 3)]] lw_status Fail(lw_status status,
                                             const char* format, ...);
[[gnu::format(printf, 3, 4)]] lw_status Fail(const Label& label,
                                             lw_status status,
                                             const char* format, ...);

/// The failure of a function of the API whose argument must not be NULL.
[[gnu::cold]] lw_status FailNull(const char* function, const char* argument);

/// Puts the number of a chain's step before the message of the last failure.
lw_status FailInStep(size_t step, lw_status status);

/// Stores the result of lw_last_zero_divisors, and a message about it.
lw_status FailZeroDivisors(const Label& label, lw_zero_divisors zeros);

const char* LastError();
lw_zero_divisors LastZeroDivisors();

/// "[2,3,4]" for messages, in a buffer of fixed size.
class ShapeText {
 public:
  ShapeText(const int64_t* dims, int64_t rank);
  const char* c_str() const { return text_; }

 private:
  char text_[200];
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_STATUS_H_
