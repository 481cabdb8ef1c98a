// SPDX-License-Identifier: Apache-2.0

#include "runtime/types.h"

#include <cstring>

namespace lanewise {
namespace {

// By ONNX code.
constexpr TypeInfo kTypes[kTypeCount] = {
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

}  // namespace

const TypeInfo* FindType(int32_t type) {
  return type > 0 && type < kTypeCount ? &kTypes[type] : nullptr;
}

int32_t TypeByShortName(const char* short_name) {
  for (int32_t type = 1; type < kTypeCount; ++type) {
    if (std::strcmp(kTypes[type].short_name, short_name) == 0) return type;
  }
  return 0;
}

}  // namespace lanewise
