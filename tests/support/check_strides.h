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
inline void CheckLayout(const lw_op* op, const Subject& subject,
                        const Layout& layout, unsigned strided, bool in_place,
                        Side side) {
  const auto count = static_cast<size_t>(Count(layout.dims));
  std::vector<StridedMemory> in;
  std::vector<lw_tensor> views;
  Array values[2];
  for (int i = 0; i < subject.inputs; ++i) {
    const bool over = in_place && i == 0;
    in.emplace_back(subject.type, layout.dims,
                    over                ? layout.out
                    : strided >> i & 1u ? layout.in
                                        : Dims64(),
                    side);
    in.back().Fill(i == 0 ? RandomBits(subject.type, count)
                          : RandomDivisors(subject.type, count));
    values[i] = in.back().Read();  // with stride 0, the last write remains
    views.push_back(in.back().view());
  }
  const Array expected = Compute(subject, values[0], values[1]);

  StridedMemory other(subject.type, layout.dims, layout.out, side);
  StridedMemory& out = in_place ? in[0] : other;
  // The expected memory, byte for byte, both elements and gaps.
  other.Fill(expected);
  const std::vector<uint8_t> whole(other.base(), other.base() + other.bytes());
  Untouch(const_cast<uint8_t*>(other.base()), other.bytes());

  const lw_tensor result = out.view();
  ASSERT_EQ(lw_op_run(op, views.data(), views.size(), &result, 1), LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(out.Read(), expected));
  EXPECT_EQ(FirstDifference(out.base(), whole.data(), whole.size(), 1),
            whole.size())
      << "a gap between elements was written to";
  for (int i = in_place ? 1 : 0; i < subject.inputs; ++i) {
    EXPECT_TRUE(SameBits(in[static_cast<size_t>(i)].Read(), values[i]));
  }
}

/// Checks every layout with every choice of strided inputs, and in place.
inline void CheckLayouts(const lw_engine* engine, const OpId& id,
                         lw_type type) {
  const OpPtr op = MakeOp(engine, id);
  const Subject subject = KernelApi(engine, id, type);
  for (const Layout& layout : AllLayouts()) {
    SCOPED_TRACE(layout.name);
    for (const Side side : {Side::kLower, Side::kUpper}) {
      for (unsigned strided = 1; strided < 1u << id.inputs; ++strided) {
        CheckLayout(op.get(), subject, layout, strided, false, side);
      }
      CheckLayout(op.get(), subject, layout, 1u << id.inputs >> 1, true, side);
    }
    if (testing::Test::HasFailure()) return;
  }
}

/// CheckLayouts, and once more with stores past the caches.
inline void CheckStrides(const lw_engine* engine, const OpId& id,
                         lw_type type) {
  CheckLayouts(engine, id, type);
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr streaming =
      MakeTunedEngine(options, lw_engine_isa(engine), EagerStreaming());
  CheckLayouts(streaming.get(), id, type);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_STRIDES_H_
