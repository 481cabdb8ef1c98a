// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/calls.h"

#include <algorithm>
#include <new>

namespace lanewise::ort {

std::unique_ptr<Call> Call::Make(const lw_op* op, const lw_tensor* inputs,
                                 size_t input_count) {
  lw_shape shape;
  if (lw_op_infer(op, inputs, input_count, &shape) != LW_OK) return nullptr;
  lw_tensor output = {};
  output.type = shape.type;
  output.rank = shape.rank;
  output.dims = shape.dims;
  std::unique_ptr<Call> made(new Call);
  if (lw_call_create(op, inputs, input_count, &output, 1, &made->call_) !=
      LW_OK) {
    return nullptr;
  }
  for (size_t i = 0; i < input_count; ++i) {
    const lw_tensor& input = inputs[i];
    made->inputs_.push_back({input.type, input.rank});
    made->dims_.insert(made->dims_.end(), input.dims, input.dims + input.rank);
  }
  made->output_at_ = made->dims_.size();
  made->dims_.insert(made->dims_.end(), shape.dims, shape.dims + shape.rank);
  for (int32_t i = 0; i < shape.rank; ++i) {
    made->elements_ *= static_cast<size_t>(shape.dims[i]);
  }
  return made;
}

bool Call::Fits(const lw_tensor* inputs, size_t input_count) const {
  const int64_t* dims = dims_.data();
  for (size_t i = 0; i < input_count; ++i) {
    const Input& known = inputs_[i];
    if (inputs[i].type != known.type || inputs[i].rank != known.rank ||
        !std::equal(dims, dims + known.rank, inputs[i].dims)) {
      return false;
    }
    dims += known.rank;
  }
  return true;
}

Calls::~Calls() {
  for (const auto& call : calls_) delete call.load();
}

const Call* Calls::Get(const lw_op* op, const lw_tensor* inputs,
                       size_t input_count) {
  for (auto& place : calls_) {
    const Call* known = place.load(std::memory_order_acquire);
    if (known == nullptr) {
      std::unique_ptr<const Call> made;
      try {
        made = Call::Make(op, inputs, input_count);
      } catch (const std::bad_alloc&) {
      }
      if (made == nullptr) return nullptr;
      // Another thread may have been faster, perhaps with the same call.
      if (place.compare_exchange_strong(known, made.get(),
                                        std::memory_order_acq_rel)) {
        return made.release();
      }
    }
    if (known->Fits(inputs, input_count)) return known;
  }
  return nullptr;
}

}  // namespace lanewise::ort
