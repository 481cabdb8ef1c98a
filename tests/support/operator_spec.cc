// SPDX-License-Identifier: Apache-2.0

#include "tests/support/operator_spec.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/element_bits.h"

namespace lanewise::test {

namespace {

template <typename T>
T Read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Spelled out once more, so that no conversion of the library judges itself.
long double Read16(uint32_t bits, int mantissa_bits, int bias) {
  const int exponent = static_cast<int>((bits & 0x7FFF) >> mantissa_bits);
  const auto mantissa = static_cast<int>(bits & ((1u << mantissa_bits) - 1));
  const int top = (0x7FFF >> mantissa_bits);
  const long double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == top) {
    return mantissa != 0 ? std::numeric_limits<long double>::quiet_NaN()
                         : sign * std::numeric_limits<long double>::infinity();
  }
  const int hidden = exponent == 0 ? 0 : 1 << mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
  return sign * std::ldexp(static_cast<long double>(hidden + mantissa), scale);
}

}  // namespace

const VersionSpec& VersionOf(const OperatorSpec& spec, int32_t opset) {
  const VersionSpec* found = &spec.versions.front();
  for (const VersionSpec& version : spec.versions) {
    if (version.version <= opset) found = &version;
  }
  return *found;
}

int64_t ReadInteger(lw_type type, const void* element) {
  // GCC 14 cannot know that no integer has the 16 bytes of complex128.
  const size_t bytes = std::min(ElementSize(type), sizeof(uint64_t));
  const uint64_t bits = ReadBits(element, bytes);
  const auto shift = static_cast<int>(64 - 8 * bytes);
  return IsSignedInteger(type) ? static_cast<int64_t>(bits << shift) >> shift
                               : static_cast<int64_t>(bits);
}

void WriteInteger(lw_type type, int64_t value, void* element) {
  WriteBits(static_cast<uint64_t>(value), element, ElementSize(type));
}

long double ReadFloat(lw_type type, const void* element) {
  switch (type) {
    case LW_FLOAT32:
      return Read<float>(element);
    case LW_FLOAT64:
      return Read<double>(element);
    case LW_FLOAT16:
      return Read16(Read<uint16_t>(element), 10, 15);
    default:
      return Read16(Read<uint16_t>(element), 7, 127);
  }
}

long double ReadNumber(lw_type type, const void* element) {
  if (kF4.count(type) != 0) return ReadFloat(type, element);
  const int64_t number = ReadInteger(type, element);
  return IsSignedInteger(type)
             ? static_cast<long double>(number)
             : static_cast<long double>(static_cast<uint64_t>(number));
}

}  // namespace lanewise::test
