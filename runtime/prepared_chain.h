// SPDX-License-Identifier: Apache-2.0
//
// The two ways to call a chain: with tensors, and prepared.

#ifndef LANEWISE_RUNTIME_PREPARED_CHAIN_H_
#define LANEWISE_RUNTIME_PREPARED_CHAIN_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/chain.h"
#include "runtime/chain_call.h"
#include "runtime/chain_plan.h"
#include "runtime/operation.h"

namespace lanewise {

/// lw_chain_infer.
lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs);

/// lw_chain_run.
lw_status RunChain(const Chain& chain, const RunOptions& options,
                   const lw_tensor* inputs, size_t input_count,
                   const lw_tensor* outputs, size_t output_count);

class PreparedChain {
 public:
  explicit PreparedChain(std::shared_ptr<const Chain> chain)
      : chain_(std::move(chain)), call_(*chain_) {}
  PreparedChain(const PreparedChain&) = delete;
  PreparedChain& operator=(const PreparedChain&) = delete;

  lw_status Prepare(const lw_tensor* inputs, size_t input_count,
                    const lw_tensor* outputs, size_t output_count);
  /// `options` may be nullptr.
  lw_status Run(const RunOptions* options, const void* const* inputs,
                void* const* outputs) const;
  const Chain& chain() const { return *chain_; }

 private:
  /// Whether the pointers are plainly right: there, aligned, and no output near
  /// another tensor.
  bool ArePlain(void* const* data) const;

  /// Tensors with dims and strides of their own.
  class Tensors {
   public:
    void Copy(const lw_tensor* tensors, size_t count);
    const lw_tensor* data() const { return tensors_.data(); }

   private:
    std::vector<lw_tensor> tensors_;
    std::vector<std::vector<int64_t>> numbers_;
  };

  const std::shared_ptr<const Chain> chain_;
  Tensors inputs_;
  Tensors outputs_;
  ChainCall call_;
  std::vector<std::unique_ptr<ChainPlan>> plans_;
  std::vector<bool> counts_;  ///< the tensors whose pointers are checked
  std::vector<std::vector<CacheLine>> spreads_;  ///< of the plans
  bool is_one_job_ = false;
  size_t n_ = 0;  ///< of the one job
  Setup setup_;   ///< of the one job
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PREPARED_CHAIN_H_
