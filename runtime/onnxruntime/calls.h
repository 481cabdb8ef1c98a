// SPDX-License-Identifier: Apache-2.0
//
// Prepared calls of one operator or chain. A model calls its nodes with the
// same shapes again and again: for those, a call needs neither shape rules nor
// checks.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

struct Destroy {
  void operator()(lw_op* op) const { lw_op_destroy(op); }
  void operator()(lw_chain* chain) const { lw_chain_destroy(chain); }
};
using OpHandle = std::unique_ptr<lw_op, Destroy>;
using ChainHandle = std::unique_ptr<lw_chain, Destroy>;

/// What is called: an operator, or a chain.
class Callee {
 public:
  /// `wanted`: for each output, whether the node has the output.
  Callee(OpHandle op, std::vector<bool> wanted)
      : op_(std::move(op)), wanted_(std::move(wanted)) {}
  Callee(ChainHandle chain, size_t outputs)
      : chain_(std::move(chain)), wanted_(outputs, true) {}

  const lw_op* op() const { return op_.get(); }  ///< nullptr of a chain
  size_t outputs() const { return wanted_.size(); }
  bool wants(size_t output) const { return wanted_[output]; }

  /// As lw_op_infer, lw_call_create and lw_op_run_with.
  lw_status Infer(const lw_tensor* inputs, size_t count, lw_shape* to) const;
  lw_status Prepare(const lw_tensor* inputs, size_t count, const lw_tensor* to,
                    lw_call** call) const;
  lw_status Run(const lw_run_options* options, const lw_tensor* inputs,
                size_t count, const lw_tensor* to) const;

 private:
  OpHandle op_;
  ChainHandle chain_;  // if there is no operator
  std::vector<bool> wanted_;
};

/// A call with settled types and shapes.
class Call {
 public:
  /// nullptr if there is no such call.
  static std::unique_ptr<Call> Make(const Callee& callee,
                                    const lw_tensor* inputs,
                                    size_t input_count);
  ~Call() { lw_call_destroy(call_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool Fits(const lw_tensor* inputs, size_t input_count) const;
  const lw_call* get() const { return call_; }
  /// The shape of an output.
  const int64_t* dims(size_t i) const { return dims_.data() + outputs_[i].at; }
  size_t rank(size_t i) const { return outputs_[i].rank; }
  size_t elements() const { return elements_; }  ///< of the largest output

 private:
  struct Input {
    int32_t type;
    int32_t rank;
  };
  struct Output {
    size_t at;  // in dims_
    size_t rank;
  };
  Call() = default;

  lw_call* call_ = nullptr;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<int64_t> dims_;  // of all inputs, then of the outputs
  size_t elements_ = 0;
};

/// The first few calls that differ. Any thread may use this object at any time:
/// a call that was added stays.
class Calls {
 public:
  Calls() = default;
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// Finds the call with these types and shapes, or makes it. nullptr: there is
  /// no room for another one, or no such call.
  const Call* Get(const Callee& callee, const lw_tensor* inputs,
                  size_t input_count);

 private:
  static constexpr size_t kRoom = 4;
  std::atomic<const Call*> calls_[kRoom] = {};
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_
