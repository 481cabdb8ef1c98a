// SPDX-License-Identifier: Apache-2.0
//
// Names and sizes of the element types.

#ifndef LANEWISE_RUNTIME_ENGINE_TYPES_H_
#define LANEWISE_RUNTIME_ENGINE_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

inline constexpr int32_t kTypeCount = 27;  // codes 1 to 26; 0 is no type

struct TypeInfo {
  const char* name;        ///< for messages: "bfloat16"
  const char* short_name;  ///< for traces and benchmarks: "bf16"
  uint8_t bits;       ///< per element; 0: strings, whose size the host sets
  uint8_t alignment;  ///< in bytes
};

/// By ONNX code.
inline constexpr TypeInfo kTypes[kTypeCount] = {
    {"undefined", "-", 0, 1},
    {"float32", "f32", 32, 4},
    {"uint8", "u8", 8, 1},
    {"int8", "i8", 8, 1},
    {"uint16", "u16", 16, 2},
    {"int16", "i16", 16, 2},
    {"int32", "i32", 32, 4},
    {"int64", "i64", 64, 8},
    {"string", "str", 0, alignof(void*)},
    {"bool", "bool", 8, 1},
    {"float16", "f16", 16, 2},
    {"float64", "f64", 64, 8},
    {"uint32", "u32", 32, 4},
    {"uint64", "u64", 64, 8},
    {"complex64", "c64", 64, 4},
    {"complex128", "c128", 128, 8},
    {"bfloat16", "bf16", 16, 2},
    {"float8e4m3fn", "f8e4m3fn", 8, 1},
    {"float8e4m3fnuz", "f8e4m3fnuz", 8, 1},
    {"float8e5m2", "f8e5m2", 8, 1},
    {"float8e5m2fnuz", "f8e5m2fnuz", 8, 1},
    {"uint4", "u4", 4, 1},
    {"int4", "i4", 4, 1},
    {"float4e2m1", "f4e2m1", 4, 1},
    {"float8e8m0", "f8e8m0", 8, 1},
    {"uint2", "u2", 2, 1},
    {"int2", "i2", 2, 1},
};

/// nullptr for a number that is no type.
inline const TypeInfo* FindType(int32_t type) {
  return type > 0 && type < kTypeCount ? &kTypes[type] : nullptr;
}

/// The eight integer types.
constexpr bool IsInteger(int32_t type) {
  return (type >= LW_UINT8 && type <= LW_INT64) || type == LW_UINT32 ||
         type == LW_UINT64;
}

/// The code of the type with this short name, or 0.
int32_t TypeByShortName(const char* short_name);

/// The size of `count` elements in bytes; a partial byte of a packed type
/// counts as one.
constexpr size_t BytesFor(size_t count, size_t bits) {
  return bits >= 8 ? count * (bits / 8) : (count * bits + 7) / 8;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_TYPES_H_
