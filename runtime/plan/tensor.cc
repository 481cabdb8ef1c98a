// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan/tensor.h"

#include <algorithm>
#include <cinttypes>
#include <numeric>

#include "runtime/engine/types.h"

namespace lanewise {
namespace {

int64_t StrideOf(const lw_tensor& tensor, int32_t dim) {
  if (tensor.strides != nullptr) return tensor.strides[dim];
  int64_t stride = 1;
  for (int32_t i = tensor.rank - 1; i > dim; --i) stride *= tensor.dims[i];
  return stride;
}

bool ExtentOf(const Operand& operand, size_t bits, Extent* extent) {
  const lw_tensor& tensor = *operand.tensor;
  if (tensor.strides == nullptr || tensor.rank == 0) {
    const auto elements = static_cast<size_t>(operand.elements);
    *extent = {0, static_cast<int64_t>(BytesFor(elements, bits))};
    return true;
  }
  const auto size = static_cast<int64_t>(bits / 8);
  *extent = {0, size};
  for (int32_t i = 0; i < tensor.rank; ++i) {
    int64_t reach = 0;
    int64_t& end = tensor.strides[i] < 0 ? extent->low : extent->high;
    if (__builtin_mul_overflow(tensor.dims[i] - 1, tensor.strides[i], &reach) ||
        __builtin_mul_overflow(reach, size, &reach) ||
        __builtin_add_overflow(end, reach, &end)) {
      return false;
    }
  }
  return extent->high <= PTRDIFF_MAX - size && extent->low > PTRDIFF_MIN + size;
}

// Whether two elements of an output may share memory. Exact for every layout
// that slicing, transposing and reversing can make; for others it may say yes
// wrongly.
bool OverlapsItself(const lw_tensor& tensor) {
  int64_t dims[LW_MAX_RANK];
  int64_t strides[LW_MAX_RANK];
  int32_t rank = 0;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] == 1) continue;
    // Insertion sort by stride: an inner dim must end before the next step of
    // the enclosing dim.
    const int64_t stride = std::abs(tensor.strides[i]);
    int32_t at = rank++;
    for (; at > 0 && strides[at - 1] > stride; --at) {
      strides[at] = strides[at - 1];
      dims[at] = dims[at - 1];
    }
    strides[at] = stride;
    dims[at] = tensor.dims[i];
  }
  int64_t reach = 0;
  for (int32_t i = 0; i < rank; ++i) {
    if (strides[i] <= reach) return true;
    reach += (dims[i] - 1) * strides[i];
  }
  return false;
}

// The offsets of a tensor's bytes modulo `modulus`, as one interval relative to
// the data pointer. Dims whose step is a multiple of `modulus` contribute
// nothing.
Extent ExtentModulo(const lw_tensor& tensor, int64_t size, int64_t modulus) {
  Extent extent = {0, size};
  for (int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] == 1) continue;  // whatever its stride is
    const int64_t step = StrideOf(tensor, i) * size;
    if (step % modulus == 0) continue;
    (step < 0 ? extent.low : extent.high) += (tensor.dims[i] - 1) * step;
  }
  return extent;
}

bool DisjointModulo(const Placed& x, const Placed& y, int64_t modulus) {
  const auto size = [](const Placed& p) {
    return static_cast<int64_t>(p.bits / 8);
  };
  const Extent in_x = ExtentModulo(*x.tensor, size(x), modulus);
  const Extent in_y = ExtentModulo(*y.tensor, size(y), modulus);
  const auto between =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(y.data) -
                           reinterpret_cast<uintptr_t>(x.data));
  const int64_t distance = (between + in_y.low - in_x.low) % modulus;
  const int64_t behind = distance < 0 ? distance + modulus : distance;
  return behind >= in_x.high - in_x.low &&
         behind + in_y.high - in_y.low <= modulus;
}

// Whether tensors with overlapping extents still have no byte in common, like
// alternate elements or adjacent columns of one array. Such tensors are
// disjoint modulo one of their strides, or modulo the greatest common divisor
// of all strides.
bool Interleaved(const Placed& x, const Placed& y) {
  int64_t divisor = 0;
  for (const Placed* placed : {&x, &y}) {
    const lw_tensor& tensor = *placed->tensor;
    const auto size = static_cast<int64_t>(placed->bits / 8);
    for (int32_t i = 0; i < tensor.rank; ++i) {
      if (tensor.dims[i] == 1) continue;
      const int64_t step = std::abs(StrideOf(tensor, i)) * size;
      if (step == 0) continue;
      if (DisjointModulo(x, y, step)) return true;
      divisor = std::gcd(divisor, step);
    }
  }
  return divisor != 0 && DisjointModulo(x, y, divisor);
}

}  // namespace

