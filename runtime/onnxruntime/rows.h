// SPDX-License-Identifier: Apache-2.0
//
// Reductions and composed operators as steps of chains: a chain that has some
// runs in stages, slice by slice (runtime/README.md).

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_ROWS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_ROWS_H_

#include <vector>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// Whether the node makes one element of many, or its recipe may do so.
bool Reduces(const Node& node);
bool IsComposed(const Node& node);

/// Whether the axes of a reduction may differ from call to call: a chain keeps
/// the plan for the axes that it has seen.
bool ReadsComputedAxes(const Graph& graph, const Node& node);

/// Whether a list of axes may have one of them twice: ONNX Runtime takes such a
/// list, lanewise refuses it in the run.
bool MayRepeatAxes(const Graph& graph, const Node& node);

/// The most steps, and constants, that a recipe has. lw_chain_create counts
/// these, not the composed operator.
inline constexpr size_t kStepsOfRecipe = 16;
inline constexpr size_t kConstantsOfRecipe = 4;

/// By value: whether the value is made of results of reductions alone. Stages
/// compute such a value once for each sequence, and not where it is stretched
/// to.
std::vector<bool> FindReduced(const Graph& graph);

/// Whether what the nodes hand on from stage to stage stays in the caches: some
/// dim of all outputs is a dim of all reductions, too, which do not reduce it.
bool RunInSlices(const Graph& graph, const std::vector<int>& nodes);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_ROWS_H_
