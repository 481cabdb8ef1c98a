// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_run.h"

#include <algorithm>

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

ChainMemo::ChainMemo(const Chain& chain)
    : chain_(chain),
      rank_(std::max(kLeastRank, chain.known_rank)),
      planned_(chain, rank_),
      plan_(chain, rank_),
      tensors_(chain.inputs() + chain.outputs.size()),
      numbers_(2 * rank_ * tensors_.size()) {}

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
  const lw_tensor* inputs = tensors_.data();
  const lw_tensor* outputs = inputs + tensors.input_count;
  return has_plan_ && std::equal(inputs, outputs, tensors.inputs, AreAlike) &&
         std::equal(outputs, outputs + tensors.output_count, tensors.outputs,
                    AreAlike);
}

void ChainMemo::Copy(const lw_tensor& from, size_t k) {
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

void ChainMemo::Plan(const ChainTensors& tensors) {
  const size_t inputs = tensors.input_count;
  for (size_t k = 0; k < inputs; ++k) Copy(tensors.inputs[k], k);
  for (size_t k = 0; k < tensors.output_count; ++k) {
    Copy(tensors.outputs[k], inputs + k);
  }
  planned_->Keep(tensors_.data(), tensors_.data() + inputs);
  if (planned_->passes() == 1) planned_->AddPlan(&*plan_);
  planned_->Finish();
  has_plan_ = true;
}

bool ChainMemo::Replace(const RunOptions& options, const ChainTensors& tensors,
                        lw_status* status) {
  int none = 0;
  if (chain_.MostRank(tensors.inputs, tensors.input_count) > rank_ ||
      !users_.compare_exchange_strong(none, kClosed,
                                      std::memory_order_acquire)) {
    return false;
  }
  // Lets other threads in again, even if planning throws.
  Leaver leaver = {*this, true};
  has_plan_ = false;
  *status = planned_->Check(tensors.inputs, tensors.input_count,
                            tensors.outputs, tensors.output_count);
  if (*status != LW_OK) return true;
  void* data[kMaxOperands];
  tensors.FindData(data);
  if (planned_->passes() > 1 || chain_.reads_shapes) {
    *status = planned_->RunOnce(options, data, &*plan_);
    return true;
  }
  Plan(tensors);
  users_.store(1, std::memory_order_release);
  leaver.is_alone = false;
  *status = planned_->Run(options, data);
  return true;
}

bool ChainMemo::Run(const RunOptions& options, const ChainTensors& tensors,
                    lw_status* status) {
  if (!Enter(tensors)) return Replace(options, tensors, status);
  const Leaver leaver = {*this, false};
  void* data[kMaxOperands];
  tensors.FindData(data);
  *status = planned_->Run(options, data);
  return true;
}

lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs) {
  const size_t rank = chain.MostRank(inputs, count);
  const size_t bytes = WithMemory<ChainCall>::BytesOf(chain, rank);
  // Enough for 64 steps on tensors of 8 dims.
  MemoryUnit few[(size_t{10} << 10) / sizeof(MemoryUnit)];
  std::unique_ptr<MemoryUnit[]> many;
  if (bytes > sizeof(few)) many.reset(new MemoryUnit[MemoryUnits(bytes)]);
  MemoryParts parts(many != nullptr ? many.get() : few);
  ChainCall call(chain, rank, parts);
  const lw_status status = call.Resolve(inputs, count);
  if (status == LW_OK) call.Infer(outputs);
  return status;
}

namespace {

// A call that finds no room in the memory of the chain.
struct OwnPlan {
  OwnPlan(const Chain& chain, size_t rank)
      : planned(chain, rank), plan(chain, rank) {}
  WithMemory<PlannedChain> planned;
  WithMemory<ChainPlan> plan;
};

lw_status RunUnplanned(const Chain& chain, const RunOptions& options,
                       const ChainTensors& tensors) {
  const auto own = std::make_unique<OwnPlan>(
      chain, chain.MostRank(tensors.inputs, tensors.input_count));
  const lw_status status =
      own->planned->Check(tensors.inputs, tensors.input_count, tensors.outputs,
                          tensors.output_count);
  if (status != LW_OK) return status;
  void* data[kMaxOperands];
  tensors.FindData(data);
  return own->planned->RunOnce(options, data, &*own->plan);
}

}  // namespace

lw_status RunChain(const Chain& chain, ChainMemo& memo,
                   const RunOptions& options, const ChainTensors& tensors) {
  lw_status status;
  if (!tensors.HaveCountsOf(chain)) [[unlikely]] {
    return tensors.FailCounts(chain);
  }
  if (memo.Run(options, tensors, &status)) return status;
  return RunUnplanned(chain, options, tensors);
}

}  // namespace lanewise