lw_status CheckShape(const Label& label, Operand& operand) {
  const lw_tensor& tensor = *operand.tensor;
  if (FindType(tensor.type) == nullptr) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "%s %zu: %d is not the code of an ONNX type", operand.role,
                operand.index, tensor.type);
  }
  if (tensor.rank < 0 || tensor.rank > LW_MAX_RANK) {
    return Fail(label, LW_INVALID_SHAPE,
                "%s %zu has rank %d, which is not between 0 and %d",
                operand.role, operand.index, tensor.rank, LW_MAX_RANK);
  }
  if (tensor.rank > 0 && tensor.dims == nullptr) {
    return Fail(label, LW_INVALID_ARGUMENT, "%s %zu has no dims (NULL)",
                operand.role, operand.index);
  }
  for (int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] < 0) {
      return Fail(label, LW_INVALID_SHAPE,
                  "%s %zu has the negative dim %" PRId64 " in %s", operand.role,
                  operand.index, tensor.dims[i],
                  ShapeText(tensor.dims, tensor.rank).c_str());
    }
  }
  if (!CountElements(DimsOf(tensor), &operand.elements)) {
    return Fail(label, LW_SIZE_OVERFLOW,
                "%s %zu: the number of elements of %s overflows", operand.role,
                operand.index, ShapeText(tensor.dims, tensor.rank).c_str());
  }
  return LW_OK;
}

lw_status CheckPointer(const Label& label, const Operand& operand,
                       const void* data, const ElementLayout& layout) {
  if (data == nullptr) {
    return Fail(label, LW_NULL_DATA, "%s %zu: data is NULL", operand.role,
                operand.index);
  }
  if ((reinterpret_cast<uintptr_t>(data) & (layout.alignment - 1)) != 0) {
    return Fail(label, LW_MISALIGNED,
                "%s %zu: data at %p is not aligned to the %zu bytes of %s",
                operand.role, operand.index, data, layout.alignment,
                lw_type_name(operand.tensor->type));
  }
  return LW_OK;
}

lw_status CheckLayout(const Label& label, const Operand& operand,
                      const ElementLayout& layout, Extent* extent) {
  const lw_tensor& tensor = *operand.tensor;
  if (tensor.strides != nullptr && tensor.rank != 0 && layout.bits < 8) {
    return Fail(label, LW_INVALID_ARGUMENT,
                "%s %zu: a packed type cannot have strides", operand.role,
                operand.index);
  }
  if (!ExtentOf(operand, layout.bits, extent)) {
    return Fail(label, LW_SIZE_OVERFLOW, "%s %zu: its strides overflow",
                operand.role, operand.index);
  }
  const auto needed = static_cast<size_t>(extent->high - extent->low);
  if (tensor.bytes != 0 && tensor.bytes < needed) {
    return Fail(label, LW_BUFFER_TOO_SMALL,
                "%s %zu: %zu bytes are needed for %s, %zu are there",
                operand.role, operand.index, needed,
                ShapeText(tensor.dims, tensor.rank).c_str(), tensor.bytes);
  }
  if (operand.is_output() && tensor.strides != nullptr &&
      OverlapsItself(tensor)) {
    return Fail(label, LW_OVERLAP,
                "%s %zu overlaps itself: strides %s for shape %s", operand.role,
                operand.index, ShapeText(tensor.strides, tensor.rank).c_str(),
                ShapeText(tensor.dims, tensor.rank).c_str());
  }
  return LW_OK;
}

bool IsContiguous(const lw_tensor& tensor) {
  if (tensor.strides == nullptr) return true;
  int64_t contiguous = 1;
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.dims[i] != 1 && tensor.strides[i] != contiguous) return false;
    contiguous *= tensor.dims[i];
  }
  return true;
}

void FindStrides(const lw_tensor& tensor, int64_t* strides) {
  uint64_t contiguous = 1;  // of no elements, dims may overflow
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    strides[i] = tensor.strides != nullptr ? tensor.strides[i]
                                           : static_cast<int64_t>(contiguous);
    contiguous *= static_cast<uint64_t>(tensor.dims[i]);
  }
}

bool AreSame(const Placed& x, const Placed& y) {
  const lw_tensor& a = *x.tensor;
  const lw_tensor& b = *y.tensor;
  if (x.data != y.data || x.bits != y.bits || !SameDims(DimsOf(a), DimsOf(b))) {
    return false;
  }
  if (a.strides == nullptr && b.strides == nullptr) return true;
  for (int32_t i = 0; i < a.rank; ++i) {
    if (a.dims[i] != 1 && StrideOf(a, i) != StrideOf(b, i)) return false;
  }
  return true;
}

bool AreApart(const Placed& x, const Placed& y) {
  const auto at = [](const Placed& placed, int64_t offset) {
    return reinterpret_cast<uintptr_t>(placed.data) +
           static_cast<uintptr_t>(offset);
  };
  return at(x, x.extent.high) <= at(y, y.extent.low) ||
         at(y, y.extent.high) <= at(x, x.extent.low) ||
         (x.bits >= 8 && y.bits >= 8 && Interleaved(x, y));
}

namespace {

bool SameNumbers(const int64_t* kept, const int64_t* given, int32_t count) {
  if (kept == nullptr || given == nullptr) return kept == given;
  return std::equal(kept, kept + count, given);
}

}  // namespace

bool AreAlike(const lw_tensor& kept, const lw_tensor& given) {
  return kept.type == given.type && kept.rank == given.rank &&
         kept.bytes == given.bytes &&
         (kept.rank == 0 || SameNumbers(kept.dims, given.dims, kept.rank)) &&
         SameNumbers(kept.strides, given.strides, kept.rank);
}

}  // namespace lanewise
