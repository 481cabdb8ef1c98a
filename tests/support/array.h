// SPDX-License-Identifier: Apache-2.0
//
// Elements of one type as raw memory: what the checks of every operator and
// every type are written in.

#ifndef LANEWISE_TESTS_SUPPORT_ARRAY_H_
#define LANEWISE_TESTS_SUPPORT_ARRAY_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::test {

/// Bytes of an element of a type with whole bytes; written down here once more
/// so that the library's own table is not its own witness.
inline size_t ElementSize(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 2;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 4;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
    case LW_COMPLEX64:
      return 8;
    case LW_COMPLEX128:
    case LW_STRING:  // as lw_string
      return 16;
    default:
      return 1;
  }
}

class Array {
 public:
  Array() = default;
  Array(lw_type type, size_t count)
      : type_(type), count_(count), bytes_(count * ElementSize(type)) {}

  /// Values as they are: T is a float, an integer, or the bits of a float.
  template <typename T>
  Array(lw_type type, const std::vector<T>& values)
      : Array(type, values.size()) {
    EXPECT_EQ(sizeof(T), ElementSize(type));
    if (!values.empty()) std::memcpy(data(), values.data(), bytes_.size());
  }

  lw_type type() const { return type_; }
  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  size_t bytes() const { return bytes_.size(); }
  size_t element_size() const { return ElementSize(type_); }

  uint8_t* data() { return bytes_.data(); }
  const uint8_t* data() const { return bytes_.data(); }
  uint8_t* at(size_t i) { return data() + i * element_size(); }
  const uint8_t* at(size_t i) const { return data() + i * element_size(); }

  template <typename T>
  T* as() {
    return reinterpret_cast<T*>(data());
  }
  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(data());
  }

  friend bool operator==(const Array&, const Array&) = default;

 private:
  lw_type type_ = LW_FLOAT32;
  size_t count_ = 0;
  std::vector<uint8_t> bytes_;
};

/// The bits of an element as hexadecimal digits, for messages.
inline std::string BitsText(const void* element, size_t size) {
  std::string text = "0x";
  for (size_t i = size; i-- > 0;) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x",
                  static_cast<const uint8_t*>(element)[i]);
    text += digits;
  }
  return text;
}

/// The first element whose bits differ; n if none does.
inline size_t FirstDifference(const void* x, const void* y, size_t n,
                              size_t size) {
  if (n == 0 || std::memcmp(x, y, n * size) == 0) return n;
  const auto* bytes = static_cast<const uint8_t*>(x);
  return static_cast<size_t>(std::mismatch(bytes, bytes + n * size,
                                           static_cast<const uint8_t*>(y))
                                 .first -
                             bytes) /
         size;
}

/// For EXPECT_TRUE: the same type, count and bits.
inline testing::AssertionResult SameBits(const Array& actual,
                                         const Array& expected) {
  if (actual.type() != expected.type() || actual.size() != expected.size()) {
    return testing::AssertionFailure() << "type or size differs";
  }
  const size_t size = actual.element_size();
  const size_t i =
      FirstDifference(actual.data(), expected.data(), actual.size(), size);
  if (i == actual.size()) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << lw_type_name(actual.type()) << " element " << i << " of "
         << actual.size() << " is " << BitsText(actual.at(i), size) << ", not "
         << BitsText(expected.at(i), size);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ARRAY_H_
