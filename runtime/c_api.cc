// SPDX-License-Identifier: Apache-2.0
//
// The C ABI: checks handles, keeps exceptions in, and calls on.

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "kernels/fp_env.h"
#include "runtime/call/operation.h"
#include "runtime/call/prepared_call.h"
#include "runtime/chain/chain.h"
#include "runtime/chain/chain_run.h"
#include "runtime/chain/prepared_chain.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/isa.h"
#include "runtime/engine/status.h"
#include "runtime/engine/types.h"
#include "runtime/node/node.h"
#include "runtime/node/registry.h"
#include "runtime/node/signatures.h"
#include "runtime/recipe/recipe_chains.h"
#include "runtime/recipe/splice.h"
#include "runtime/stages/staged_chain.h"

/// A prepared call of an operator, or of a chain.
struct lw_call {
  lanewise::PreparedCall call;
  std::unique_ptr<lanewise::PreparedChain> chain;  ///< then `call` has no node
  std::unique_ptr<lanewise::PreparedStages> stages = nullptr;  ///< as `chain`
  std::unique_ptr<lanewise::PreparedRecipe> recipe = nullptr;  ///< as `chain`
};

#define LW_STRING_OF(x) #x
#define LW_VERSION_TEXT(major, minor, patch) \
  LW_STRING_OF(major) "." LW_STRING_OF(minor) "." LW_STRING_OF(patch)

// Dims, which have 64 bits, are counted in size_t throughout the runtime.
static_assert(sizeof(size_t) == sizeof(int64_t), "64-bit machines only");

