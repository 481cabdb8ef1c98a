// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/task.h"

#include "benchmarks/chains.h"
#include "runtime/engine/types.h"
#include "runtime/node/registry.h"

namespace lanewise::bench {
namespace {

// What operators with a target shape make of n elements: two rows, if they can.
int64_t two_rows[] = {2, -1};
int64_t one_row[] = {1, -1};
// The axis that reductions of rows and of columns reduce.
int64_t last_axis = 1;
int64_t first_axis = 0;

Operand MakeOperand(const Cell& cell, lw_type type, Extent extent, void* data) {
  Operand operand = {type, 1, {static_cast<int64_t>(extent.used), 1},
                     1,    0, data};
  operand.bytes = BytesFor(extent.used, FindType(type)->bits);
  if (extent.span > extent.used) {
    operand.stride = static_cast<int64_t>(extent.span / extent.used);
  }
  const size_t columns = cell.columns();
  if (columns == cell.n) return operand;
  // A row alone has rank 1. A column has one element in each row.
  const size_t rows = cell.n / columns;
  const bool is_column =
      extent.used == rows &&
      (cell.pattern == Pattern::kColB || cell.pattern == Pattern::kCol8B);
  if (extent.used == cell.n || is_column) {
    operand.rank = 2;
    operand.dims[0] = static_cast<int64_t>(rows);
    operand.dims[1] = static_cast<int64_t>(is_column ? 1 : columns);
  }
  return operand;
}

// Also of a single row: scales align with dim 1.
void MakeRows(const Cell& cell, Operand* operand) {
  operand->rank = 2;
  operand->dims[0] = static_cast<int64_t>(cell.n / cell.columns());
  operand->dims[1] = static_cast<int64_t>(cell.columns());
}

// The input has rows; the axis is an input of its own, or an attribute.
void AddReduction(const Cell& cell, const Form& form, Task* task) {
  MakeRows(cell, &task->inputs[0]);
  const bool by_row = cell.pattern == Pattern::kReduceRows;
  task->output.rank = 2;
  task->output.dims[0] = by_row ? static_cast<int64_t>(cell.results()) : 1;
  task->output.dims[1] = by_row ? 1 : static_cast<int64_t>(cell.results());
  int64_t* axis = by_row ? &last_axis : &first_axis;
  if (form.inputs.size() == 1) {
    task->axis = axis;
  } else {
    task->inputs.push_back({LW_INT64, 1, {1, 1}, 1, sizeof(*axis), axis, true});
  }
}

void AddOperands(const Cell& cell, const Operator& op,
                 const std::array<char*, 3>& data, Task* task) {
  task->version = op.versions.back();
  const Form& form = FormAt(op, task->version);
  for (int i = 0; i < KernelInputs(form); ++i) {
    const auto at = static_cast<size_t>(i);
    const Extent extent = cell.InputExtent(i);
    task->inputs.push_back(
        MakeOperand(cell, cell.input_type(i), extent, data[at]));
    const Role role = form.Input(at).role;
    if (role == Role::kScalar || role == Role::kAligned) {
      if (extent.used == 1) task->inputs.back().rank = 0;
      task->inputs.back().is_constant = true;
    }
  }
  task->output = MakeOperand(cell, cell.output_type(),
                             {cell.results(), cell.results()}, task->out);
  if (form.shape_rule == ShapeRule::kReduced) AddReduction(cell, form, task);
  if (form.shape_rule == ShapeRule::kAligned) {
    MakeRows(cell, &task->inputs[0]);
    MakeRows(cell, &task->output);
  }
  if (form.shape_rule == ShapeRule::kTarget) {
    int64_t* target = cell.n % 2 == 0 ? two_rows : one_row;
    task->inputs.push_back(
        {LW_INT64, 1, {2, 1}, 1, sizeof(two_rows), target, true});
    task->output.rank = 2;
    task->output.dims[0] = target[0];
    task->output.dims[1] = static_cast<int64_t>(cell.n) / target[0];
  }
}

}  // namespace

Task MakeTask(const Cell& cell, const std::array<char*, 3>& data, void* out) {
  Task task = {};
  task.op = cell.op;
  task.type = cell.type;
  task.pattern = cell.pattern;
  task.n = cell.n;
  task.columns = cell.columns();
  task.threads = cell.threads;
  task.a = data[0];
  task.b = data[1];
  task.c = data[2];
  task.out = out;
  task.bytes = cell.bytes();
  const Operator* op = FindOperator(cell.op.c_str());
  if (op != nullptr) AddOperands(cell, *op, data, &task);
  if (const BenchChain* chain = FindChain(cell.op)) {
    task.columns = ColumnsOf(*chain, cell.n);
    const auto operand = [&](lw_type type, void* at) {
      return Operand{type,
                     2,
                     {static_cast<int64_t>(cell.n / task.columns),
                      static_cast<int64_t>(task.columns)},
                     1,
                     BytesFor(cell.n, FindType(type)->bits),
                     at};
    };
    task.inputs.push_back(operand(cell.type, data[0]));
    task.output = operand(cell.output_type(), out);
  }
  return task;
}

}  // namespace lanewise::bench
