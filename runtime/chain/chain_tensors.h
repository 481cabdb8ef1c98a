// SPDX-License-Identifier: Apache-2.0
//
// The tensors of a chain's call, as given and as a plan keeps them.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_TENSORS_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/chain/chain.h"

namespace lanewise {

/// The arguments of a call.
struct ChainTensors {
  const lw_tensor* inputs;
  size_t input_count;
  const lw_tensor* outputs;
  size_t output_count;

  /// Whether there are as many tensors as the chain has inputs and outputs.
  bool HaveCountsOf(const Chain& chain) const;
  /// The failure where there are not.
  lw_status FailCounts(const Chain& chain) const;
  /// The pointers of the inputs, then of the outputs.
  void FindData(void** data) const;
};

/// Copies of checked tensors with dims and strides of their own. The memory is
/// allocated with the object.
class KeptTensors {
 public:
  /// For tensors of up to `rank` dims.
  KeptTensors(const Chain& chain, size_t rank)
      : rank_(rank),
        input_count_(chain.inputs()),
        tensors_(input_count_ + chain.outputs.size()),
        numbers_(2 * rank * tensors_.size()) {}
  KeptTensors(const KeptTensors&) = delete;
  KeptTensors& operator=(const KeptTensors&) = delete;

  void Keep(const ChainTensors& tensors);
  const lw_tensor* inputs() const { return tensors_.data(); }
  const lw_tensor* outputs() const { return tensors_.data() + input_count_; }
  /// Whether `tensors` differ from these in nothing but data. Their counts must
  /// be right.
  bool Fit(const ChainTensors& tensors) const;

 private:
  void Copy(const lw_tensor& from, size_t k);

  const size_t rank_;
  const size_t input_count_;
  std::vector<lw_tensor> tensors_;  ///< inputs, then outputs
  std::vector<int64_t> numbers_;    ///< their dims and strides
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_TENSORS_H_
