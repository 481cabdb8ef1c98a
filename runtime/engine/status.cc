// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/status.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace lanewise {
namespace {

struct LastFailure {
  char message[640] = "";
  lw_zero_divisors zero_divisors = {};
};
thread_local LastFailure last;

}  // namespace

lw_status Fail(lw_status status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(last.message, sizeof(last.message), format, arguments);
  va_end(arguments);
  return status;
}

lw_status Fail(const Label& label, lw_status status, const char* format, ...) {
  char fault[560];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(fault, sizeof(fault), format, arguments);
  va_end(arguments);
  if (label.version == 0) return Fail(status, "%s: %s", label.name, fault);
  return Fail(status, "%s-%d: %s", label.name, label.version, fault);
}

lw_status FailNull(const char* function, const char* argument) {
  return Fail(LW_INVALID_ARGUMENT, "%s: %s is NULL", function, argument);
}

lw_status FailInStep(size_t step, lw_status status) {
  char message[sizeof(last.message)];
  std::memcpy(message, last.message, sizeof(message));
  std::snprintf(last.message, sizeof(last.message), "Chain, step %zu: %.600s",
                step, message);
  return status;
}

lw_status FailZeroDivisors(const Label& label, lw_zero_divisors zeros) {
  last.zero_divisors = zeros;
  return Fail(label, LW_DIVIDE_BY_ZERO,
              "integer division by zero at %" PRIu64
              " output position(s), the first at flat index %" PRIu64
              "; the quotient there is 0",
              zeros.count, zeros.first);
}

const char* LastError() { return last.message; }

lw_zero_divisors LastZeroDivisors() { return last.zero_divisors; }

ShapeText::ShapeText(const int64_t* dims, int64_t rank) {
  size_t used = 0;
  const auto append = [&](const char* format, auto... values) {
    const int n =
        std::snprintf(text_ + used, sizeof(text_) - used, format, values...);
    used += static_cast<size_t>(n);
  };
  append("%s", "[");
  for (int64_t i = 0; i < rank; ++i) {
    if (used + 32 > sizeof(text_)) {
      append("%s", ",...");
      break;
    }
    append(i == 0 ? "%" PRId64 : ",%" PRId64, dims[i]);
  }
  append("%s", "]");
}

}  // namespace lanewise
