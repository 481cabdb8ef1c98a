// SPDX-License-Identifier: Apache-2.0
//
// What `--quick` measures: a run that takes minutes, however many operators
// there are.

#ifndef LANEWISE_BENCHMARKS_QUICK_H_
#define LANEWISE_BENCHMARKS_QUICK_H_

#include "benchmarks/cell.h"

namespace lanewise::bench {

/// Operators of each form, of each cost and of each folder of kernels/: those
/// that models have most. All chains are measured beside them. Tests hold the
/// list against the registry and the folders.
inline constexpr const char* kQuickOperators[] = {
    // arithmetic
    "Add", "Neg", "Sqrt",
    // comparison
    "Greater", "IsNaN",
    // conversion
    "QuantizeLinear", "DequantizeLinear",
    // division
    "Div", "Reciprocal",
    // error_function
    "Gelu",
    // exponential
    "Exp", "Sigmoid", "Tanh", "Pow",
    // logic
    "BitwiseAnd",
    // movement
    "Reshape", "Where",
    // piecewise
    "Relu", "Clip",
    // reduction
    "ReduceSum", "ReduceMean", "ReduceMax", "ArgMax",
    // rounding
    "Round",
    // trigonometry
    "Sin"};

/// Whether `--quick` measures the cell.
bool IsQuick(const Cell& cell);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_QUICK_H_
