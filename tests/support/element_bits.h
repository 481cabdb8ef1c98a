// SPDX-License-Identifier: Apache-2.0
//
// Elements of up to eight bytes as numbers, in either byte order.

#ifndef LANEWISE_TESTS_SUPPORT_ELEMENT_BITS_H_
#define LANEWISE_TESTS_SUPPORT_ELEMENT_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanewise::test {

/// Where the low `size` bytes of an uint64_t begin.
constexpr size_t LowBytes(size_t size) {
  return std::endian::native == std::endian::little ? 0 : 8 - size;
}

inline uint64_t ReadBits(const void* element, size_t size) {
  uint64_t bits = 0;
  std::memcpy(reinterpret_cast<char*>(&bits) + LowBytes(size), element, size);
  return bits;
}

inline void WriteBits(uint64_t bits, void* element, size_t size) {
  std::memcpy(element, reinterpret_cast<char*>(&bits) + LowBytes(size), size);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ELEMENT_BITS_H_
