// SPDX-License-Identifier: Apache-2.0
//
// What the runtime knows of element types: their names and sizes.

#ifndef LANEWISE_RUNTIME_TYPES_H_
#define LANEWISE_RUNTIME_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

inline constexpr int32_t kTypeCount = 27;  // codes run from 1 to 26

struct TypeInfo {
  const char* name;        ///< as in messages: "bfloat16"
  const char* short_name;  ///< as in traces and benchmarks: "bf16"
  uint8_t bits;            ///< per element; 0 for strings, which the host sizes
  uint8_t alignment;       ///< in bytes
};

/// nullptr for a number that is no type.
const TypeInfo* FindType(int32_t type);

/// The eight integer types.
constexpr bool IsInteger(int32_t type) {
  return (type >= LW_UINT8 && type <= LW_INT64) || type == LW_UINT32 ||
         type == LW_UINT64;
}

/// The code behind a short name, 0 if there is none.
int32_t TypeByShortName(const char* short_name);

/// Bytes of `count` elements; packed types fill whole bytes.
constexpr size_t BytesFor(size_t count, size_t bits) {
  return bits >= 8 ? count * (bits / 8) : (count * bits + 7) / 8;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_TYPES_H_
