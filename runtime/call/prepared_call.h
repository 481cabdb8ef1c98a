// SPDX-License-Identifier: Apache-2.0
//
// A call whose shapes were resolved and checked once. A run checks its pointers
// only, and small calls go straight to the kernel.

#ifndef LANEWISE_RUNTIME_CALL_PREPARED_CALL_H_
#define LANEWISE_RUNTIME_CALL_PREPARED_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/call/call.h"
#include "runtime/call/call_plan.h"
#include "runtime/call/operation.h"
#include "runtime/node/node.h"

namespace lanewise {

class PreparedCall {
 public:
  PreparedCall(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;

  lw_status Prepare(const lw_tensor* inputs, size_t input_count,
                    const lw_tensor* outputs, size_t output_count);

  const Node& node() const { return *node_; }
  /// `options` may be nullptr.
  lw_status Run(const RunOptions* options, const void* const* inputs,
                void* const* outputs) const;

 private:
  /// A tensor with dims and strides of its own.
  struct Copy {
    lw_tensor tensor;
    std::vector<int64_t> dims;
    std::vector<int64_t> strides;
  };
  const lw_tensor* Keep(const lw_tensor* tensor);
  /// Sets what Job::in points to; false unless the pointers are plainly right:
  /// there, aligned, and apart from the output or exactly the output.
  bool TakeInputs(const void* const* inputs, void* output,
                  const void** taken) const;
  /// The way of all other calls, with all checks.
  lw_status RunPlanned(const RunOptions* options, const void* const* inputs,
                       void* output) const;

  const std::shared_ptr<const Node> node_;
  std::vector<std::unique_ptr<Copy>> copies_;
  Call call_;
  std::vector<int64_t> numbers_;  ///< of the plan
  Plan plan_;
  bool is_one_job_ = false;
  size_t n_ = 0;                     ///< of the one job
  Setup setup_;                      ///< of the one job
  bool may_cover_[kMaxInputs] = {};  ///< the output may be exactly this input
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_PREPARED_CALL_H_
