// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/isa.h"
#include "runtime/nest_runner.h"
#include "runtime/plain_call.h"
#include "runtime/types.h"

namespace lanewise {
namespace {

// Reshape-1 has its target in an attribute, the others in a second input.
bool TakesShapeInput(const Operator& op, int version) {
  return op.form == Form::kReshape && version >= 5;
}

size_t InputCount(const Operator& op, int version) {
  return op.form == Form::kBinary || TakesShapeInput(op, version) ? 2 : 1;
}

ElementLayout LayoutOf(const Engine& engine, int32_t type) {
  const TypeInfo& info = *FindType(type);
  if (type != LW_STRING) return {info.bits, info.alignment};
  const lw_string_type& host = engine.string_type;
  return {
      8 * (host.copy != nullptr ? host.element_size : sizeof(lw_string)),
      host.element_alignment != 0 ? host.element_alignment : info.alignment};
}

// Up to how many bytes a call on contiguous tensors may go straight to the
// kernel: as long as it would stay on its thread and store as usual.
size_t PlainBytes(const Engine& engine, const Operator& op, int version,
                  const Attributes& attributes) {
  // Before version 7 broadcasting had an axis, which may be wrong.
  if (engine.trace.exec() || (version < 7 && attributes.broadcast)) return 0;
  const Tuning::PerWork& tuning = engine.tuning.For(op.work);
  return std::min(tuning.serial_bytes - 1, tuning.stream_bytes);
}

uint64_t Nanoseconds() {
  return static_cast<uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

Operation::Operation(std::shared_ptr<const Engine> engine, const Operator& op,
                     int version, Attributes attributes)
    : engine_(std::move(engine)),
      op_(op),
      label_{op.name, version},
      attributes_(std::move(attributes)),
      kernels_(op, version, engine_->target),
      plain_bytes_(PlainBytes(*engine_, op, version, attributes_)) {
  if (!engine_->trace.dispatch()) return;
  for (int32_t type = 1; type < kTypeCount; ++type) {
    if (kernels_.Find(type, LW_SAME) != nullptr) {
      engine_->trace.Dispatch(op.name, version, type,
                              TargetName(engine_->target));
    }
  }
}

lw_status Operation::CheckInputs(const lw_tensor* inputs, size_t count,
                                 Call* call) const {
  const size_t wanted = InputCount(op_, label_.version);
  if (count != wanted) {
    return Fail(label_, LW_WRONG_COUNT, "%zu input(s) are needed, not %zu",
                wanted, count);
  }
  if (inputs == nullptr) {
    return Fail(label_, LW_INVALID_ARGUMENT, "inputs is NULL");
  }
  call->input_count = count;
  for (size_t i = 0; i < count; ++i) {
    call->inputs[i] = {&inputs[i], "input", i, 0};
    const lw_status status = CheckShape(label_, call->inputs[i]);
    if (status != LW_OK) return status;
  }
  const int32_t type = inputs[0].type;
  if (kernels_.Find(type, LW_SAME) == nullptr) {
    return FailType(op_, label_.version, type);
  }
  call->layout = LayoutOf(*engine_, type);
  call->shape.type = type;

  switch (op_.form) {
    case Form::kUnary:
      call->offsets[0] = 0;
      call->shape.rank = inputs[0].rank;
      std::copy_n(inputs[0].dims, inputs[0].rank, call->shape.dims);
      return LW_OK;
    case Form::kBinary:
      return InferBinary(call);
    case Form::kReshape:
      return InferReshape(call);
  }
  return LW_OK;
}

lw_status Operation::InferBinary(Call* call) const {
  const lw_tensor& a = *call->inputs[0].tensor;
  const lw_tensor& b = *call->inputs[1].tensor;
  if (a.type != b.type) {
    return Fail(label_, LW_UNSUPPORTED_TYPE,
                "both inputs must have one type, not %s and %s",
                lw_type_name(a.type), lw_type_name(b.type));
  }
  lw_status status = LW_OK;
  if (label_.version >= 7) {
    status = Broadcast(label_, DimsOf(a), DimsOf(b), &call->shape);
    call->offsets[0] = call->shape.rank - a.rank;
    call->offsets[1] = call->shape.rank - b.rank;
  } else {
    call->shape.rank = a.rank;
    std::copy_n(a.dims, a.rank, call->shape.dims);
    call->offsets[0] = 0;
    call->offsets[1] = 0;
    if (attributes_.broadcast) {
      status = LegacyBroadcast(label_, DimsOf(a), DimsOf(b), attributes_.axis,
                               &call->offsets[1]);
    } else if (!SameDims(DimsOf(a), DimsOf(b))) {
      status = Fail(label_, LW_INVALID_SHAPE,
                    "shapes %s and %s differ, and broadcast is 0",
                    ShapeText(a.dims, a.rank).c_str(),
                    ShapeText(b.dims, b.rank).c_str());
    }
  }
  int64_t elements = 0;
  if (status == LW_OK &&
      !CountElements({call->shape.dims, call->shape.rank}, &elements)) {
    status = Fail(label_, LW_SIZE_OVERFLOW,
                  "the number of elements of the output %s overflows",
                  ShapeText(call->shape.dims, call->shape.rank).c_str());
  }
  return status;
}

lw_status Operation::InferReshape(Call* call) const {
  call->offsets[0] = 0;
  const Dims input = DimsOf(*call->inputs[0].tensor);
  if (!TakesShapeInput(op_, label_.version)) {
    const auto rank = static_cast<int32_t>(
        std::min<size_t>(attributes_.shape.size(), LW_MAX_RANK + 1));
    return ResolveReshape(label_, input, {attributes_.shape.data(), rank},
                          false, &call->shape);
  }

  const Operand& shape = call->inputs[1];
  if (shape.tensor->type != LW_INT64 || shape.tensor->rank != 1) {
    return Fail(label_, LW_INVALID_SHAPE,
                "the target shape is an int64 tensor of rank 1, not a %s one "
                "of rank %d",
                lw_type_name(shape.tensor->type), shape.tensor->rank);
  }
  int64_t target[LW_MAX_RANK + 1];
  const auto rank =
      static_cast<int32_t>(std::min<int64_t>(shape.elements, LW_MAX_RANK + 1));
  if (rank > 0) {
    const lw_status status =
        CheckMemory(label_, shape, LayoutOf(*engine_, LW_INT64));
    if (status != LW_OK) return status;
    const auto* from = static_cast<const int64_t*>(shape.tensor->data);
    const int64_t stride =
        shape.tensor->strides != nullptr ? shape.tensor->strides[0] : 1;
    for (int32_t i = 0; i < rank; ++i) target[i] = from[i * stride];
  }
  return ResolveReshape(label_, input, {target, rank}, attributes_.allow_zero,
                        &call->shape);
}

lw_status Operation::CheckOutput(const lw_tensor* outputs, size_t count,
                                 Call* call) const {
  if (count != 1) {
    return Fail(label_, LW_WRONG_COUNT, "1 output is needed, not %zu", count);
  }
  if (outputs == nullptr) {
    return Fail(label_, LW_INVALID_ARGUMENT, "outputs is NULL");
  }
  call->output = {&outputs[0], "output", 0, 0};
  const lw_status status = CheckShape(label_, call->output);
  if (status != LW_OK) return status;
  if (outputs[0].type != call->shape.type) {
    return Fail(label_, LW_UNSUPPORTED_TYPE,
                "the output has the inputs' type %s, not %s",
                lw_type_name(call->shape.type), lw_type_name(outputs[0].type));
  }
  const Dims wanted = {call->shape.dims, call->shape.rank};
  if (!SameDims(DimsOf(outputs[0]), wanted)) {
    return Fail(label_, LW_INVALID_SHAPE, "the output's shape is %s, not %s",
                ShapeText(wanted.dims, wanted.rank).c_str(),
                ShapeText(outputs[0].dims, outputs[0].rank).c_str());
  }
  return LW_OK;
}

lw_status Operation::CheckAllMemory(const Call& call) const {
  lw_status status = CheckMemory(label_, call.output, call.layout);
  for (size_t i = 0; i < DataInputs() && status == LW_OK; ++i) {
    status = CheckMemory(label_, call.inputs[i], call.layout);
    if (status != LW_OK) return status;
    // A view: what lies in row-major order may stay where it is.
    if (op_.form == Form::kReshape &&
        call.inputs[0].tensor->data == call.output.tensor->data &&
        IsContiguous(*call.inputs[0].tensor) &&
        IsContiguous(*call.output.tensor)) {
      continue;
    }
    status = CheckOverlap(label_, call.inputs[i], call.output, call.layout);
  }
  return status;
}

lw_status Operation::Infer(const lw_tensor* inputs, size_t count,
                           lw_shape* out) const {
  Call call;
  const lw_status status = CheckInputs(inputs, count, &call);
  if (status != LW_OK) return status;
  out->type = call.shape.type;
  out->rank = call.shape.rank;
  std::copy_n(call.shape.dims, call.shape.rank, out->dims);
  return LW_OK;
}

bool Operation::IsPlain(const lw_tensor* inputs, size_t count,
                        const lw_tensor& output, Job* job, lw_run* run) const {
  if (op_.form != Form::kReshape) {
    return IsPlainCall(inputs, count, output, plain_bytes_, label_.version >= 7,
                       job, run);
  }
  *run = LW_SAME;
  Dims target = {attributes_.shape.data(),
                 static_cast<int32_t>(attributes_.shape.size())};
  if (count == 2) {
    if (!IsPlainShape(inputs[1], output.rank)) return false;
    target = {static_cast<const int64_t*>(inputs[1].data), output.rank};
  }
  return IsPlainReshape(inputs[0], target, attributes_.allow_zero, output,
                        plain_bytes_, job);
}

lw_status Operation::Run(const lw_tensor* inputs, size_t input_count,
                         const lw_tensor* outputs, size_t output_count) const {
  if (input_count == InputCount(op_, label_.version) && output_count == 1 &&
      inputs != nullptr && outputs != nullptr) {
    Job job;
    lw_run run;
    if (kernels_.Find(inputs[0].type, LW_SAME) != nullptr &&
        IsPlain(inputs, input_count, *outputs, &job, &run)) {
      if (AreShort(job.rows, job.n)) return RunShort(job, inputs[0].type);
      if (op_.form != Form::kReshape || job.a != job.out) {
        kernels_.Find(inputs[0].type, run)(job);
      }
      return CheckDivisors(job.zero_divisors,
                           job.first_zero_row * job.n + job.first_zero_column);
    }
  }

  Call call;
  lw_status status = CheckInputs(inputs, input_count, &call);
  if (status == LW_OK) status = CheckOutput(outputs, output_count, &call);
  if (status != LW_OK || call.output.elements == 0) return status;
  status = CheckAllMemory(call);
  if (status != LW_OK) return status;
  return op_.form == Form::kReshape ? RunReshape(call) : RunElementwise(call);
}

lw_status Operation::RunElementwise(const Call& call) const {
  const size_t inputs = DataInputs();
  NestOperand operands[LoopNest::kMaxOperands];
  for (size_t i = 0; i < inputs; ++i) {
    operands[i] = {call.inputs[i].tensor, call.offsets[i]};
  }
  operands[inputs] = {call.output.tensor, 0};
  // The position of a zero divisor counts in row-major order.
  const bool keep_order =
      op_.form == Form::kBinary && IsInteger(call.shape.type);
  LoopNest nest;
  BuildNest(operands, static_cast<int>(inputs) + 1, keep_order, &nest);
  return RunOverNest(nest, nullptr, call);
}

lw_status Operation::RunOverNest(const LoopNest& nest,
                                 const LoopNest* input_nest,
                                 const Call& call) const {
  // Packed elements come as nests of bytes.
  const bool packed = call.layout.bits < 8;
  const int32_t type = packed ? LW_UINT8 : call.shape.type;
  const KernelFn kernels[] = {kernels_.Find(type, LW_SAME),
                              kernels_.Find(type, LW_SCALAR_B),
                              kernels_.Find(type, LW_SCALAR_A)};
  NestCall run = {};
  run.nest = &nest;
  run.input_nest = input_nest;
  run.kernels = kernels;
  run.element_bytes = packed ? 1 : call.layout.bits / 8;
  run.work = op_.work;
  run.copies = op_.form == Form::kReshape;
  bool in_place = false;
  for (int k = 0; k < nest.operands; ++k) {
    const bool is_output = k == nest.operands - 1;
    const Operand& operand = is_output ? call.output : call.inputs[k];
    run.data[k] = operand.tensor->data;
    in_place |= !is_output && run.data[k] == call.output.tensor->data;
  }
  run.in_place = in_place;

  const bool traced = engine_->trace.exec();
  const uint64_t start = traced ? Nanoseconds() : 0;
  const NestResult result = RunNest(*engine_, run);
  if (traced) {
    engine_->trace.Exec(op_.name, call.shape.type, PatternName(nest),
                        TargetName(engine_->target),
                        static_cast<uint64_t>(nest.elements),
                        result.tasks == 1 ? 1 : engine_->executor->Threads(),
                        Nanoseconds() - start);
  }
  return CheckDivisors(result.zero_divisors, result.first_zero_divisor);
}

[[gnu::noinline]] lw_status Operation::RunShort(const Job& job,
                                                int32_t type) const {
  const NestResult result =
      RunShortRows(*engine_, job, FindType(type)->bits / 8, op_.work,
                   kernels_.Find(type, LW_SAME));
  return CheckDivisors(result.zero_divisors, result.first_zero_divisor);
}

lw_status Operation::CheckDivisors(uint64_t zeros, uint64_t first) const {
  if (zeros == 0 || engine_->allow_zero_divisor) return LW_OK;
  return FailZeroDivisors(label_, first, zeros);
}

}  // namespace lanewise
