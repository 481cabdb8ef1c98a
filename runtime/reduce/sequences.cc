// SPDX-License-Identifier: Apache-2.0

#include "runtime/reduce/sequences.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

void Add(const ReduceDim& dim, ReduceDims* dims) {
  dims->elements *= dim.size;
  dims->dims[dims->rank++] = dim;
}

// By the steps of the input, the longest first. An insertion sort: the sorts of
// the library that keep the order of equal steps allocate.
void SortByInput(ReduceDims* dims) {
  for (int i = 1; i < dims->rank; ++i) {
    const ReduceDim dim = dims->dims[i];
    int at = i;
    for (; at > 0 && std::abs(dims->dims[at - 1].in) < std::abs(dim.in); --at) {
      dims->dims[at] = dims->dims[at - 1];
    }
    dims->dims[at] = dim;
  }
}

void Join(ReduceDims* dims) {
  int last = 0;
  for (int i = 1; i < dims->rank; ++i) {
    const ReduceDim& dim = dims->dims[i];
    ReduceDim& outer = dims->dims[last];
    if (outer.in == dim.in * dim.size && outer.out == dim.out * dim.size) {
      outer = {outer.size * dim.size, dim.in, dim.out};
    } else {
      dims->dims[++last] = dim;
    }
  }
  dims->rank = last + 1;
}

}  // namespace

bool IsAlong(const lw_tensor& whole, uint64_t reduced) {
  int32_t last = whole.rank - 1;
  while (last >= 0 && whole.dims[last] == 1) --last;
  return last >= 0 && (reduced >> last & 1) != 0;
}

void FindSequences(const lw_tensor& in, const lw_tensor& out, uint64_t reduced,
                   int64_t in_bytes, int64_t out_bytes, Sequences* sequences) {
  int64_t in_strides[LW_MAX_RANK];
  int64_t out_strides[LW_MAX_RANK];
  FindStrides(in, in_strides);
  FindStrides(out, out_strides);
  // No element is read where there is none, and the strides may be any numbers.
  if (std::count(in.dims, in.dims + in.rank, 0) != 0) {
    std::fill_n(in_strides, in.rank, 0);
  }
  ReduceDims& kept = sequences->kept;
  kept = {};
  sequences->reduced = {};
  int32_t at = 0;  // in the output
  for (int32_t i = 0; i < in.rank; ++i) {
    const bool is_reduced = (reduced >> i & 1) != 0;
    const bool has_dim = !is_reduced || out.rank == in.rank;
    if (in.dims[i] != 1) {
      Add({in.dims[i], in_strides[i] * in_bytes,
           is_reduced ? 0 : out_strides[at] * out_bytes},
          is_reduced ? &sequences->reduced : &kept);
    }
    if (has_dim) ++at;
  }
  // Elements of the output may be computed in any order: neighbours in the
  // input come last.
  SortByInput(&kept);
  for (ReduceDims* dims : {&kept, &sequences->reduced}) {
    if (dims->rank == 0) {
      Add({1, in_bytes, dims == &kept ? out_bytes : 0}, dims);
    }
    Join(dims);
  }
}

}  // namespace lanewise
