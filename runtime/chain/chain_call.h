// SPDX-License-Identifier: Apache-2.0
//
// One call of a chain: the shapes of all values, and all checks of tensors. The
// checks come before anything is written.
//
// Outputs of one shape are computed together, in one pass over memory. A pass
// computes all steps that its outputs need, for each element of the outputs'
// shape: a value of a smaller shape is computed again wherever it is stretched
// to, which gives the same bits.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_CALL_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_CALL_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/chain/chain.h"
#include "runtime/plan/loop_nest.h"
#include "runtime/plan/memory_parts.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"

namespace lanewise {

/// Outputs of one shape, and the steps that they need.
struct ChainPass {
  StepSet steps = 0;
  int count = 0;  ///< of outputs
  uint8_t outputs[LW_MAX_OUTPUTS];
  /// Steps whose zero divisors an earlier pass has not counted.
  StepSet counts = 0;
};

/// An input of a pass: a value that is not computed, as its steps see it.
struct PassInput {
  int32_t value;   ///< an input, a constant, or a view of one
  int32_t root;    ///< the input or constant
  int32_t offset;  ///< the dim of the pass that its first dim aligns with
};

class ChainCall {
 public:
  /// For values of up to `rank` dims.
  ChainCall(const Chain& chain, size_t rank, MemoryParts& parts)
      : chain_(chain),
        rank_(rank),
        views_(parts.Take<lw_tensor>(chain.steps.size())),
        dims_(parts.Take<int64_t>(chain.steps.size() * rank)),
        offsets_(parts.Take<Offsets>(chain.steps.size())),
        reduced_(parts.Take<uint64_t>(chain.steps.size())) {}
  ChainCall(const ChainCall&) = delete;
  ChainCall& operator=(const ChainCall&) = delete;

  /// Whether there are as many tensors as the chain needs.
  static lw_status CheckInputCount(const Chain& chain, const lw_tensor* inputs,
                                   size_t count);
  static lw_status CheckOutputCount(const Chain& chain,
                                    const lw_tensor* outputs, size_t count);

  /// The shapes of all values. Looks at no data but that of shape inputs. The
  /// tensors must outlive the call. May be called again for other tensors.
  lw_status Resolve(const lw_tensor* inputs, size_t count);
  void Infer(lw_shape* outputs) const;
  /// Checks that the outputs are what Resolve found, and that all strides make
  /// sense; finds the passes.
  lw_status CheckOutputs(const lw_tensor* outputs, size_t count);
  /// Replaces the tensors by copies of them, which must outlive the call.
  void Keep(const lw_tensor* inputs, const lw_tensor* outputs) {
    inputs_ = inputs;
    outputs_ = outputs;
  }
  /// Checks that the operands may lie at `data`: the inputs, then the outputs.
  lw_status CheckPlaces(void* const* data) const;

  /// Of an input, or behind those of an output. Empty for what has no elements.
  const Extent& extent(size_t tensor) const {
    const size_t inputs = chain_.inputs();
    return tensor < inputs ? in_extents_[tensor]
                           : out_extents_[tensor - inputs];
  }
  uintptr_t alignment_mask(size_t tensor) const;
  /// Whether a step reads elements of input `i`.
  bool IsRead(size_t i) const {
    return chain_.reads[i] && ElementsOf(static_cast<int32_t>(i)) != 0;
  }

  const Chain& chain() const { return chain_; }
  size_t passes() const { return pass_count_; }
  const ChainPass& pass(size_t index) const { return passes_[index]; }

  // What a value or an output looks like. The data of a view is its root's.
  const lw_tensor& TensorOf(int32_t value) const;
  Dims ShapeOf(size_t step) const { return DimsOf(views_[step]); }
  int64_t ElementsOf(int32_t value) const;
  /// The dims of its operand that a reduction reduces, as bits.
  uint64_t ReducedOf(size_t step) const { return reduced_[step]; }
  /// Output `k` with the dims of the step that computes its elements.
  lw_tensor OutputView(size_t k) const;

  /// Finds the inputs of a pass, each of which has many elements, and where the
  /// steps' shapes lie in the pass's shape. Returns their number, or -1 if a
  /// value would have to lie in two places, or there are too many.
  int FindInputs(const ChainPass& pass, PassInput* inputs,
                 int32_t* step_offsets) const;
  /// Where operand `k` of a step lies in the pass.
  int32_t OffsetOf(size_t step, size_t k, const int32_t* step_offsets) const {
    return step_offsets[step] + offsets_[step].of[k];
  }

 private:
  lw_status CheckInputs(const lw_tensor* inputs, size_t count);
  lw_status ResolveStep(size_t index);
  lw_status CheckOutput(const lw_tensor& output, size_t k);
  lw_status CheckLayouts();
  lw_status MakePasses();
  bool MayCover(int32_t root, size_t output, size_t pass) const;
  lw_status CheckOverlap(size_t pass, void* const* data) const;
  lw_status CheckInputsOfStages(size_t output, void* const* data) const;
  lw_status CheckOutputsApart(size_t output, void* const* data) const;
  lw_status FailOverlap(size_t output, size_t input) const;
  Placed PlacedInput(size_t i, void* const* data) const;
  Placed PlacedOutput(size_t k, const lw_tensor& view, void* const* data) const;

  // Of a step's operands: Call::offsets.
  struct Offsets {
    int8_t of[kMaxInputs];
  };
  static_assert(LW_MAX_RANK <= INT8_MAX);

  const Chain& chain_;
  const size_t rank_;
  const lw_tensor* inputs_ = nullptr;
  const lw_tensor* outputs_ = nullptr;
  lw_tensor* const views_;  // the results of the steps, with their shapes
  int64_t* const dims_;     // of the views, `rank_` for each
  Offsets* const offsets_;
  uint64_t* const reduced_;  // Call::reduced
  Extent in_extents_[kMaxInputs] = {};
  Extent out_extents_[LW_MAX_OUTPUTS] = {};
  ChainPass passes_[LW_MAX_OUTPUTS];
  size_t pass_count_ = 0;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_CALL_H_
