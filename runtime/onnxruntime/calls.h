// SPDX-License-Identifier: Apache-2.0
//
// Prepared calls of one kernel. A model calls its nodes with the same shapes
// again and again: for those, a call needs neither shape rules nor checks.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_

#include <atomic>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

/// A call with settled types and shapes.
class Call {
 public:
  /// nullptr if there is no such call.
  static std::unique_ptr<Call> Make(const lw_op* op, const lw_tensor* inputs,
                                    size_t input_count);
  ~Call() { lw_call_destroy(call_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool Fits(const lw_tensor* inputs, size_t input_count) const;
  const lw_call* get() const { return call_; }
  const int64_t* dims() const { return dims_.data() + output_at_; }
  size_t rank() const { return dims_.size() - output_at_; }
  size_t elements() const { return elements_; }  ///< of the output

 private:
  struct Input {
    int32_t type;
    int32_t rank;
  };
  Call() = default;

  lw_call* call_ = nullptr;
  std::vector<Input> inputs_;
  std::vector<int64_t> dims_;  // of all inputs, then of the output
  size_t output_at_ = 0;
  size_t elements_ = 1;
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
  const Call* Get(const lw_op* op, const lw_tensor* inputs, size_t input_count);

 private:
  static constexpr size_t kRoom = 4;
  std::atomic<const Call*> calls_[kRoom] = {};
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CALLS_H_
