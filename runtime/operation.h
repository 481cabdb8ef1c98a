// SPDX-License-Identifier: Apache-2.0
//
// One operator at one version with its attributes, ready to run: the tensor
// door. Everything that can be looked up or checked once is done on creation.

#ifndef LANEWISE_RUNTIME_OPERATION_H_
#define LANEWISE_RUNTIME_OPERATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lanewise/lanewise.h"
#include "runtime/attributes.h"
#include "runtime/engine.h"
#include "runtime/loop_nest.h"
#include "runtime/registry.h"
#include "runtime/tensor.h"

namespace lanewise {

class Operation {
 public:
  Operation(std::shared_ptr<const Engine> engine, const Operator& op,
            int version, Attributes attributes);

  lw_status Infer(const lw_tensor* inputs, size_t count, lw_shape* out) const;
  lw_status Run(const lw_tensor* inputs, size_t input_count,
                const lw_tensor* outputs, size_t output_count) const;

 private:
  /// A call while it is being checked.
  struct Call {
    Operand inputs[2];
    size_t input_count;
    Operand output;
    lw_shape shape;      ///< what the output must be
    int32_t offsets[2];  ///< the output's dim under each input's first one
    ElementLayout layout;
  };

  /// Whether `job`, by the kernel of `run` or RunShort, is all there is to do:
  /// see plain_call.h.
  bool IsPlain(const lw_tensor* inputs, size_t count, const lw_tensor& output,
               Job* job, lw_run* run) const;
  lw_status CheckInputs(const lw_tensor* inputs, size_t count,
                        Call* call) const;
  lw_status InferBinary(Call* call) const;
  lw_status InferReshape(Call* call) const;
  lw_status CheckOutput(const lw_tensor* outputs, size_t count,
                        Call* call) const;
  lw_status CheckAllMemory(const Call& call) const;
  lw_status RunElementwise(const Call& call) const;
  lw_status RunReshape(const Call& call) const;
  lw_status CopyStrings(const Call& call) const;
  lw_status RunOverNest(const LoopNest& nest, const LoopNest* input_nest,
                        const Call& call) const;
  lw_status RunShort(const Job& job, int32_t type) const;
  lw_status CheckDivisors(uint64_t zeros, uint64_t first) const;
  size_t DataInputs() const { return op_.form == Form::kBinary ? 2 : 1; }

  const std::shared_ptr<const Engine> engine_;
  const Operator& op_;
  const Label label_;
  const Attributes attributes_;
  const KernelTable kernels_;
  const size_t plain_bytes_;  ///< see plain_call.h
};

}  // namespace lanewise

struct lw_op {
  lanewise::Operation operation;
};

#endif  // LANEWISE_RUNTIME_OPERATION_H_
