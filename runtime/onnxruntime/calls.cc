// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/calls.h"

#include <algorithm>
#include <new>

#include "runtime/onnxruntime/tensors.h"

namespace lanewise::ort {

lw_status Callee::Infer(const lw_tensor* inputs, size_t count,
                        lw_shape* to) const {
  return op_ != nullptr ? lw_op_infer(op_.get(), inputs, count, to)
                        : lw_chain_infer(chain_.get(), inputs, count, to);
}

lw_status Callee::Prepare(const lw_tensor* inputs, size_t count,
                          const lw_tensor* to, lw_call** call) const {
  return op_ != nullptr
             ? lw_call_create(op_.get(), inputs, count, to, outputs(), call)
             : lw_chain_prepare(chain_.get(), inputs, count, to, outputs(),
                                call);
}

lw_status Callee::Run(const lw_run_options* options, const lw_tensor* inputs,
                      size_t count, const lw_tensor* to) const {
  return op_ != nullptr
             ? lw_op_run_with(op_.get(), options, inputs, count, to, outputs())
             : lw_chain_run(chain_.get(), options, inputs, count, to,
                            outputs());
}

std::unique_ptr<Call> Call::Make(const Callee& callee, const lw_tensor* inputs,
                                 size_t input_count) {
  lw_shape shapes[LW_MAX_OUTPUTS];
  if (callee.Infer(inputs, input_count, shapes) != LW_OK) return nullptr;
  lw_tensor outputs[LW_MAX_OUTPUTS];
  for (size_t i = 0; i < callee.outputs(); ++i) {
    outputs[i] = callee.wants(i) ? TensorOf(shapes[i]) : lw_tensor{};
  }
  std::unique_ptr<Call> made(new Call);
  if (callee.Prepare(inputs, input_count, outputs, &made->call_) != LW_OK) {
    return nullptr;
  }
  for (size_t i = 0; i < input_count; ++i) {
    const lw_tensor& input = inputs[i];
    made->inputs_.push_back({input.type, input.rank});
    made->dims_.insert(made->dims_.end(), input.dims, input.dims + input.rank);
  }
  for (size_t i = 0; i < callee.outputs(); ++i) {
    const lw_tensor& output = outputs[i];
    made->outputs_.push_back(
        {made->dims_.size(), static_cast<size_t>(output.rank)});
    made->dims_.insert(made->dims_.end(), output.dims,
                       output.dims + output.rank);
    made->elements_ = std::max(made->elements_, Elements(output));
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

const Call* Calls::Get(const Callee& callee, const lw_tensor* inputs,
                       size_t input_count) {
  for (auto& place : calls_) {
    const Call* known = place.load(std::memory_order_acquire);
    if (known == nullptr) {
      std::unique_ptr<const Call> made;
      try {
        made = Call::Make(callee, inputs, input_count);
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
