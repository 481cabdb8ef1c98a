// SPDX-License-Identifier: Apache-2.0
//
// How an operator or a chain runs in a session: outputs, threads, failures.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_RUNNER_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_RUNNER_H_

#include <utility>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/attributes.h"
#include "runtime/onnxruntime/calls.h"

namespace lanewise::ort {

/// This thread's last failure, as a status.
OrtStatus* Failure(const Api& api, lw_status status) noexcept;

/// A node's operator.
OpHandle MakeOp(const Api& api, const lw_engine* engine,
                const lw_signature& signature, const Attributes& attributes);

/// ONNX Runtime refuses a session with a constant divisor of 0. To see such a
/// divisor, a call with the constant and with one element for the other operand
/// is tried. Operators that do not divide accept any constant.
void TryConstantDivisor(const Api& api, const lw_op* op,
                        const lw_tensor& constant);

class Runner {
 public:
  Runner(const Api& api, Callee callee, bool session_threads)
      : api_(api),
        callee_(std::move(callee)),
        session_threads_(session_threads) {}

  const Callee& callee() const { return callee_; }

  /// Allocates the outputs and computes. `keep`: shapes depend on shapes only,
  /// so a prepared call can be kept.
  OrtStatus* Run(OrtKernelContext* context, const lw_tensor* inputs,
                 size_t input_count, bool keep) noexcept;

  /// Allocates an output.
  OrtStatus* Allocate(OrtKernelContext* context, size_t index,
                      const int64_t* dims, size_t rank, OrtValue** value,
                      void** data) const noexcept;

 private:
  OrtStatus* RunPrepared(OrtKernelContext* context, const Call& call,
                         const lw_tensor* inputs,
                         size_t input_count) const noexcept;
  template <class Body>
  OrtStatus* WithThreads(OrtKernelContext* context, size_t elements,
                         const Body& body) const noexcept;

  Api api_;
  Callee callee_;
  bool session_threads_;
  Calls calls_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_RUNNER_H_
