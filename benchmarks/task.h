// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_BENCHMARKS_TASK_H_
#define LANEWISE_BENCHMARKS_TASK_H_

#include <array>

#include "benchmarks/cell.h"

namespace lanewise::bench {

/// The task of a cell over the memory of the inputs that are data, and over
/// that of the output.
Task MakeTask(const Cell& cell, const std::array<char*, 3>& data, void* out);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_TASK_H_
