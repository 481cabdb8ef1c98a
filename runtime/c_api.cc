// SPDX-License-Identifier: Apache-2.0
//
// The C ABI: checks handles, keeps exceptions in, and calls on.

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "runtime/direct_door.h"
#include "runtime/engine.h"
#include "runtime/isa.h"
#include "runtime/operation.h"
#include "runtime/registry.h"
#include "runtime/status.h"
#include "runtime/types.h"

#define LW_STRING_OF(x) #x
#define LW_VERSION_TEXT(major, minor, patch) \
  LW_STRING_OF(major) "." LW_STRING_OF(minor) "." LW_STRING_OF(patch)

namespace {

using lanewise::Engine;
using lanewise::Fail;

/// Runs `body`; what is thrown in it becomes a status. Only allocation and
/// oneTBB throw.
template <class Body>
lw_status Guarded(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Fail(LW_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return Fail(LW_OUT_OF_MEMORY, "the threading library failed: %s", e.what());
  } catch (...) {
    return Fail(LW_OUT_OF_MEMORY, "the threading library failed");
  }
}

[[gnu::cold, gnu::noinline]] lw_status FailNull(const char* function,
                                                const char* argument) {
  return Fail(LW_INVALID_ARGUMENT, "%s: %s is NULL", function, argument);
}

/// The engine behind a handle, NULL meaning the default one.
lw_status EngineOf(const lw_engine* handle,
                   std::shared_ptr<const Engine>* engine) {
  if (handle == nullptr) return lanewise::DefaultEngine(engine);
  *engine = handle->engine;
  return LW_OK;
}

/// Copies what both sides know of the options: a host built against an older
/// header has fewer.
lw_status ReadOptions(const lw_engine_options* given,
                      lw_engine_options* options) {
  *options = {};
  if (given == nullptr) return LW_OK;
  constexpr size_t kFirstVersion = sizeof(lw_engine_options);
  if (given->struct_size < kFirstVersion) {
    return Fail(LW_INVALID_ARGUMENT,
                "lw_engine_options: struct_size is %zu, at least %zu is needed",
                given->struct_size, kFirstVersion);
  }
  std::memcpy(options, given, sizeof(*options));
  return LW_OK;
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
#undef LW_NAME
  }
  return "LW_UNKNOWN_STATUS";
}

const char* lw_last_error(void) noexcept { return lanewise::LastError(); }

void lw_last_zero_divisors(uint64_t* first, uint64_t* count) noexcept {
  lanewise::LastZeroDivisors(first, count);
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
    lw_status status = ReadOptions(options, &read);
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
    const lanewise::Operator* found = nullptr;
    int version = 0;
    lanewise::Attributes parsed;
    lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) {
      status = lanewise::ResolveOperator(name, opset, &found, &version);
    }
    if (status == LW_OK) {
      status = lanewise::ParseAttributes({found->name, version}, found->form,
                                         attributes, attribute_count, &parsed);
    }
    if (status == LW_OK) {
      *op = new lw_op{{std::move(engine), *found, version, std::move(parsed)}};
    }
    return status;
  });
}

void lw_op_destroy(lw_op* op) noexcept { delete op; }

lw_status lw_op_infer(const lw_op* op, const lw_tensor* inputs,
                      size_t input_count, lw_shape* output) noexcept {
  if (op == nullptr) return FailNull("lw_op_infer", "op");
  if (output == nullptr) return FailNull("lw_op_infer", "output");
  return Guarded(
      [&] { return op->operation.Infer(inputs, input_count, output); });
}

lw_status lw_op_run(const lw_op* op, const lw_tensor* inputs,
                    size_t input_count, const lw_tensor* outputs,
                    size_t output_count) noexcept {
  if (op == nullptr) return FailNull("lw_op_run", "op");
  return Guarded([&] {
    return op->operation.Run(inputs, input_count, outputs, output_count);
  });
}

lw_status lw_kernel_find(const lw_engine* handle, const char* name,
                         int32_t opset, int32_t type, int32_t run,
                         const lw_kernel** kernel) noexcept {
  if (kernel == nullptr) return FailNull("lw_kernel_find", "kernel");
  return Guarded([&] {
    std::shared_ptr<const Engine> engine;
    const lanewise::Operator* op = nullptr;
    int version = 0;
    lw_status status = EngineOf(handle, &engine);
    if (status == LW_OK) {
      status = lanewise::ResolveOperator(name, opset, &op, &version);
    }
    if (status == LW_OK) {
      status =
          lanewise::FindKernel(*op, version, engine->target,
                               engine->allow_zero_divisor, type, run, kernel);
    }
    return status;
  });
}

lw_status lw_kernel_run(const lw_kernel* kernel, const void* a, const void* b,
                        void* out, size_t n) noexcept {
  if (kernel == nullptr) return FailNull("lw_kernel_run", "kernel");
  return lanewise::RunKernel(*kernel, a, b, out, n);
}

int32_t lw_support_row(size_t index, lw_support* row) noexcept {
  if (row == nullptr) return 0;
  for (const lanewise::Operator* op : lanewise::Operators()) {
    for (int32_t type = 1; type < lanewise::kTypeCount; ++type) {
      const int since = lanewise::SinceVersion(*op, type);
      if (since == 0 || index-- != 0) continue;
      *row = {op->name, type, since};
      return 1;
    }
  }
  return 0;
}

int32_t lw_operator_version(const char* name, size_t index) noexcept {
  const lanewise::Operator* op =
      name == nullptr ? nullptr : lanewise::FindOperator(name);
  return op == nullptr || index >= op->versions.size() ? 0
                                                       : op->versions[index];
}

}  // extern "C"
