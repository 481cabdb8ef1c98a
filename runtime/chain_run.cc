// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain_run.h"

#include <algorithm>

namespace lanewise {
namespace {

// Whether a step reads a shape from an input: a plan then depends on data.
bool ReadsShapes(const Chain& chain) {
  for (const ChainStep& step : chain.steps) {
    if (!step.is_head && !step.is_tail) continue;
    for (size_t k = 1; k < step.operands.size(); ++k) {
      if (step.operands[k] < 0) continue;
      const int32_t root = chain.RootOf(step.operands[k]);
      if (root >= 0 && chain.IsInput(root)) return true;
    }
  }
  return false;
}

bool SameNumbers(const int64_t* kept, const int64_t* given, int32_t count) {
  if (kept == nullptr || given == nullptr) return kept == given;
  return std::equal(kept, kept + count, given);
}

// The dims of `given` may be read where type and rank are those of a tensor
// that has been checked.
bool AreAlike(const lw_tensor& kept, const lw_tensor& given) {
  return kept.type == given.type && kept.rank == given.rank &&
         kept.bytes == given.bytes &&
         (kept.rank == 0 || SameNumbers(kept.dims, given.dims, kept.rank)) &&
         SameNumbers(kept.strides, given.strides, kept.rank);
}

}  // namespace

bool ChainTensors::HaveCountsOf(const Chain& chain) const {
  return input_count == chain.inputs() &&
         output_count == chain.outputs.size() && outputs != nullptr &&
         (inputs != nullptr || input_count == 0);
}

void ChainTensors::FindData(void** data) const {
  for (size_t k = 0; k < input_count; ++k) data[k] = inputs[k].data;
  for (size_t k = 0; k < output_count; ++k) {
    data[input_count + k] = outputs[k].data;
  }
}

ChainMemo::ChainMemo(const Chain& chain)
    : users_(ReadsShapes(chain) ? kClosed : 0), chain_(chain) {}

bool ChainMemo::Enter(const ChainTensors& tensors) {
  int users = users_.load(std::memory_order_relaxed);
  do {
    if (users == kClosed) return false;
  } while (!users_.compare_exchange_weak(
      users, users + 1, std::memory_order_acquire, std::memory_order_relaxed));
  if (Fits(tensors)) return true;
  Leave();
  return false;
}

bool ChainMemo::Fits(const ChainTensors& tensors) const {
  const lw_tensor* outputs = tensors_ + tensors.input_count;
  return has_plan_ && std::equal(tensors_, outputs, tensors.inputs, AreAlike) &&
         std::equal(outputs, outputs + tensors.output_count, tensors.outputs,
                    AreAlike);
}

void ChainMemo::Copy(const lw_tensor& from, size_t k) {
  tensors_[k] = from;
  if (from.dims != nullptr) {
    std::copy_n(from.dims, from.rank, dims_[k]);
    tensors_[k].dims = dims_[k];
  }
  if (from.strides != nullptr) {
    std::copy_n(from.strides, from.rank, strides_[k]);
    tensors_[k].strides = strides_[k];
  }
}

bool ChainMemo::Replace(const ChainTensors& tensors, lw_status* status) {
  const size_t inputs = tensors.input_count;
  const size_t outputs = tensors.output_count;
  const auto is_small = [](const lw_tensor& tensor) {
    return tensor.rank <= kMostRank;
  };
  if (!std::all_of(tensors.inputs, tensors.inputs + inputs, is_small) ||
      !std::all_of(tensors.outputs, tensors.outputs + outputs, is_small)) {
    return false;
  }
  int none = 0;
  if (!users_.compare_exchange_strong(none, kClosed,
                                      std::memory_order_acquire)) {
    return false;
  }
  // Lets other threads in again, even if planning throws.
  struct Opener {
    ~Opener() { memo.users_.store(users, std::memory_order_release); }
    ChainMemo& memo;
    int users = 0;
  } opener = {*this};
  has_plan_ = false;
  planned_.emplace(chain_);
  *status = planned_->Check(tensors.inputs, inputs, tensors.outputs, outputs);
  if (*status != LW_OK) return true;
  if (planned_->passes() > 1) {
    opener.users = kClosed;
    return false;
  }
  for (size_t k = 0; k < inputs; ++k) Copy(tensors.inputs[k], k);
  for (size_t k = 0; k < outputs; ++k) Copy(tensors.outputs[k], inputs + k);
  planned_->Keep(tensors_, tensors_ + inputs);
  if (planned_->passes() == 1) planned_->AddPlan(&plan_);
  planned_->Finish();
  has_plan_ = true;
  opener.users = 1;
  return true;
}

bool ChainMemo::Run(const RunOptions& options, const ChainTensors& tensors,
                    lw_status* status) {
  *status = LW_OK;
  if (!tensors.HaveCountsOf(chain_)) return false;
  if (!Enter(tensors) && !Replace(tensors, status)) return false;
  if (*status != LW_OK) return true;
  struct Leaver {
    ~Leaver() { memo.Leave(); }
    ChainMemo& memo;
  } const leaver = {*this};
  void* data[kMaxOperands];
  tensors.FindData(data);
  *status = planned_->Run(options, data);
  return true;
}

lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs) {
  ChainCall call(chain);
  const lw_status status = call.Resolve(inputs, count);
  if (status == LW_OK) call.Infer(outputs);
  return status;
}

// A function of its own, so that calls by a kept plan need little stack.
[[gnu::noinline]] lw_status RunUnplanned(const Chain& chain,
                                         const RunOptions& options,
                                         const ChainTensors& tensors) {
  PlannedChain planned(chain);
  const lw_status status = planned.Check(tensors.inputs, tensors.input_count,
                                         tensors.outputs, tensors.output_count);
  if (status != LW_OK) return status;
  void* data[kMaxOperands];
  tensors.FindData(data);
  return planned.RunOnce(options, data);
}

lw_status RunChain(const lw_chain& chain, const RunOptions& options,
                   const ChainTensors& tensors) {
  lw_status status;
  if (chain.memo.Run(options, tensors, &status)) return status;
  return RunUnplanned(*chain.chain, options, tensors);
}

}  // namespace lanewise
