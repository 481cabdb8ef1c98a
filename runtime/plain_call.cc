// SPDX-License-Identifier: Apache-2.0

#include "runtime/plain_call.h"

#include <cstdint>

#include "runtime/tensor.h"
#include "runtime/types.h"

namespace lanewise {
namespace {

uintptr_t AddressOf(const lw_tensor& tensor) {
  return reinterpret_cast<uintptr_t>(tensor.data);
}

// The elements of a shape that has at least one and at most `max`; otherwise 0.
size_t FewElements(const lw_tensor& tensor, size_t max) {
  if (tensor.rank < 0 || tensor.rank > LW_MAX_RANK ||
      (tensor.dims == nullptr && tensor.rank != 0)) {
    return 0;
  }
  size_t elements = 1;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const auto dim = static_cast<size_t>(tensor.dims[i]);
    // A negative dim is a huge one here, and neither product wraps round.
    if (dim == 0 || dim > max) return 0;
    elements *= dim;
    if (elements > max) return 0;
  }
  return elements;
}

bool IsAlike(const lw_tensor& x, const lw_tensor& y) {
  if (x.type != y.type || x.rank != y.rank) return false;
  if (x.dims == y.dims) return true;
  if (x.dims == nullptr) return false;
  for (int32_t i = 0; i < y.rank; ++i) {
    if (x.dims[i] != y.dims[i]) return false;
  }
  return true;
}

// The memory of one tensor, by itself.
bool IsSound(const lw_tensor& tensor, size_t bytes, uintptr_t alignment) {
  return tensor.strides == nullptr && tensor.data != nullptr &&
         (AddressOf(tensor) & (alignment - 1)) == 0 &&
         (tensor.bytes == 0 || tensor.bytes >= bytes);
}

bool IsOneElement(const lw_tensor& tensor, int32_t max_rank) {
  return tensor.rank <= max_rank && FewElements(tensor, 1) == 1;
}

// Whether two tensors have no byte in common.
bool IsApart(const lw_tensor& in, size_t in_bytes, const lw_tensor& out,
             size_t out_bytes) {
  return AddressOf(in) >= AddressOf(out) + out_bytes ||
         AddressOf(out) >= AddressOf(in) + in_bytes;
}

// Whether `out` is the shape that `target` asks for, given that the number of
// elements is right: that settles what a -1 stands for.
bool IsReshaped(Dims in, Dims target, bool allow_zero, Dims out) {
  if (target.rank != out.rank) return false;
  int inferred = 0;
  for (int32_t i = 0; i < target.rank; ++i) {
    int64_t wanted = target.dims[i];
    if (wanted == -1 && ++inferred == 1) continue;
    if (wanted == 0 && !allow_zero && i < in.rank) wanted = in.dims[i];
    if (wanted != out.dims[i]) return false;
  }
  return true;
}

}  // namespace

bool IsPlainCall(const lw_tensor* inputs, size_t input_count,
                 const lw_tensor& out, size_t max_bytes, bool broadcasts,
                 Job* job, lw_run* run) {
  // With 2^32 bytes at most no product below exceeds 64 bits.
  if (max_bytes > UINT32_MAX) max_bytes = UINT32_MAX;
  const TypeInfo* type = FindType(out.type);
  if (type == nullptr || type->bits < 8) return false;
  const size_t elements = FewElements(out, max_bytes);
  const size_t size = type->bits / 8;
  const size_t bytes = elements * size;
  if (elements == 0 || bytes * (input_count + 1) > max_bytes ||
      !IsSound(out, bytes, type->alignment)) {
    return false;
  }
  *run = LW_SAME;
  for (size_t i = 0; i < input_count; ++i) {
    const lw_tensor& in = inputs[i];
    if (IsAlike(in, out)) {
      if (!IsSound(in, bytes, type->alignment) ||
          (in.data != out.data && !IsApart(in, bytes, out, bytes))) {
        return false;
      }
      continue;
    }
    if (!broadcasts || input_count != 2 || *run != LW_SAME ||
        in.type != out.type || !IsOneElement(in, out.rank) ||
        !IsSound(in, size, type->alignment) || !IsApart(in, size, out, bytes)) {
      return false;
    }
    *run = i == 0 ? LW_SCALAR_A : LW_SCALAR_B;
  }
  job->a = inputs[0].data;
  job->b = input_count == 2 ? inputs[1].data : nullptr;
  job->out = out.data;
  job->n = elements;
  return true;
}

bool IsPlainShape(const lw_tensor& shape, int32_t rank) {
  return rank > 0 && shape.type == LW_INT64 && shape.rank == 1 &&
         shape.dims != nullptr && shape.dims[0] == rank &&
         IsSound(shape, sizeof(int64_t) * static_cast<size_t>(rank),
                 alignof(int64_t));
}

bool IsPlainReshape(const lw_tensor& in, Dims target, bool allow_zero,
                    const lw_tensor& out, size_t max_bytes, Job* job) {
  if (max_bytes > UINT32_MAX) max_bytes = UINT32_MAX;
  const TypeInfo* type = FindType(out.type);
  if (type == nullptr || type->bits == 0 || in.type != out.type) return false;
  const size_t elements = FewElements(out, max_bytes);
  const size_t bytes = BytesFor(elements, type->bits);
  if (elements == 0 || FewElements(in, max_bytes) != elements ||
      2 * bytes > max_bytes || !IsSound(in, bytes, type->alignment) ||
      !IsSound(out, bytes, type->alignment) ||
      (in.data != out.data && !IsApart(in, bytes, out, bytes)) ||
      !IsReshaped(DimsOf(in), target, allow_zero, DimsOf(out))) {
    return false;
  }
  job->a = in.data;
  job->b = nullptr;
  job->out = out.data;
  job->n = elements;
  return true;
}

}  // namespace lanewise
