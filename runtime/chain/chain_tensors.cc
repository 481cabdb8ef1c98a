// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_tensors.h"

#include <algorithm>

#include "runtime/chain/chain_call.h"
#include "runtime/plan/tensor.h"

namespace lanewise {

bool ChainTensors::HaveCountsOf(const Chain& chain) const {
  return input_count == chain.inputs() &&
         output_count == chain.outputs.size() && outputs != nullptr &&
         (inputs != nullptr || input_count == 0);
}

lw_status ChainTensors::FailCounts(const Chain& chain) const {
  const lw_status status =
      ChainCall::CheckInputCount(chain, inputs, input_count);
  return status != LW_OK
             ? status
             : ChainCall::CheckOutputCount(chain, outputs, output_count);
}

void ChainTensors::FindData(void** data) const {
  for (size_t k = 0; k < input_count; ++k) data[k] = inputs[k].data;
  for (size_t k = 0; k < output_count; ++k) {
    data[input_count + k] = outputs[k].data;
  }
}

void KeptTensors::Copy(const lw_tensor& from, size_t k) {
  tensors_[k] = from;
  int64_t* numbers = &numbers_[2 * rank_ * k];
  for (const int64_t** kept : {&tensors_[k].dims, &tensors_[k].strides}) {
    if (*kept != nullptr) {
      std::copy_n(*kept, from.rank, numbers);
      *kept = numbers;
    }
    numbers += rank_;
  }
}

void KeptTensors::Keep(const ChainTensors& tensors) {
  for (size_t k = 0; k < tensors.input_count; ++k) Copy(tensors.inputs[k], k);
  for (size_t k = 0; k < tensors.output_count; ++k) {
    Copy(tensors.outputs[k], input_count_ + k);
  }
}

bool KeptTensors::Fit(const ChainTensors& tensors) const {
  return std::equal(inputs(), outputs(), tensors.inputs, AreAlike) &&
         std::equal(outputs(), outputs() + tensors.output_count,
                    tensors.outputs, AreAlike);
}

}  // namespace lanewise
