// SPDX-License-Identifier: Apache-2.0
//
// Checks that the bits of an element depend only on the element: not on the
// length of the run, its position in the run, its alignment, or whether the
// output overwrites an input. Also checks that no byte outside the run is
// touched.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_LENGTHS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_LENGTHS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "tests/support/array.h"
#include "tests/support/guarded.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// The input that the output overwrites, if any.
enum class InPlace { kNo, kA, kB };

class LengthCheck {
 public:
  /// The inputs must have more than `max_length` elements.
  LengthCheck(const Subject& subject, const Array& a, const Array& b,
              size_t max_length)
      : subject_(subject),
        inputs_{&a, &b},
        max_length_(max_length),
        size_(ElementSize(subject.type)),
        expected_(Compute(subject, a, b)),
        memory_{GuardedMemory(max_length * size_ + kVector),
                GuardedMemory(max_length * size_ + kVector)},
        out_memory_(max_length * size_ + kVector) {}

  /// Stops at the first failure, because the others would have the same cause.
  void Run() {
    for (const InPlace in_place : {InPlace::kNo, InPlace::kA, InPlace::kB}) {
      if (!Possible(in_place)) continue;
      for (const Side side : {Side::kLower, Side::kUpper}) {
        for (size_t offset = 0; offset < kVector / size_; ++offset) {
          for (size_t n = 0; n <= max_length_; ++n) {
            const char* fault = RunOne(in_place, side, offset, n);
            if (fault == nullptr) continue;
            FAIL() << lw_type_name(subject_.type) << ": " << fault << "; n "
                   << n << ", "
                   << (in_place == InPlace::kNo ? "out of place, "
                                                : "in place, ")
                   << offset << " elements from the "
                   << (side == Side::kLower ? "lower" : "upper")
                   << " guard page";
          }
        }
      }
    }
  }

 private:
  static constexpr size_t kVector = 64;  // bytes in the longest x86 vector
  static constexpr size_t kMargin = 128;

  bool Possible(InPlace in_place) const {
    if (in_place == InPlace::kNo) return true;
    const int input = in_place == InPlace::kA ? 0 : 1;
    return input < subject_.inputs && subject_.Elements(input, 2) == 2;
  }

  /// Returns what went wrong, or nullptr.
  const char* RunOne(InPlace in_place, Side side, size_t offset, size_t n) {
    // Vary the part of the inputs, so that positions in the long run vary, too.
    const size_t start =
        (7 * n + 13 * offset) % (expected_.size() - max_length_);
    const uint8_t* in[2] = {};
    const uint8_t* from[2] = {};
    size_t in_bytes[2] = {};
    for (int i = 0; i < subject_.inputs; ++i) {
      const bool scalar = subject_.Elements(i, 2) == 1;
      from[i] = inputs_[i]->at(scalar ? 0 : start);
      in_bytes[i] = scalar ? size_ : n * size_;
      in[i] = memory_[i].Copy(side, offset * size_, from[i], in_bytes[i]);
    }

    // The output has another offset than the inputs, and takes every offset
    // once.
    const size_t bytes = n * size_;
    uint8_t* out = out_memory_.Place(
        side, (5 * offset + 3) % (kVector / size_) * size_, bytes);
    const GuardedMemory* around = &out_memory_;
    if (in_place != InPlace::kNo) {
      const int input = in_place == InPlace::kA ? 0 : 1;
      out = const_cast<uint8_t*>(in[input]);
      around = &memory_[input];
    }
    const size_t before =
        std::min(kMargin, static_cast<size_t>(out - around->low()));
    const size_t behind =
        std::min(kMargin, static_cast<size_t>(around->high() - out) - bytes);
    Untouch(out - before, before);
    Untouch(out + bytes, behind);
    if (in_place == InPlace::kNo) Untouch(out, bytes);

    if (subject_.compute(in[0], in[1], out, n) != LW_OK) return lw_last_error();
    if (FirstDifference(out, expected_.at(start), n, size_) != n) {
      return "the bits differ from those of the long run";
    }
    if (!IsUntouched(out - before, before) ||
        !IsUntouched(out + bytes, behind)) {
      return "a byte outside the output was written";
    }
    for (int i = 0; i < subject_.inputs; ++i) {
      if (out != in[i] &&
          FirstDifference(in[i], from[i], in_bytes[i], 1) != in_bytes[i]) {
        return "an input was written to";
      }
    }
    return nullptr;
  }

  const Subject& subject_;
  const Array* inputs_[2];
  size_t max_length_;
  size_t size_;
  Array expected_;
  GuardedMemory memory_[2];
  GuardedMemory out_memory_;
};

/// Checks every length up to `max_length`, at every offset within 64 bytes of
/// the lower and of the upper guard page, in place and out of place.
inline void CheckEveryLengthAndAlignment(const Subject& subject, const Array& a,
                                         const Array& b = {},
                                         size_t max_length = 300) {
  LengthCheck(subject, a, b, max_length).Run();
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_LENGTHS_H_