namespace {

using lanewise::Engine;
using lanewise::Fail;
using lanewise::FailNull;

/// Runs `body` and turns an exception into a status. Only allocation and oneTBB
/// throw.
template <class Body>
lw_status Guarded(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Fail(LW_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return Fail(LW_THREADING_FAILED, "the threading library failed: %s",
                e.what());
  } catch (...) {
    return Fail(LW_THREADING_FAILED, "the threading library failed");
  }
}

/// The engine behind a handle. NULL means the default engine.
lw_status EngineOf(const lw_engine* handle,
                   std::shared_ptr<const Engine>* engine) {
  if (handle == nullptr) return lanewise::DefaultEngine(engine);
  *engine = handle->engine;
  return LW_OK;
}

/// Copies an options struct that starts with struct_size. A host with an older
/// header has a smaller struct: the fields that it lacks are 0. A newer
/// header's struct is larger: what is unknown here must be 0.
template <class Options>
lw_status ReadOptions(const char* name, const Options* given,
                      Options* options) {
  *options = {};
  if (given == nullptr) return LW_OK;
  const size_t size = given->struct_size;
  // No struct has such a size. Half of a pointer would be copied.
  if (size < sizeof(size_t) || size % alignof(Options) != 0) {
    return Fail(LW_INVALID_ARGUMENT,
                "%s: struct_size is %zu, but must be sizeof(%s)", name, size,
                name);
  }
  std::memcpy(options, given, std::min(size, sizeof(*options)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (size_t i = sizeof(*options); i < size; ++i) {
    if (bytes[i] == 0) continue;
    return Fail(LW_INVALID_ARGUMENT,
                "%s: byte %zu sets an option that version %s does not know",
                name, i, lw_version());
  }
  return LW_OK;
}

/// Runs `run(options)`, with nullptr for none.
template <class Run>
lw_status WithOptions(const Engine& engine, const lanewise::Label& label,
                      const lw_run_options* given, const Run& run) {
  if (given == nullptr) return run(nullptr);
  lw_run_options read;
  lanewise::RunOptions options;
  lw_status status = ReadOptions("lw_run_options", given, &read);
  if (status == LW_OK) {
    status = lanewise::RunOptions::Read(engine, label, &read, &options);
  }
  return status == LW_OK ? run(&options) : status;
}

/// Runs `run()`. Nothing of the caller's floating-point environment reaches the
/// results of an exact engine: the tasks of a call take over what they find
/// here.
template <class Run>
lw_status InItsEnvironment(const Engine& engine, const Run& run) {
  if (!engine.is_exact()) [[likely]] {
    return run();
  }
  const lanewise::FpEnv env(lanewise::FpEnv::Default());
  return run();
}

lw_status RunOperator(const lw_op& op, const lanewise::RunOptions* options,
                      const lw_tensor* inputs, size_t input_count,
                      const lw_tensor* outputs, size_t output_count) {
  if (op.chains != nullptr) [[unlikely]] {
    return lanewise::RunRecipe(*op.chains, options, inputs, input_count,
                               outputs, output_count);
  }
  return lanewise::RunTensors(*op.node, options, inputs, input_count, outputs,
                              output_count);
}

/// Runs `run(options)` for a chain.
template <class Run>
lw_status WithChainOptions(const lanewise::Chain& chain,
                           const lw_run_options* given, const Run& run) {
  return WithOptions(*chain.engine, chain.label(), given,
                     [&](const lanewise::RunOptions* read) {
                       return InItsEnvironment(*chain.engine,
                                               [&] { return run(read); });
                     });
}

}  // namespace

extern "C" {

const char* lw_status_name(int32_t status) noexcept {
  switch (status) {
#define LW_NAME(name) \
  case name:          \
    return #name
    LW_NAME(LW_OK);
    LW_NAME(LW_INVALID_ARGUMENT);
    LW_NAME(LW_UNKNOWN_OPERATOR);
    LW_NAME(LW_UNSUPPORTED_VERSION);
    LW_NAME(LW_UNSUPPORTED_TYPE);
    LW_NAME(LW_WRONG_COUNT);
    LW_NAME(LW_INVALID_ATTRIBUTE);
    LW_NAME(LW_INVALID_SHAPE);
    LW_NAME(LW_SIZE_OVERFLOW);
    LW_NAME(LW_NULL_DATA);
    LW_NAME(LW_MISALIGNED);
    LW_NAME(LW_BUFFER_TOO_SMALL);
    LW_NAME(LW_OVERLAP);
    LW_NAME(LW_DIVIDE_BY_ZERO);
    LW_NAME(LW_UNKNOWN_ISA);
    LW_NAME(LW_INVALID_TUNING);
    LW_NAME(LW_OUT_OF_MEMORY);
    LW_NAME(LW_THREADING_FAILED);
    LW_NAME(LW_NOT_EXACT);
#undef LW_NAME
  }
  return "LW_UNKNOWN_STATUS";
}

const char* lw_last_error(void) noexcept { return lanewise::LastError(); }

lw_zero_divisors lw_last_zero_divisors(void) noexcept {
  return lanewise::LastZeroDivisors();
}

const char* lw_type_name(int32_t type) noexcept {
  const lanewise::TypeInfo* info = lanewise::FindType(type);
  return info != nullptr ? info->name : "unknown";
}

const char* lw_version(void) noexcept {
  return LW_VERSION_TEXT(LW_VERSION_MAJOR, LW_VERSION_MINOR, LW_VERSION_PATCH);
}

lw_status lw_engine_create(const lw_engine_options* options,
                           lw_engine** engine) noexcept {
  if (engine == nullptr) return FailNull("lw_engine_create", "engine");
  return Guarded([&] {
    lw_engine_options read;
    std::shared_ptr<const Engine> made;
    lw_status status = ReadOptions("lw_engine_options", options, &read);
    if (status == LW_OK) status = lanewise::MakeEngine(read, &made);
    if (status == LW_OK) *engine = new lw_engine{std::move(made)};
    return status;
  });
}

void lw_engine_destroy(lw_engine* engine) noexcept { delete engine; }

const char* lw_engine_isa(const lw_engine* handle) noexcept {
  const char* name = "none";
  Guarded([&] {
    std::shared_ptr<const Engine> engine;
    const lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) name = lanewise::TargetName(engine->target);
    return status;
  });
  return name;
}

int32_t lw_engine_threads(const lw_engine* handle) noexcept {
  int32_t threads = 0;
  Guarded([&] {
    std::shared_ptr<const Engine> engine;
    const lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) {
      threads = static_cast<int32_t>(engine->executor->Threads());
    }
    return status;
  });
  return threads;
}

int32_t lw_engine_accuracy(const lw_engine* handle) noexcept {
  int32_t accuracy = 0;
  Guarded([&] {
    std::shared_ptr<const Engine> engine;
    const lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) accuracy = engine->accuracy;
    return status;
  });
  return accuracy;
}

const char* lw_isa_name(size_t index) noexcept {
  int64_t targets = lanewise::RunnableTargets();
  for (; index > 0 && targets != 0; --index) targets &= targets - 1;
  return targets == 0 ? nullptr : lanewise::TargetName(targets & -targets);
}

