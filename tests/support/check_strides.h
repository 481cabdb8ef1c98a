// SPDX-License-Identifier: Apache-2.0
//
// Checks that the tensor API finds every element of strided tensors, stores the
// kernel's result for each, and does not write to the gaps between them.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_STRIDES_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_STRIDES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "tests/support/array.h"
#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// A tensor in memory that begins or ends at a guard page.
class StridedMemory {
 public:
  StridedMemory(lw_type type, const Dims64& dims, const Dims64& strides,
                Side side = Side::kUpper)
      : strides_(strides.empty() ? RowMajor(dims) : strides) {
    int64_t low = 0;
    int64_t high = Count(dims) == 0 ? 0 : 1;
    for (size_t i = 0; i < dims.size() && high > 0; ++i) {
      const int64_t reach = (dims[i] - 1) * strides_[i];
      (reach < 0 ? low : high) += reach;
    }
    const size_t size = ElementSize(type);
    bytes_ = static_cast<size_t>(high - low) * size;
    memory_ = std::make_unique<GuardedMemory>(bytes_);
    base_ = memory_->Place(side, 0, bytes_);
    Untouch(base_, bytes_);
    tensor_ = {type, base_ - low * static_cast<int64_t>(size), dims, strides,
               bytes_};
  }

  lw_tensor view() const { return tensor_.view(); }
  const uint8_t* base() const { return base_; }
  size_t bytes() const { return bytes_; }

  uint8_t* at(int64_t flat) const {
    const auto size = static_cast<int64_t>(ElementSize(tensor_.type));
    return static_cast<uint8_t*>(tensor_.data) +
           OffsetOf(tensor_.dims, strides_, flat) * size;
  }
  /// Copies elements to and from memory, in row-major order.
  void Fill(const Array& values) const {
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(at(static_cast<int64_t>(i)), values.at(i),
                  values.element_size());
    }
  }
  Array Read() const {
    Array values(tensor_.type, static_cast<size_t>(Count(tensor_.dims)));
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(values.at(i), at(static_cast<int64_t>(i)),
                  values.element_size());
    }
    return values;
  }

 private:
  Dims64 strides_;
  Tensor tensor_;
  std::unique_ptr<GuardedMemory> memory_;
  uint8_t* base_ = nullptr;
  size_t bytes_ = 0;
};

/// Checks one layout. If bit i of `strided` is set, input i has the layout's
/// input strides, otherwise it is row-major. `in_place` overwrites input 0,
/// which then has the layout's output strides.
void CheckLayout(const lw_op* op, const Subject& subject, const Layout& layout,
                 unsigned strided, bool in_place, Side side);

/// Checks every layout with every choice of strided inputs, and in place.
void CheckLayouts(const lw_engine* engine, const OpId& id, lw_type type);

/// CheckLayouts, and once more with stores past the caches.
void CheckStrides(const lw_engine* engine, const OpId& id, lw_type type);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_STRIDES_H_
