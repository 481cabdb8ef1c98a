// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/chain_runners.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "benchmarks/chains.h"
#include "runtime/engine/types.h"

namespace lanewise::bench {
namespace {

void Must(lw_status status) {
  if (status == LW_OK) return;
  std::fprintf(stderr, "bench: %s\n", lw_last_error());
  std::exit(1);
}

// A chain on the memory of a task, in each way that it can be called.
class OwnChain {
 public:
  OwnChain(const Task& task, const BenchChain& chain, const lw_engine* engine)
      : chain_(chain),
        type_(task.type),
        dims_{static_cast<int64_t>(task.n / ColumnsOf(chain, task.n)),
              static_cast<int64_t>(ColumnsOf(chain, task.n))} {
    values_.push_back(Tensor(const_cast<void*>(task.a), task.type));
    MakeConstants(engine);
    for (const ChainStep& step : chain.steps) AddStep(step, engine);
    values_.back().data = task.out;
  }
  OwnChain(const OwnChain&) = delete;
  OwnChain& operator=(const OwnChain&) = delete;
  ~OwnChain() {
    lw_call_destroy(call_);
    lw_chain_destroy(made_);
    for (lw_op* op : ops_) lw_op_destroy(op);
  }

  void MakeChain(const lw_engine* engine) {
    std::vector<lw_step> steps;
    for (size_t s = 0; s < ops_.size(); ++s) {
      const std::vector<int32_t>& operands = chain_.steps[s].operands;
      steps.push_back({ops_[s], operands.data(), operands.size()});
    }
    const int32_t result = chain_.result();
    Must(lw_chain_create(engine, &values_[0].type, 1, &values_[1],
                         chain_.constants.size(), steps.data(), steps.size(),
                         &result, 1, &made_));
  }
  void Prepare() {
    Must(lw_chain_prepare(made_, &values_[0], 1, &values_.back(), 1, &call_));
  }

  void Run() {
    lw_chain_run(made_, nullptr, &values_[0], 1, &values_.back(), 1);
  }
  void RunPrepared() {
    lw_call_run(call_, &values_[0].data, &values_.back().data);
  }
  void RunSteps() {
    for (size_t s = 0; s < ops_.size(); ++s) {
      lw_tensor inputs[3];
      const std::vector<int32_t>& operands = chain_.steps[s].operands;
      for (size_t k = 0; k < operands.size(); ++k) {
        inputs[k] = values_[static_cast<size_t>(operands[k])];
      }
      lw_op_run(ops_[s], inputs, operands.size(),
                &values_[1 + chain_.constants.size() + s], 1);
    }
  }

 private:
  // All of the elements.
  lw_tensor Tensor(void* data, int32_t type) const {
    return {data, type, 2, dims_, nullptr, 0};
  }
  // One element, one for each column or row, or all.
  lw_tensor TensorOf(const ChainConstant& constant, void* data,
                     int32_t type) const {
    lw_tensor tensor = Tensor(data, type);
    if (constant.shape == ChainConstant::kOne) tensor.rank = 0;
    if (constant.shape == ChainConstant::kRow) {
      tensor.rank = 1;
      tensor.dims = &dims_[1];
    }
    if (constant.shape == ChainConstant::kColumn) tensor.dims = column_dims_;
    return tensor;
  }

  lw_op* MakeOp(const ChainStep& step, const lw_engine* engine) {
    const int64_t to = step.to != LW_ABSENT ? step.to : type_;
    const lw_attribute cast = {"to", LW_ATTRIBUTE_INT, 1, &to};
    const char* text = step.direction != nullptr ? step.direction : "";
    const lw_string direction = {text, std::strlen(text)};
    const lw_attribute shift = {"direction", LW_ATTRIBUTE_STRING, 1,
                                &direction};
    const bool is_cast = std::strcmp(step.op, "Cast") == 0;
    lw_op* op = nullptr;
    Must(lw_op_create(engine, step.op, kChainOpset, is_cast ? &cast : &shift,
                      is_cast || step.direction != nullptr ? 1 : 0, &op));
    return op;
  }

  // The system provides no page before the first access: a chain in one call
  // accesses none of its steps' results.
  void* NewMemory(size_t count, int32_t type) {
    const size_t bytes = BytesFor(count, FindType(type)->bits);
    memory_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    return memory_.back().get();
  }

  // Constants as Cast rounds them.
  void MakeConstants(const lw_engine* engine) {
    const lw_type type =
        chain_.constant_type != LW_ABSENT ? chain_.constant_type : type_;
    lw_op* cast = MakeOp({"Cast", {0}, type}, engine);
    for (const ChainConstant& constant : chain_.constants) {
      const size_t count =
          CountOf(chain_, constant, static_cast<size_t>(dims_[0] * dims_[1]));
      std::vector<float> numbers(count);
      for (size_t k = 0; k < count; ++k) numbers[k] = constant.At(k);
      const lw_tensor from = TensorOf(constant, numbers.data(), LW_FLOAT32);
      values_.push_back(TensorOf(constant, NewMemory(count, type), type));
      Must(lw_op_run(cast, &from, 1, &values_.back(), 1));
    }
    lw_op_destroy(cast);
  }

  void AddStep(const ChainStep& step, const lw_engine* engine) {
    lw_op* op = MakeOp(step, engine);
    ops_.push_back(op);
    std::vector<lw_tensor> inputs;
    for (const int32_t value : step.operands) {
      inputs.push_back(values_[static_cast<size_t>(value)]);
    }
    // LayerNormalization has three outputs, of which the first is wanted.
    lw_shape shapes[3];
    Must(lw_op_infer(op, inputs.data(), inputs.size(), shapes));
    const auto count = static_cast<size_t>(dims_[0] * dims_[1]);
    values_.push_back(Tensor(NewMemory(count, shapes[0].type), shapes[0].type));
  }

  const BenchChain& chain_;
  lw_type type_;
  const int64_t dims_[2];
  const int64_t column_dims_[2] = {dims_[0], 1};
  std::vector<lw_tensor> values_;
  std::vector<std::unique_ptr<char[]>> memory_;  // of constants and steps
  std::vector<lw_op*> ops_;
  lw_chain* made_ = nullptr;
  lw_call* call_ = nullptr;
};

}  // namespace

Runner ChainRunner(const Task& task, const lw_engine* engine, ChainWay way) {
  const BenchChain* chain = FindChain(task.op);
  if (chain == nullptr) return {};
  auto own = std::make_shared<OwnChain>(task, *chain, engine);
  Runner runner;
  if (way == ChainWay::kSteps) {
    runner.whole = [own] { own->RunSteps(); };
    return runner;
  }
  own->MakeChain(engine);
  if (way == ChainWay::kPrepared) {
    own->Prepare();
    runner.whole = [own] { own->RunPrepared(); };
  } else {
    runner.whole = [own] { own->Run(); };
  }
  return runner;
}

}  // namespace lanewise::bench