lw_status lw_op_create(const lw_engine* handle, const char* name, int32_t opset,
                       const lw_attribute* attributes, size_t attribute_count,
                       lw_op** op) noexcept {
  if (op == nullptr) return FailNull("lw_op_create", "op");
  return Guarded([&] {
    std::shared_ptr<const Engine> engine;
    std::shared_ptr<const lanewise::Node> node;
    lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) {
      status = lanewise::MakeNode(std::move(engine), name, opset, attributes,
                                  attribute_count, &node);
    }
    if (status != LW_OK) return status;
    auto made = std::make_unique<lw_op>();
    made->node = std::move(node);
    if (made->node->is_composed()) {
      made->chains = std::make_shared<lanewise::RecipeChains>(made->node);
    }
    *op = made.release();
    return LW_OK;
  });
}

void lw_op_destroy(lw_op* op) noexcept { delete op; }

lw_status lw_op_infer(const lw_op* op, const lw_tensor* inputs,
                      size_t input_count, lw_shape* outputs) noexcept {
  if (op == nullptr) return FailNull("lw_op_infer", "op");
  if (outputs == nullptr) return FailNull("lw_op_infer", "outputs");
  return Guarded([&] {
    if (op->chains != nullptr) {
      return lanewise::InferRecipe(*op->chains, inputs, input_count, outputs);
    }
    return lanewise::InferOutput(*op->node, inputs, input_count, outputs);
  });
}

lw_status lw_op_run(const lw_op* op, const lw_tensor* inputs,
                    size_t input_count, const lw_tensor* outputs,
                    size_t output_count) noexcept {
  if (op == nullptr) return FailNull("lw_op_run", "op");
  return Guarded([&] {
    return InItsEnvironment(*op->node->engine, [&] {
      return RunOperator(*op, nullptr, inputs, input_count, outputs,
                         output_count);
    });
  });
}

lw_status lw_op_run_with(const lw_op* op, const lw_run_options* options,
                         const lw_tensor* inputs, size_t input_count,
                         const lw_tensor* outputs,
                         size_t output_count) noexcept {
  if (op == nullptr) return FailNull("lw_op_run_with", "op");
  return Guarded([&] {
    const lanewise::Node& node = *op->node;
    return WithOptions(*node.engine, node.label, options,
                       [&](const lanewise::RunOptions* read) {
                         return InItsEnvironment(*node.engine, [&] {
                           return RunOperator(*op, read, inputs, input_count,
                                              outputs, output_count);
                         });
                       });
  });
}

lw_status lw_call_create(const lw_op* op, const lw_tensor* inputs,
                         size_t input_count, const lw_tensor* outputs,
                         size_t output_count, lw_call** call) noexcept {
  if (op == nullptr) return FailNull("lw_call_create", "op");
  if (call == nullptr) return FailNull("lw_call_create", "call");
  return Guarded([&] {
    std::unique_ptr<lw_call> made(new lw_call{{op->node}, nullptr});
    const auto prepare = [&](auto& prepared) {
      return prepared.Prepare(inputs, input_count, outputs, output_count);
    };
    if (op->chains != nullptr) {
      made->recipe = std::make_unique<lanewise::PreparedRecipe>(op->chains);
    }
    const lw_status status =
        op->chains != nullptr ? prepare(*made->recipe) : prepare(made->call);
    if (status == LW_OK) *call = made.release();
    return status;
  });
}

void lw_call_destroy(lw_call* call) noexcept { delete call; }

lw_status lw_call_run(const lw_call* call, const void* const* inputs,
                      void* const* outputs) noexcept {
  if (call == nullptr) return FailNull("lw_call_run", "call");
  if (call->chain != nullptr || call->stages != nullptr ||
      call->recipe != nullptr) [[unlikely]] {
    return lw_call_run_with(call, nullptr, inputs, outputs);
  }
  return Guarded([&] {
    return InItsEnvironment(*call->call.node().engine, [&] {
      return call->call.Run(nullptr, inputs, outputs);
    });
  });
}

