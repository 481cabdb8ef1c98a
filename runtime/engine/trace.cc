// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/trace.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "runtime/engine/status.h"
#include "runtime/engine/types.h"

namespace lanewise {

lw_status Trace::Enable(const char* events) {
  std::string_view rest(events);
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view event = rest.substr(0, comma);
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
    if (event == "dispatch") {
      dispatch_ = true;
    } else if (event == "exec") {
      exec_ = true;
    } else if (event != "none") {
      return Fail(LW_INVALID_ARGUMENT,
                  "verbose \"%s\": known are dispatch, exec and none", events);
    }
  }
  return LW_OK;
}

void Trace::Print(const char* line) const {
  if (sink_ != nullptr) {
    sink_(context_, line);
  } else {
    std::printf("%s\n", line);  // one call: threads must not mix their lines
  }
}

void Trace::Dispatch(const char* op, int version, int32_t type, const char* isa,
                     Way way) const {
  char line[160];
  std::snprintf(line, sizeof(line),
                "lanewise,dispatch,%s/%s/-/%s@%s,version:%d,way:%s", op,
                FindType(type)->short_name, name_, isa, version,
                kWayNames[static_cast<size_t>(way)]);
  Print(line);
}

void Trace::Exec(const char* op, int32_t type, const char* pattern,
                 const char* isa, uint64_t elements, uint64_t threads,
                 uint64_t nanoseconds) const {
  char line[200];
  std::snprintf(line, sizeof(line),
                "lanewise,exec,%s/%s/%s/%s@%s/n:%" PRIu64 "/threads:%" PRIu64
                ",%" PRIu64,
                op, FindType(type)->short_name, pattern, name_, isa, elements,
                threads, nanoseconds);
  Print(line);
}

uint64_t Trace::Nanoseconds() {
  return static_cast<uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace lanewise
