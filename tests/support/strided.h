// SPDX-License-Identifier: Apache-2.0
//
// Tensors in memory: dims and strides with an owner, layouts of every kind, and
// a naive index computation.

#ifndef LANEWISE_TESTS_SUPPORT_STRIDED_H_
#define LANEWISE_TESTS_SUPPORT_STRIDED_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/array.h"

namespace lanewise::test {

using Dims64 = std::vector<int64_t>;

inline int64_t Count(const Dims64& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

inline Dims64 RowMajor(const Dims64& dims) {
  Dims64 strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0; stride *= dims[i]) strides[i] = stride;
  return strides;
}

/// The offset of the element with row-major index `flat`, in elements from the
/// first.
inline int64_t OffsetOf(const Dims64& dims, const Dims64& strides,
                        int64_t flat) {
  int64_t offset = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    offset += flat % dims[i] * strides[i];
    flat /= dims[i];
  }
  return offset;
}

/// A view that owns its dims and strides.
struct Tensor {
  lw_type type;
  void* data;
  Dims64 dims;
  Dims64 strides = {};  ///< none: row-major
  size_t bytes = 0;

  /// Points to the dims of this tensor, so it must not be called on a
  /// temporary.
  lw_tensor view() const&& = delete;
  lw_tensor view() const& {
    return {data,
            type,
            static_cast<int32_t>(dims.size()),
            dims.data(),
            strides.empty() ? nullptr : strides.data(),
            bytes};
  }
};

/// The array as a tensor of any shape. The tensor states the size of its
/// memory.
inline Tensor TensorOf(Array& array, Dims64 dims) {
  return {array.type(), array.data(), std::move(dims), {}, array.bytes()};
}
inline Tensor TensorOf(Array& array) {
  return TensorOf(array, {static_cast<int64_t>(array.size())});
}

/// The strides of an input and an output. Empty strides mean row-major.
struct Layout {
  const char* name;
  Dims64 dims;
  Dims64 in;
  Dims64 out;
};

inline const std::vector<Layout>& AllLayouts() {
  static const std::vector<Layout>& layouts = *new std::vector<Layout>{
      {"contiguous, rank 4", {3, 4, 5, 6}, {}, {}},
      {"explicit row-major strides", {7, 30}, {30, 1}, {30, 1}},
      {"gaps in the input", {300}, {3}, {}},
      {"every second element", {300}, {2}, {}},
      {"every second element, long enough to stream", {5001}, {2}, {}},
      {"every second element, one vector", {8}, {2}, {}},
      {"every second element, three elements", {3}, {2}, {}},
      {"every second element, 3, 6 ... whole vectors", {384}, {2}, {}},
      {"every second element of padded rows", {9, 65}, {140, 2}, {70, 1}},
      {"every second element of short rows", {50, 5}, {11, 2}, {}},
      {"every second element, rows longer than a tile", {3, 5000}, {1, 2}, {}},
      {"gaps in the output", {300}, {}, {2}},
      {"gaps in both", {300}, {5}, {4}},
      {"input reversed", {300}, {-1}, {}},
      {"output reversed", {300}, {}, {-1}},
      {"both reversed", {300}, {-1}, {-1}},
      {"reversed with gaps", {100}, {-3}, {-2}},
      {"one element for all outputs", {300}, {0}, {}},
      {"one row for all rows", {7, 33}, {0, 1}, {}},
      {"one element for each row", {7, 33}, {1, 0}, {}},
      {"one element for each row, reversed", {7, 33}, {-1, 0}, {-33, -1}},
      {"input transposed", {13, 37}, {1, 13}, {}},
      {"output transposed", {13, 37}, {}, {1, 13}},
      {"both transposed", {13, 37}, {1, 13}, {1, 13}},
      {"padded rows", {9, 40}, {48, 1}, {64, 1}},
      {"padded rows, input from the last row up", {9, 40}, {-48, 1}, {64, 1}},
      {"short rows", {50, 5}, {7, 1}, {11, 1}},
      {"dims of 1 with any stride", {1, 90, 1}, {1 << 30, 1, -77}, {0, 1, 0}},
      {"permuted, rank 4", {3, 4, 5, 6}, {1, 90, -3, 15}, {120, -30, 6, 1}},
      {"gaps and a dim of stride 0, rank 4", {3, 4, 5, 6}, {40, 0, 8, 1}, {}},
      {"rows longer than a tile, strided input", {3, 5000}, {1, 3}, {}},
      {"rows longer than a tile, strided output", {3, 5000}, {}, {1, 3}},
      {"no elements", {3, 0, 2}, {2, 2, 1}, {2, 2, 1}},
  };
  return layouts;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_STRIDED_H_
