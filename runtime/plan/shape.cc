// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan/shape.h"

#include <algorithm>
#include <cinttypes>

namespace lanewise {
namespace {

// The widest element has 16 bytes; offsets must fit in ptrdiff_t.
constexpr int64_t kMaxElements = INT64_MAX / 16;

}  // namespace

bool CountElements(Dims shape, int64_t* count) {
  int64_t product = 1;
  bool overflow = false;
  bool empty = false;
  for (int32_t i = 0; i < shape.rank; ++i) {
    const int64_t dim = shape.dims[i];
    empty |= dim == 0;
    // Detect overflow without a division, which would be the most expensive
    // check of a small call.
    overflow |= dim != 0 && (__builtin_mul_overflow(product, dim, &product) ||
                             product > kMaxElements);
  }
  *count = empty ? 0 : product;
  return empty || !overflow;
}

bool SameDims(Dims x, Dims y) {
  return x.rank == y.rank && std::equal(x.dims, x.dims + x.rank, y.dims);
}

lw_status Broadcast(const Label& label, Dims shape, lw_shape* out) {
  const Dims known = {out->dims, out->rank};
  if (SameDims(known, shape)) return LW_OK;
  const int32_t rank = std::max(known.rank, shape.rank);
  int64_t dims[LW_MAX_RANK];
  for (int32_t i = 1; i <= rank; ++i) {  // from the right
    const int64_t x = i <= known.rank ? known.dims[known.rank - i] : 1;
    const int64_t y = i <= shape.rank ? shape.dims[shape.rank - i] : 1;
    if (x != y && x != 1 && y != 1) {
      return Fail(label, LW_INVALID_SHAPE,
                  "shapes %s and %s do not broadcast: %" PRId64
                  " against %" PRId64 " in dim %d from the right",
                  ShapeText(known.dims, known.rank).c_str(),
                  ShapeText(shape.dims, shape.rank).c_str(), x, y, i);
    }
    dims[rank - i] = x == 1 ? y : x;
  }
  std::copy_n(dims, rank, out->dims);
  out->rank = rank;
  return LW_OK;
}

lw_status LegacyBroadcast(const Label& label, Dims a, Dims b, int64_t axis,
                          int32_t* offset) {
  *offset = 0;
  int64_t b_count = 0;
  const bool one_element = CountElements(b, &b_count) && b_count == 1;
  if (one_element && axis == -1) return LW_OK;

  if (axis < -1 || (!one_element && b.rank > a.rank) ||
      axis > std::max(0, a.rank - b.rank)) {
    return Fail(label, LW_INVALID_SHAPE,
                "B's shape %s at axis %" PRId64 " does not lie within A's %s",
                ShapeText(b.dims, b.rank).c_str(), axis,
                ShapeText(a.dims, a.rank).c_str());
  }
  *offset = axis < 0 ? a.rank - b.rank : static_cast<int32_t>(axis);
  // Leading and trailing ones of B may stretch; the dims between must match
  // A's.
  int32_t first = 0;
  int32_t last = b.rank;
  while (first < last && b.dims[first] == 1) ++first;
  while (last > first && b.dims[last - 1] == 1) --last;
  for (int32_t i = first; i < last; ++i) {
    if (b.dims[i] != a.dims[*offset + i]) {
      return Fail(label, LW_INVALID_SHAPE,
                  "B's shape %s is no contiguous run of A's %s at axis %d",
                  ShapeText(b.dims, b.rank).c_str(),
                  ShapeText(a.dims, a.rank).c_str(), *offset);
    }
  }
  return LW_OK;
}

lw_status ResolveTarget(const Label& label, Dims input, Dims target,
                        bool keeps_zeros, lw_shape* out) {
  const auto fail = [&](lw_status status, const char* why) {
    return Fail(label, status, "cannot reshape %s to %s: %s",
                ShapeText(input.dims, input.rank).c_str(),
                ShapeText(target.dims, target.rank).c_str(), why);
  };
  if (target.rank > LW_MAX_RANK) {
    return fail(LW_INVALID_SHAPE, "the rank exceeds LW_MAX_RANK");
  }
  out->rank = target.rank;
  int32_t inferred = -1;
  for (int32_t i = 0; i < target.rank; ++i) {
    const int64_t dim = target.dims[i];
    if (dim < -1) return fail(LW_INVALID_SHAPE, "a dim is below -1");
    if (dim == -1 && inferred >= 0) {
      return fail(LW_INVALID_SHAPE, "more than one dim is -1");
    }
    if (dim == -1) inferred = i;
    if (dim == 0 && !keeps_zeros && i >= input.rank) {
      return fail(LW_INVALID_SHAPE, "a 0 copies a dim that is not there");
    }
    out->dims[i] = dim == -1                  ? 1
                   : dim == 0 && !keeps_zeros ? input.dims[i]
                                              : dim;
  }

  int64_t from = 0;
  int64_t to = 0;
  if (!CountElements(input, &from) ||
      !CountElements({out->dims, out->rank}, &to)) {
    return fail(LW_SIZE_OVERFLOW, "the number of elements overflows");
  }
  if (inferred >= 0) {
    if (to == 0) {
      return fail(LW_INVALID_SHAPE, "-1 beside a 0 could be anything");
    }
    out->dims[inferred] = from / to;
    to *= from / to;
  }
  if (from != to) {
    return fail(LW_INVALID_SHAPE, "the number of elements differs");
  }
  return LW_OK;
}

lw_status FindReduced(const Label& label, Dims input,
                      std::span<const int64_t> axes, bool may_be_none,
                      uint64_t* reduced) {
  static_assert(LW_MAX_RANK <= 64);
  const int32_t rank = input.rank;
  *reduced = 0;
  if (axes.empty() && !may_be_none) {
    for (int32_t i = 0; i < rank; ++i) *reduced |= uint64_t{1} << i;
    return LW_OK;
  }
  const int64_t most = std::max(rank, 1);
  uint64_t seen = 0;
  for (const int64_t axis : axes) {
    if (axis < -most || axis >= most) {
      return Fail(label, LW_INVALID_SHAPE,
                  "axis %lld is none of %s, which has the rank %d",
                  static_cast<long long>(axis),
                  ShapeText(input.dims, rank).c_str(), rank);
    }
    const uint64_t bit = uint64_t{1} << (axis < 0 ? axis + most : axis);
    if ((seen & bit) != 0) {
      return Fail(label, LW_INVALID_SHAPE, "axis %lld is named twice",
                  static_cast<long long>(axis));
    }
    seen |= bit;
  }
  if (rank != 0) *reduced = seen;
  return LW_OK;
}

void TakeReducedShape(Dims input, uint64_t reduced, bool keeps_dims,
                      lw_shape* out) {
  out->rank = 0;
  for (int32_t i = 0; i < input.rank; ++i) {
    const bool is_reduced = (reduced >> i & 1) != 0;
    if (is_reduced && !keeps_dims) continue;
    out->dims[out->rank++] = is_reduced ? 1 : input.dims[i];
  }
}

}  // namespace lanewise
