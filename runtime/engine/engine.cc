// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/engine.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/engine/caches.h"
#include "runtime/engine/cpu.h"
#include "runtime/engine/isa.h"
#include "runtime/engine/status.h"

namespace lanewise {
namespace {

constexpr int32_t kMaxThreads = 4096;

/// A text option: the value that the caller gave, else the environment
/// variable, else nullptr. An empty variable counts as unset.
const char* TextOption(const char* given, const char* variable) {
  if (given != nullptr) return given;
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

lw_status ThreadsOption(int32_t given, size_t* threads) {
  int32_t value = given;
  if (given == 0) {
    const char* text = TextOption(nullptr, "LANEWISE_NUM_THREADS");
    if (text == nullptr) {
      *threads = 0;
      return LW_OK;
    }
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end || value == 0) {
      return Fail(LW_INVALID_ARGUMENT,
                  "LANEWISE_NUM_THREADS=\"%s\" is not a number of threads",
                  text);
    }
  }
  if (value < 0 || value > kMaxThreads) {
    return Fail(LW_INVALID_ARGUMENT, "%d is not a number of threads", value);
  }
  *threads = static_cast<size_t>(value);
  return LW_OK;
}

lw_status AccuracyOption(int32_t given, lw_accuracy* accuracy) {
  constexpr const char* kNames[] = {"fast", "tight", "exact"};
  if (given < 0 || given > LW_ACCURACY_EXACT) {
    return Fail(LW_INVALID_ARGUMENT, "%d is not an lw_accuracy", given);
  }
  if (given != 0) {
    *accuracy = static_cast<lw_accuracy>(given);
    return LW_OK;
  }
  const char* text = TextOption(nullptr, "LANEWISE_ACCURACY");
  if (text == nullptr) return LW_OK;
  for (int i = 0; i < 3; ++i) {
    if (std::strcmp(text, kNames[i]) != 0) continue;
    *accuracy = static_cast<lw_accuracy>(LW_ACCURACY_FAST + i);
    return LW_OK;
  }
  return Fail(LW_INVALID_ARGUMENT,
              "LANEWISE_ACCURACY=\"%s\" is none of fast, tight and exact",
              text);
}

lw_status CheckStringType(const lw_string_type& type) {
  const size_t alignment = type.element_alignment;
  if ((type.element_size == 0) != (type.copy == nullptr) ||
      (type.equal != nullptr && type.copy == nullptr) ||
      (alignment & (alignment - 1)) != 0) {
    return Fail(LW_INVALID_ARGUMENT,
                "string_type needs both element_size and copy, also for equal, "
                "and a power of two as element_alignment");
  }
  return LW_OK;
}

}  // namespace

lw_status MakeEngine(const lw_engine_options& options,
                     std::shared_ptr<const Engine>* result) {
  auto engine = std::make_shared<Engine>();
  lw_status status = ChooseTarget(
      TextOption(options.max_isa, "LANEWISE_MAX_ISA"), &engine->target);
  if (status != LW_OK) return status;
  engine->targets = TargetsFrom(engine->target);
  engine->tile_moves = TileMovesOn(engine->targets);

  size_t threads = 0;
  status = ThreadsOption(options.max_threads, &threads);
  if (status != LW_OK) return status;
  status = MakeExecutor(options.threading, threads, options.parallel_for,
                        options.parallel_for_context, &engine->executor);
  if (status != LW_OK) return status;

  const Caches& caches = OwnCaches();
  engine->tuning.SetStreamBytes(
      StreamBytes(caches, 1), StreamBytes(caches, engine->executor->Threads()));
  const char* tuning = TextOption(options.tuning_file, "LANEWISE_TUNING");
  if (tuning != nullptr) {
    status = LoadTuning(tuning, CpuName(), TargetName(engine->target),
                        &engine->tuning);
    if (status != LW_OK) return status;
  }
  engine->ways.division =
      engine->tuning.way.value_or(PreferredWay(ReadCpuId()));

  if (options.reserved != 0) {
    return Fail(LW_INVALID_ARGUMENT, "lw_engine_options: reserved must be 0");
  }
  status = AccuracyOption(options.accuracy, &engine->accuracy);
  if (status != LW_OK) return status;
  if (engine->accuracy == LW_ACCURACY_FAST) engine->ways.accuracy = Way::kFast;
  if (engine->is_exact()) engine->ways.accuracy = Way::kExact;

  engine->trace = Trace(options.trace, options.trace_context, engine->accuracy);
  const char* verbose = TextOption(options.verbose, "LANEWISE_VERBOSE");
  if (verbose != nullptr) {
    status = engine->trace.Enable(verbose);
    if (status != LW_OK) return status;
  }

  status = CheckStringType(options.string_type);
  if (status != LW_OK) return status;
  engine->string_type = options.string_type;
  engine->allow_zero_divisor = options.allow_zero_divisor != 0;
  engine->strict_opset = options.strict_opset != 0;
  *result = std::move(engine);
  return LW_OK;
}

lw_status DefaultEngine(std::shared_ptr<const Engine>* engine) {
  // If an environment variable is invalid, every call fails with the same
  // message.
  struct Default {
    std::shared_ptr<const Engine> engine;
    lw_status status;
    std::string message;
    Default() {
      const lw_engine_options options = {};
      status = MakeEngine(options, &engine);
      if (status != LW_OK) message = LastError();
    }
  };
  // Never destroyed: other threads may still make calls while the program
  // exits.
  static const Default& made = *new Default;
  if (made.status != LW_OK)
    return Fail(made.status, "%s", made.message.c_str());
  *engine = made.engine;
  return LW_OK;
}

}  // namespace lanewise
