// SPDX-License-Identifier: Apache-2.0

#include "runtime/recipe/recipe_chains.h"

#include "runtime/recipe/recipe_call.h"

namespace lanewise {

RecipeChains::~RecipeChains() {
  const RecipeChain* chain = first_.load();
  while (chain != nullptr) {
    const std::unique_ptr<const RecipeChain> done(chain);
    chain = chain->next;
  }
}

const RecipeChain* RecipeChains::FindKnown(const OperandTypes& types) const {
  const RecipeChain* chain = first_.load(std::memory_order_acquire);
  while (chain != nullptr && chain->types != types) chain = chain->next;
  return chain;
}

lw_status RecipeChains::Find(const OperandTypes& types,
                             const RecipeChain** found) {
  *found = FindKnown(types);
  if (*found != nullptr) return LW_OK;
  // Made without the lock: other types need not wait.
  auto made = std::make_unique<RecipeChain>();
  const lw_status status = Make(types, made.get());
  if (status != LW_OK) return status;
  const std::lock_guard<std::mutex> lock(chains_mutex_);
  *found = FindKnown(types);  // Another thread may have been quicker.
  if (*found != nullptr) return LW_OK;
  made->next = first_.load(std::memory_order_relaxed);
  *found = made.get();
  first_.store(made.release(), std::memory_order_release);
  return LW_OK;
}

lw_status RecipeChains::Make(const OperandTypes& types,
                             RecipeChain* made) const {
  WrittenRecipe written;
  lw_status status = WriteRecipe(*node_, types, &written);
  if (status != LW_OK) return status;
  made->types = types;
  std::vector<int32_t> input_types;
  int32_t numbers[WrittenRecipe::kFirstStep];  // of inputs and constants
  const auto next = [&] { return static_cast<int32_t>(input_types.size()); };
  for (size_t k = 0; k < kMaxInputs; ++k) {
    if (types.inputs[k] == LW_ABSENT) continue;
    numbers[k] = next();
    input_types.push_back(types.inputs[k]);
    made->inputs.push_back(k);
  }
  std::vector<lw_tensor> constants;
  for (size_t k = 0; k < written.constants.size(); ++k) {
    numbers[WrittenRecipe::kFirstConstant + k] =
        next() + static_cast<int32_t>(k);
    constants.push_back(written.constants[k].tensor());
  }
  const int32_t first_step = next() + static_cast<int32_t>(constants.size());
  const auto number = [&](int32_t value) {
    if (value < 0) return value;
    return value < WrittenRecipe::kFirstStep
               ? numbers[value]
               : first_step + value - WrittenRecipe::kFirstStep;
  };
  std::vector<lw_step> steps;
  for (WrittenRecipe::Step& step : written.steps) {
    for (int32_t& value : step.operands) value = number(value);
    steps.push_back({&step.op, step.operands.data(), step.operands.size()});
  }
  std::vector<int32_t> outputs;
  for (size_t k = 0; k < LW_MAX_OUTPUTS; ++k) {
    if (types.outputs[k] == LW_ABSENT) continue;
    outputs.push_back(number(written.outputs[k]));
    made->outputs.push_back(k);
  }
  lw_chain* chain = nullptr;
  status = MakeChainHandle(node_->engine,
                           {input_types.data(),
                            input_types.size(),
                            constants.data(),
                            constants.size(),
                            steps.data(),
                            steps.size(),
                            outputs.data(),
                            outputs.size(),
                            {node_->label, {}, 0, made->outputs}},
                           &chain);
  made->chain.reset(chain);
  return status;
}

lw_status InferRecipe(RecipeChains& chains, const lw_tensor* inputs,
                      size_t count, lw_shape* outputs) {
  RecipeCall call(chains);
  lw_status status = call.TakeInputs(inputs, count);
  if (status != LW_OK) return status;
  const ChainTensors tensors = call.tensors();
  return InferChain(*call.recipe().chain->chain, tensors.inputs,
                    tensors.input_count, outputs);
}

lw_status RunRecipe(RecipeChains& chains, const RunOptions* options,
                    const lw_tensor* inputs, size_t input_count,
                    const lw_tensor* outputs, size_t output_count) {
  RecipeCall call(chains);
  const lw_status status =
      call.Take(inputs, input_count, outputs, output_count);
  if (status != LW_OK) return status;
  const RunOptions none;
  return RunChain(*call.recipe().chain, options != nullptr ? *options : none,
                  call.tensors());
}

lw_status PreparedRecipe::Prepare(const lw_tensor* inputs, size_t input_count,
                                  const lw_tensor* outputs,
                                  size_t output_count) {
  RecipeCall call(*chains_);
  const lw_status status =
      call.Take(inputs, input_count, outputs, output_count);
  if (status != LW_OK) return status;
  recipe_ = &call.recipe();
  const ChainTensors tensors = call.tensors();
  const std::shared_ptr<const Chain>& chain = recipe_->chain->chain;
  const size_t rank = chain->MostRank(tensors.inputs, tensors.input_count);
  if (recipe_->chain->staged == nullptr) {
    plain_ = std::make_unique<PreparedChain>(chain, rank);
    return plain_->Prepare(tensors);
  }
  stages_ =
      std::make_unique<PreparedStages>(recipe_->chain->staged->stages(), rank);
  return stages_->Prepare(tensors);
}

lw_status PreparedRecipe::Run(const RunOptions* options,
                              const void* const* inputs,
                              void* const* outputs) const {
  if (inputs == nullptr || outputs == nullptr) {
    return Fail(chain().label(), LW_INVALID_ARGUMENT, "%s is NULL",
                inputs == nullptr ? "inputs" : "outputs");
  }
  const void* in[kMaxInputs];
  void* out[LW_MAX_OUTPUTS];
  size_t count = 0;
  for (const size_t k : recipe_->inputs) in[count++] = inputs[k];
  count = 0;
  for (const size_t k : recipe_->outputs) out[count++] = outputs[k];
  return plain_ != nullptr ? plain_->Run(options, in, out)
                           : stages_->Run(options, in, out);
}

}  // namespace lanewise
