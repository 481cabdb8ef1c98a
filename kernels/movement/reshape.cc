// SPDX-License-Identifier: Apache-2.0
//
// Reshape: the elements of the input, in order, under another shape.
//
// Versions 1 (float16, float32, float64), 5 (+ all integers, bool, complex64,
// complex128, string), 13 (+ bfloat16), 14, 19 (+ four float8 types),
// 21 (+ int4, uint4), 23 (+ float4e2m1), 24 (+ float8e8m0), 25 (+ int2, uint2).
// The kernel copies. It is not called if input and output share memory. Only
// the size of a type matters.

#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/movement/reshape.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reshape {
namespace {

template <typename TLanes>
struct Identity {
  using T = TLanes;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

/// Copies elements of kBits; packed elements as whole bytes. The C library's
/// copy is tuned for every CPU, as long as the output stays in the caches.
template <size_t kBits>
HWY_INLINE lw_status Copy(const Job& job) {
  Job bytes = job;
  bytes.n = kBits >= 8 ? job.n * (kBits / 8) : (job.n * kBits + 7) / 8;
  if (HWY_UNLIKELY(job.setup->stream)) {
    return RunJob(Unary<Identity<uint8_t>>, bytes);
  }
  ForEachRow<1>(bytes, [](char* out, size_t n, const char* const* in)
                           HWY_ATTR { std::memmove(out, in[0], n); });
  return LW_OK;
}

/// Rows of every second element are read in place so that long rows are stored
/// past the caches.
template <size_t kBits>
constexpr PatternKernel kOnLanes[] = {
    {LW_SAME, Kernel<Copy<kBits>>}, Strided<kAllReadStrided>([](auto any) {
      return Unary<Identity<hwy::UnsignedFromSize<kBits / 8>>, any>;
    })};

/// Elements of the host's string type are values that only the host can copy.
HWY_INLINE lw_status CopyStrings(const Job& job) {
  const lw_string_type& strings = *job.setup->strings;
  if (strings.copy == nullptr) return Copy<8 * sizeof(lw_string)>(job);
  ForEachRow<1>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    strings.copy(strings.context, out, in[0], n);
  });
  return LW_OK;
}

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kOnLanes<16>},
    {1, LW_FLOAT32, kOnLanes<32>},
    {1, LW_FLOAT64, kOnLanes<64>},
    {5, LW_INT8, kOnLanes<8>},
    {5, LW_INT16, kOnLanes<16>},
    {5, LW_INT32, kOnLanes<32>},
    {5, LW_INT64, kOnLanes<64>},
    {5, LW_UINT8, kOnLanes<8>},
    {5, LW_UINT16, kOnLanes<16>},
    {5, LW_UINT32, kOnLanes<32>},
    {5, LW_UINT64, kOnLanes<64>},
    {5, LW_BOOL, kOnLanes<8>},
    {5, LW_COMPLEX64, kOnlySame<Kernel<Copy<64>>>},
    {5, LW_COMPLEX128, kOnlySame<Kernel<Copy<128>>>},
    {5, LW_STRING, kOnlySame<Kernel<CopyStrings>>},
    {13, LW_BFLOAT16, kOnLanes<16>},
    {19, LW_FLOAT8E4M3FN, kOnLanes<8>},
    {19, LW_FLOAT8E4M3FNUZ, kOnLanes<8>},
    {19, LW_FLOAT8E5M2, kOnLanes<8>},
    {19, LW_FLOAT8E5M2FNUZ, kOnLanes<8>},
    {21, LW_INT4, kOnlySame<Kernel<Copy<4>>>},
    {21, LW_UINT4, kOnlySame<Kernel<Copy<4>>>},
    {23, LW_FLOAT4E2M1, kOnlySame<Kernel<Copy<4>>>},
    {24, LW_FLOAT8E8M0, kOnLanes<8>},
    {25, LW_INT2, kOnlySame<Kernel<Copy<2>>>},
    {25, LW_UINT2, kOnlySame<Kernel<Copy<2>>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reshape
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reshape {
namespace {

constexpr int kVersions[] = {1, 5, 13, 14, 19, 21, 23, 24, 25};

constexpr OperandInfo kData[] = {{"data"}};
constexpr OperandInfo kDataAndShape[] = {
    {"data"}, {"shape", Role::kShape, false, "tensor(int64)", LW_INT64}};
constexpr AttributeInfo kShape[] = {
    {"shape", LW_ATTRIBUTE_INTS, Meaning::kTargetShape, true}, kConsumedInputs};
constexpr AttributeInfo kAllowZero[] = {
    {"allowzero", LW_ATTRIBUTE_INT, Meaning::kKeepZeros}};
constexpr Form kForms[] = {{1, kData, ShapeRule::kTarget, kShape},
                           {5, kDataAndShape, ShapeRule::kTarget},
                           {14, kDataAndShape, ShapeRule::kTarget, kAllowZero}};

}  // namespace

extern const Operator kOperator = {
    .name = "Reshape",
    .versions = kVersions,
    .forms = kForms,
    .output = {"reshaped"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reshape),
    .moves_only = true,
    .exact = true,
};

}  // namespace lanewise::op_reshape
#endif  // HWY_ONCE
