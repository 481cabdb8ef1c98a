// SPDX-License-Identifier: Apache-2.0
//
// Failures: a status for programs, and a message for people that waits in
// thread-local memory until it is asked for.

#ifndef LANEWISE_RUNTIME_STATUS_H_
#define LANEWISE_RUNTIME_STATUS_H_

#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// Who is speaking: messages open with "Relu-14: ".
struct Label {
  const char* name;
  int version;  ///< 0 where no version is known yet
};

/// Keeps the message and returns `status`, so that callers can return it on.
/// Allocates nothing.
[[gnu::format(printf, 2, 3)]] lw_status Fail(lw_status status,
                                             const char* format, ...);
[[gnu::format(printf, 3, 4)]] lw_status Fail(const Label& label,
                                             lw_status status,
                                             const char* format, ...);

/// Keeps what lw_last_zero_divisors tells, with its message.
lw_status FailZeroDivisors(const Label& label, uint64_t first, uint64_t count);

const char* LastError();
void LastZeroDivisors(uint64_t* first, uint64_t* count);

/// "[2,3,4]" in memory of its own, for messages.
class ShapeText {
 public:
  ShapeText(const int64_t* dims, int64_t rank);
  const char* c_str() const { return text_; }

 private:
  char text_[200];
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STATUS_H_
