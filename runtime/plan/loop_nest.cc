// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan/loop_nest.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lanewise {
namespace {

// Strides of a tensor along the output's dims; 0 along dims that it stretches
// to.
void AlignStrides(const NestOperand& operand, int32_t out_rank,
                  int64_t* strides) {
  std::fill_n(strides, out_rank, 0);
  if (operand.tensor == nullptr) return;
  const lw_tensor& tensor = *operand.tensor;
  int64_t contiguous = 1;
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    const int32_t under = operand.offset + i;
    if (tensor.dims[i] != 1 && under >= 0 && under < out_rank) {
      strides[under] =
          tensor.strides != nullptr ? tensor.strides[i] : contiguous;
    }
    contiguous *= tensor.dims[i];
  }
}

void SwapDims(LoopNest& nest, int x, int y) {
  std::swap(nest.dims[x], nest.dims[y]);
  for (int k = 0; k < nest.operands; ++k) {
    std::swap(nest.strides[k][x], nest.strides[k][y]);
  }
}

// Sorts and flips dims so that the loops visit the output in ascending memory
// order. Transposed and reversed tensors thus become contiguous wherever all
// operands agree.
void SortByOutput(LoopNest& nest) {
  const int64_t* out = nest.strides[nest.operands - 1];
  for (int i = 0; i < nest.rank; ++i) {
    if (out[i] < 0) {
      for (int k = 0; k < nest.operands; ++k) {
        nest.start[k] += (nest.dims[i] - 1) * nest.strides[k][i];
        nest.strides[k][i] = -nest.strides[k][i];
      }
    }
    for (int at = i; at > 0 && out[at - 1] < out[at]; --at) {
      SwapDims(nest, at - 1, at);
    }
  }
}

// Joins neighbouring dims where every operand has an even step across both.
void Collapse(LoopNest& nest) {
  int last = 0;
  for (int i = 1; i < nest.rank; ++i) {
    bool even = true;
    for (int k = 0; k < nest.operands; ++k) {
      even &= nest.strides[k][last] == nest.strides[k][i] * nest.dims[i];
    }
    if (even) {
      nest.dims[last] *= nest.dims[i];
    } else {
      nest.dims[++last] = nest.dims[i];
    }
    for (int k = 0; k < nest.operands; ++k) {
      nest.strides[k][last] = nest.strides[k][i];
    }
  }
  nest.rank = last + 1;
}

void FindFlat(LoopNest& nest) {
  for (int k = 0; k < nest.operands; ++k) {
    int64_t contiguous = 1;
    nest.flat[k] = true;
    for (int i = nest.rank - 1; i >= 0; --i) {
      nest.flat[k] &= nest.strides[k][i] == contiguous;
      contiguous *= nest.dims[i];
    }
  }
}

}  // namespace

void BuildNest(const NestOperand* operands, int count, bool keep_order,
               int64_t* numbers, LoopNest* nest) {
  const lw_tensor& out = *operands[count - 1].tensor;
  const int32_t most = std::max(1, out.rank);
  nest->operands = count;
  nest->dims = numbers;
  bool strided = false;
  for (int k = 0; k < count; ++k) {
    nest->start[k] = 0;
    nest->strides[k] = numbers += most;
    const lw_tensor* tensor = operands[k].tensor;
    strided |= tensor != nullptr && tensor->strides != nullptr;
    AlignStrides(operands[k], out.rank, nest->strides[k]);
  }

  nest->rank = 0;
  nest->elements = 1;
  for (int32_t i = 0; i < out.rank; ++i) {
    nest->elements *= out.dims[i];
    if (out.dims[i] == 1) continue;
    nest->dims[nest->rank] = out.dims[i];
    for (int k = 0; k < count; ++k) {
      nest->strides[k][nest->rank] = nest->strides[k][i];
    }
    ++nest->rank;
  }
  if (nest->rank == 0) {  // one element: a run of length 1
    nest->rank = 1;
    nest->dims[0] = 1;
    for (int k = 0; k < count; ++k) {
      nest->strides[k][0] = operands[k].tensor != nullptr ? 1 : 0;
    }
  }
  if (strided && !keep_order) SortByOutput(*nest);
  Collapse(*nest);
  FindFlat(*nest);
}

std::string PatternName(const LoopNest& nest, int scalars, int outputs) {
  const int out = nest.operands - outputs;
  if (!nest.flat[out] || nest.rank > 2) return "strided";
  std::string ones;
  std::string name;
  int named = 0;
  for (int k = 0; k < out; ++k) {
    if ((scalars >> k & 1) != 0) continue;
    ++named;
    const int64_t* strides = nest.strides[k];
    const auto letter = static_cast<char>('a' + k);
    if (nest.flat[k]) continue;
    if (nest.rank == 1 && strides[0] == 0) {
      ones += letter;
    } else if (nest.rank == 2 && strides[0] == 0 && strides[1] == 1) {
      name += std::string("row_") + letter;
    } else if (nest.rank == 2 && strides[0] == 1 && strides[1] == 0) {
      name += std::string("col_") + letter;
    } else {
      return "strided";
    }
  }
  if (nest.rank == 1) {
    if (ones.empty()) return "same";
    return ones.size() == static_cast<size_t>(named) ? "strided"
                                                     : "scalar_" + ones;
  }
  return named == 2 && name.size() == 5 ? name : "strided";
}

}  // namespace lanewise
