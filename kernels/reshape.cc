// SPDX-License-Identifier: Apache-2.0
//
// Reshape: the elements of the input, in order, under another shape.
//
// Versions 1 (float16, float32, float64), 5 (+ all integers, bool, complex64,
// complex128, string), 13 (+ bfloat16), 14, 19 (+ four float8 types),
// 21 (+ int4, uint4), 23 (+ float4e2m1), 24 (+ float8e8m0), 25 (+ int2, uint2).
// The kernel is a copy for where input and output do not share memory; bytes
// are bytes, so the types differ in nothing but their size.

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reshape.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

struct Identity {
  using T = uint8_t;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

HWY_NOINLINE void StreamBytes(Job bytes, size_t n) {
  bytes.n = n;
  Unary<Identity>(bytes);
}

/// Copies elements of kBits; packed ones as whole bytes. The C library's copy
/// is tuned for every CPU, as long as the output stays in the caches.
template <size_t kBits>
void Copy(Job& job) {
  const size_t n = kBits >= 8 ? job.n * (kBits / 8) : (job.n * kBits + 7) / 8;
  if (HWY_UNLIKELY(job.stream)) return StreamBytes(job, n);
  if (HWY_LIKELY(job.rows == 1)) {
    std::memmove(job.out, job.a, n);
    return;
  }
  for (size_t row = 0; row < job.rows; ++row) {
    std::memmove(Row<char>(job.out, job.out_step, row),
                 Row<char>(job.a, job.a_step, row), n);
  }
}

constexpr KernelRow kRows[] = {
    {1, LW_FLOAT16, LW_SAME, Copy<16>},
    {1, LW_FLOAT32, LW_SAME, Copy<32>},
    {1, LW_FLOAT64, LW_SAME, Copy<64>},
    {5, LW_INT8, LW_SAME, Copy<8>},
    {5, LW_INT16, LW_SAME, Copy<16>},
    {5, LW_INT32, LW_SAME, Copy<32>},
    {5, LW_INT64, LW_SAME, Copy<64>},
    {5, LW_UINT8, LW_SAME, Copy<8>},
    {5, LW_UINT16, LW_SAME, Copy<16>},
    {5, LW_UINT32, LW_SAME, Copy<32>},
    {5, LW_UINT64, LW_SAME, Copy<64>},
    {5, LW_BOOL, LW_SAME, Copy<8>},
    {5, LW_COMPLEX64, LW_SAME, Copy<64>},
    {5, LW_COMPLEX128, LW_SAME, Copy<128>},
    {5, LW_STRING, LW_SAME, Copy<8 * sizeof(lw_string)>},
    {13, LW_BFLOAT16, LW_SAME, Copy<16>},
    {19, LW_FLOAT8E4M3FN, LW_SAME, Copy<8>},
    {19, LW_FLOAT8E4M3FNUZ, LW_SAME, Copy<8>},
    {19, LW_FLOAT8E5M2, LW_SAME, Copy<8>},
    {19, LW_FLOAT8E5M2FNUZ, LW_SAME, Copy<8>},
    {21, LW_INT4, LW_SAME, Copy<4>},
    {21, LW_UINT4, LW_SAME, Copy<4>},
    {23, LW_FLOAT4E2M1, LW_SAME, Copy<4>},
    {24, LW_FLOAT8E8M0, LW_SAME, Copy<8>},
    {25, LW_INT2, LW_SAME, Copy<2>},
    {25, LW_UINT2, LW_SAME, Copy<2>},
};
KernelRows Rows() { return kRows; }

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Rows);
constexpr int kVersions[] = {1, 5, 13, 14, 19, 21, 23, 24, 25};

}  // namespace

extern const Operator kOperator_reshape = {
    "Reshape", kVersions, Form::kReshape, Work::kMemory,
    [](int64_t target) { return OnTarget(HWY_DISPATCH_TABLE(Rows), target); }};

}  // namespace lanewise
#endif  // HWY_ONCE
