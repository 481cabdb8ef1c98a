// SPDX-License-Identifier: Apache-2.0
//
// Elements of any type as raw memory, so that one check serves every operator
// and every type.

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
#include "tests/support/element_size.h"

namespace lanewise::test {

class Array {
 public:
  Array() = default;
  Array(lw_type type, size_t count)
      : type_(type), count_(count), bytes_(count * ElementSize(type)) {}

  /// Copies `values` bit by bit: T is a float, an integer, or the bits of a
  /// float.
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

/// The bits of an element in hexadecimal, for messages.
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

/// The index of the first element whose bits differ, or n if all are equal.
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

/// For EXPECT_TRUE: whether type, count and bits are the same.
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
