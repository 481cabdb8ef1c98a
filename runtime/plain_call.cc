// SPDX-License-Identifier: Apache-2.0

#include "runtime/plain_call.h"

#include <cstdint>

#include "runtime/loop_nest.h"
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

// The output's rows over which an input is stretched: it has one element for
// each, or is one row for all. There are none if neither is so; if both are,
// short ones are avoided.
struct Rows {
  size_t n;
  size_t count;
  bool per_element;
};

Rows RowsUnder(const lw_tensor& in, const lw_tensor& out, size_t elements) {
  if (in.rank < 0 || in.rank > out.rank ||
      (in.dims == nullptr && in.rank != 0)) {
    return {0, 0, false};
  }
  const int32_t missing = out.rank - in.rank;
  const auto dim = [&](int32_t i) {
    return i < missing ? 1 : in.dims[i - missing];
  };
  const auto is_one = [&](int32_t i) { return dim(i) == 1; };
  const auto is_whole = [&](int32_t i) { return dim(i) == out.dims[i]; };
  // Dims in the row are one thing, those outside of it another.
  const auto split = [&](auto inside, auto outside, Rows* rows) {
    int32_t i = out.rank - 1;
    const auto out_dim = [&] { return static_cast<size_t>(out.dims[i]); };
    for (; i >= 0 && inside(i); --i) rows->n *= out_dim();
    for (; i >= 0 && outside(i); --i) rows->count *= out_dim();
    return i < 0;
  };
  Rows each = {1, 1, true};
  const bool is_each = split(is_one, is_whole, &each);
  if (is_each && (each.n >= kShortRow || each.n == elements)) return each;
  Rows all = {1, 1, false};
  if (split(is_whole, is_one, &all)) return all;
  return is_each ? each : Rows{0, 0, false};
}

// Whether two tensors have no byte in common.
bool IsApart(const lw_tensor& in, size_t in_bytes, const lw_tensor& out,
             size_t out_bytes) {
  return AddressOf(in) >= AddressOf(out) + out_bytes ||
         AddressOf(out) >= AddressOf(in) + in_bytes;
}

// Whether `in` lies as `out` does, and not partly on it.
[[gnu::always_inline]] inline bool IsSame(const lw_tensor& in,
                                          const lw_tensor& out, size_t bytes,
                                          uintptr_t alignment) {
  return IsAlike(in, out) && IsSound(in, bytes, alignment) &&
         (in.data == out.data || IsApart(in, bytes, out, bytes));
}

// Of two inputs number `which` is not like the output. Out of line, for the
// sake of those that are.
[[gnu::noinline]] bool StretchOne(const lw_tensor* inputs, size_t which,
                                  const lw_tensor& out, size_t elements,
                                  const TypeInfo& type, Job* job, lw_run* run) {
  const lw_tensor& in = inputs[which];
  const size_t size = type.bits / 8;
  const size_t bytes = elements * size;
  const Rows rows = RowsUnder(in, out, elements);
  const size_t in_bytes = (rows.per_element ? rows.count : rows.n) * size;
  if (in_bytes == 0 || in.type != out.type ||
      !IsSound(in, in_bytes, type.alignment) ||
      !IsApart(in, in_bytes, out, bytes) ||
      !IsSame(inputs[1 - which], out, bytes, type.alignment)) {
    return false;
  }
  job->n = rows.n;
  job->rows = rows.count;
  const auto row_bytes = static_cast<ptrdiff_t>(rows.n * size);
  job->a_step = job->b_step = job->out_step = row_bytes;
  (which == 0 ? job->a_step : job->b_step) =
      rows.per_element ? static_cast<ptrdiff_t>(size) : 0;
  if (rows.per_element) *run = which == 0 ? LW_SCALAR_A : LW_SCALAR_B;
  return true;
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
  job->a = inputs[0].data;
  job->b = input_count == 2 ? inputs[1].data : nullptr;
  job->out = out.data;
  job->n = elements;
  *run = LW_SAME;
  for (size_t i = 0; i < input_count; ++i) {
    if (IsSame(inputs[i], out, bytes, type->alignment)) continue;
    return broadcasts && input_count == 2 &&
           StretchOne(inputs, i, out, elements, *type, job, run);
  }
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
