// SPDX-License-Identifier: Apache-2.0
//
// The tensor API: a node applied to tensors.

#ifndef LANEWISE_RUNTIME_CALL_OPERATION_H_
#define LANEWISE_RUNTIME_CALL_OPERATION_H_

#include <cstddef>
#include <optional>

#include "lanewise/lanewise.h"
#include "runtime/call/call.h"
#include "runtime/engine/executor.h"
#include "runtime/node/node.h"

namespace lanewise {

/// lw_op_infer.
lw_status InferOutput(const Node& node, const lw_tensor* inputs, size_t count,
                      lw_shape* output);

/// The checked options of one call. Holds the executor for a host's threads
/// while the call runs.
class RunOptions {
 public:
  /// `given` may be nullptr.
  static lw_status Read(const Engine& engine, const Label& label,
                        const lw_run_options* given, RunOptions* options);

  Threads threads(const Engine& engine) const {
    if (host_) return {&*host_, most_threads_};
    return {engine.executor.get(), most_threads_};
  }
  /// Stores the zero divisors for the caller and returns the status of the
  /// call.
  lw_status ReportZeros(const Node& node, lw_zero_divisors zeros) const {
    StoreZeros(zeros);
    return node.ReportZeros(zeros);
  }
  void StoreZeros(lw_zero_divisors zeros) const {
    if (zeros_ != nullptr) *zeros_ = zeros;
  }

 private:
  std::optional<HostExecutor> host_;
  size_t most_threads_ = 0;
  lw_zero_divisors* zeros_ = nullptr;
};

/// The reduction of a checked call, from data[0] to data[1].
lw_status Reduce(const Node& node, const Call& call, const Threads& threads,
                 void* const* data);

/// lw_op_run and lw_op_run_with.
lw_status RunTensors(const Node& node, const RunOptions* options,
                     const lw_tensor* inputs, size_t input_count,
                     const lw_tensor* outputs, size_t output_count);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_OPERATION_H_
