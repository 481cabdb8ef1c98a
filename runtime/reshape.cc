// SPDX-License-Identifier: Apache-2.0
//
// Reshape moves elements without looking at them: nothing at all for a view,
// one copy where both sides are contiguous, a gather or scatter where one is
// strided, and both through tiles where both are.

#include <algorithm>
#include <cstdint>

#include "runtime/operation.h"

namespace lanewise {
namespace {

// Reshape keeps row-major order, so a side without strides lies in memory just
// as if it had the other side's dims.
lw_tensor WithDimsOf(const lw_tensor& contiguous, const lw_tensor& other) {
  lw_tensor tensor = contiguous;
  tensor.rank = other.rank;
  tensor.dims = other.dims;
  tensor.strides = nullptr;
  return tensor;
}

LoopNest NestBetween(const lw_tensor& in, const lw_tensor& out,
                     bool keep_order) {
  const NestOperand operands[] = {{&in, 0}, {&out, 0}};
  LoopNest nest;
  BuildNest(operands, 2, keep_order, &nest);
  return nest;
}

// Steps through a tensor's elements in row-major order.
class Cursor {
 public:
  Cursor(const lw_tensor& tensor, size_t element_bytes)
      : nest_(NestBetween(tensor, tensor, true)),
        data_(static_cast<char*>(tensor.data)),
        bytes_(static_cast<int64_t>(element_bytes)) {}

  /// Consecutive elements that lie side by side, from element `index` on.
  int64_t Contiguous(int64_t index) const {
    if (nest_.flat[0]) return nest_.elements - index;
    const int64_t n = nest_.inner();
    return nest_.inner_stride(0) == 1 ? n - index % n : 1;
  }
  char* At(int64_t index) const {
    int64_t offset = 0;
    for (int i = nest_.rank - 1; i >= 0; --i) {
      offset += index % nest_.dims[i] * nest_.strides[0][i];
      index /= nest_.dims[i];
    }
    return data_ + offset * bytes_;
  }

 private:
  LoopNest nest_;
  char* data_;
  int64_t bytes_;
};

}  // namespace

lw_status Operation::RunReshape(const Call& call) const {
  const lw_tensor& in = *call.inputs[0].tensor;
  const lw_tensor& out = *call.output.tensor;
  const bool in_strided = !IsContiguous(in);
  const bool out_strided = !IsContiguous(out);
  if (in.data == out.data) return LW_OK;  // CheckAllMemory: it is a view
  if (call.shape.type == LW_STRING && engine_->string_type.copy != nullptr) {
    return CopyStrings(call);
  }

  if (call.layout.bits < 8) {
    const auto elements = static_cast<size_t>(call.output.elements);
    const auto bytes =
        static_cast<int64_t>(BytesFor(elements, call.layout.bits));
    const lw_tensor from = {in.data, LW_UINT8, 1, &bytes, nullptr, 0};
    const lw_tensor to = {out.data, LW_UINT8, 1, &bytes, nullptr, 0};
    return RunOverNest(NestBetween(from, to, false), nullptr, call);
  }
  if (in_strided && out_strided) {
    const LoopNest from = NestBetween(in, in, true);
    const LoopNest to = NestBetween(out, out, true);
    return RunOverNest(to, &from, call);
  }
  if (in_strided) {
    return RunOverNest(NestBetween(in, WithDimsOf(out, in), false), nullptr,
                       call);
  }
  return RunOverNest(NestBetween(WithDimsOf(in, out), out, false), nullptr,
                     call);
}

// The host's strings, by the host's copy: on the calling thread, in runs as
// long as both sides allow.
lw_status Operation::CopyStrings(const Call& call) const {
  const lw_string_type& strings = engine_->string_type;
  const Cursor from(*call.inputs[0].tensor, strings.element_size);
  const Cursor to(*call.output.tensor, strings.element_size);
  for (int64_t i = 0; i < call.output.elements;) {
    const int64_t count = std::min(from.Contiguous(i), to.Contiguous(i));
    strings.copy(strings.context, to.At(i), from.At(i),
                 static_cast<size_t>(count));
    i += count;
  }
  return LW_OK;
}

}  // namespace lanewise