lw_status lw_call_run_with(const lw_call* call, const lw_run_options* options,
                           const void* const* inputs,
                           void* const* outputs) noexcept {
  if (call == nullptr) return FailNull("lw_call_run_with", "call");
  const auto run_chain = [&](const auto& chain) {
    return WithChainOptions(chain.chain(), options,
                            [&](const lanewise::RunOptions* read) {
                              return chain.Run(read, inputs, outputs);
                            });
  };
  return Guarded([&] {
    if (call->chain != nullptr) return run_chain(*call->chain);
    if (call->stages != nullptr) return run_chain(*call->stages);
    if (call->recipe != nullptr) return run_chain(*call->recipe);
    const lanewise::Node& node = call->call.node();
    return WithOptions(*node.engine, node.label, options,
                       [&](const lanewise::RunOptions* read) {
                         return InItsEnvironment(*node.engine, [&] {
                           return call->call.Run(read, inputs, outputs);
                         });
                       });
  });
}

lw_status lw_chain_create(const lw_engine* handle, const int32_t* input_types,
                          size_t input_count, const lw_tensor* constants,
                          size_t constant_count, const lw_step* steps,
                          size_t step_count, const int32_t* outputs,
                          size_t output_count, lw_chain** chain) noexcept {
  if (chain == nullptr) return FailNull("lw_chain_create", "chain");
  return Guarded([&] {
    std::shared_ptr<const Engine> engine;
    const lw_status status = EngineOf(handle, &engine);
    if (status != LW_OK) return status;
    return lanewise::MakeSplicedChain(
        std::move(engine),
        {input_types, input_count, constants, constant_count, steps, step_count,
         outputs, output_count},
        chain);
  });
}

void lw_chain_destroy(lw_chain* chain) noexcept { delete chain; }

lw_status lw_chain_infer(const lw_chain* chain, const lw_tensor* inputs,
                         size_t input_count, lw_shape* outputs) noexcept {
  if (chain == nullptr) return FailNull("lw_chain_infer", "chain");
  if (outputs == nullptr) return FailNull("lw_chain_infer", "outputs");
  return Guarded([&] {
    return lanewise::InferChain(*chain->chain, inputs, input_count, outputs);
  });
}

lw_status lw_chain_run(const lw_chain* chain, const lw_run_options* options,
                       const lw_tensor* inputs, size_t input_count,
                       const lw_tensor* outputs, size_t output_count) noexcept {
  if (chain == nullptr) return FailNull("lw_chain_run", "chain");
  return Guarded([&] {
    return WithChainOptions(*chain->chain, options,
                            [&](const lanewise::RunOptions* read) {
                              const lanewise::RunOptions none;
                              return lanewise::RunChain(
                                  *chain, read != nullptr ? *read : none,
                                  {inputs, input_count, outputs, output_count});
                            });
  });
}

lw_status lw_chain_prepare(const lw_chain* chain, const lw_tensor* inputs,
                           size_t input_count, const lw_tensor* outputs,
                           size_t output_count, lw_call** call) noexcept {
  if (chain == nullptr) return FailNull("lw_chain_prepare", "chain");
  if (call == nullptr) return FailNull("lw_chain_prepare", "call");
  return Guarded([&] {
    const size_t rank = chain->chain->MostRank(inputs, input_count);
    const auto prepare = [&](auto prepared, auto lw_call::*member) {
      std::unique_ptr<lw_call> made(new lw_call{{nullptr}, nullptr});
      const lw_status status =
          prepared->Prepare({inputs, input_count, outputs, output_count});
      if (status != LW_OK) return status;
      made.get()->*member = std::move(prepared);
      *call = made.release();
      return LW_OK;
    };
    if (chain->staged != nullptr) {
      return prepare(std::make_unique<lanewise::PreparedStages>(
                         chain->staged->stages(), rank),
                     &lw_call::stages);
    }
    return prepare(
        std::make_unique<lanewise::PreparedChain>(chain->chain, rank),
        &lw_call::chain);
  });
}

lw_status lw_op_kernel(const lw_op* op, int32_t type, int32_t pattern,
                       const lw_kernel** kernel) noexcept {
  if (op == nullptr) return FailNull("lw_op_kernel", "op");
  if (kernel == nullptr) return FailNull("lw_op_kernel", "kernel");
  return op->node->FindKernel(type, pattern, kernel);
}

const lw_signature* lw_signature_at(size_t index) noexcept {
  const lw_signature* row = nullptr;
  Guarded([&] {
    row = lanewise::SignatureAt(index);
    return LW_OK;
  });
  return row;
}

}  // extern "C"
