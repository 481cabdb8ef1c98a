// SPDX-License-Identifier: Apache-2.0
//
// A chain of a session: several nodes that ONNX Runtime sees as one.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CHAIN_KERNEL_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CHAIN_KERNEL_H_

#include <memory>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/runner.h"

namespace lanewise::ort {

class ChainKernel final : public OrtNodeComputeInfo {
 public:
  ChainKernel(const Api& api, Callee chain, size_t input_count,
              bool session_threads);

 private:
  OrtStatus* Run(OrtKernelContext* context) noexcept;

  Api api_;
  size_t input_count_;
  Runner runner_;
};

/// `graph` holds the nodes, `fused` tells the order of the inputs and outputs.
/// Both are needed only now.
std::unique_ptr<ChainKernel> MakeChainKernel(const Api& api,
                                             const lw_engine* engine,
                                             bool session_threads,
                                             const OrtGraph* graph,
                                             const OrtNode* fused);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CHAIN_KERNEL_H_
