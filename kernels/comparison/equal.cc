// SPDX-License-Identifier: Apache-2.0
//
// Equal: y = a == b, as a bool
//
// Versions 1, 7 (bool, int32, int64), 11 (+ the other integers, float16,
// float32, float64), 13 (+ bfloat16), 19 (+ string).
// Exact. A NaN equals nothing; -0 and +0 are equal. Strings are equal if their
// bytes are equal, or if the host's own function says so.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/equal.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_equal {
namespace {

template <typename TLane>
struct IsEqual {
  using T = TLane;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D /*d*/, V a, V b) const {
    return hn::Eq(a, b);
  }
};

template <int16_t kInfinity>
struct IsEqual16 {
  using T = int16_t;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V a, V b) const {
    KeepInRegister(a);
    KeepInRegister(b);
    // Equal bits are equal numbers. Other bits are equal only if they are
    // zeros.
    const auto same = hn::And(hn::Eq(a, b), AreNumbers16<kInfinity>(d, a, a));
    return hn::Or(same, hn::Eq(Magnitude16(d, hn::Or(a, b)), hn::Zero(d)));
  }
};

bool AreEqual(const lw_string& a, const lw_string& b) {
  return a.size == b.size &&
         (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

HWY_INLINE void EqualStrings(const Job& job) {
  const lw_string_type& host = *job.setup->strings;
  const bool is_host = host.equal != nullptr;
  const size_t size = is_host ? host.element_size : sizeof(lw_string);
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const char* a = InRow<char>(job, 0, row);
    const char* b = InRow<char>(job, 1, row);
    auto* out = OutRow<uint8_t>(job, row);
    for (size_t i = 0; i < job.n; ++i, a += size, b += size) {
      out[i] = is_host ? host.equal(host.context, a, b) != 0
                       : AreEqual(*reinterpret_cast<const lw_string*>(a),
                                  *reinterpret_cast<const lw_string*>(b));
    }
  }
}

// Signed and unsigned integers, and bools, are equal if their bits are equal.
template <typename T>
constexpr auto& kEqual = kComparePatterns<IsEqual<T>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_BOOL, kEqual<uint8_t>},
    {1, LW_INT32, kEqual<uint32_t>},
    {1, LW_INT64, kEqual<uint64_t>},
    {11, LW_FLOAT16, kComparePatterns<IsEqual16<0x7C00>>},
    {11, LW_FLOAT32, kEqual<float>},
    {11, LW_FLOAT64, kEqual<double>},
    {11, LW_INT8, kEqual<uint8_t>},
    {11, LW_INT16, kEqual<uint16_t>},
    {11, LW_UINT8, kEqual<uint8_t>},
    {11, LW_UINT16, kEqual<uint16_t>},
    {11, LW_UINT32, kEqual<uint32_t>},
    {11, LW_UINT64, kEqual<uint64_t>},
    {13, LW_BFLOAT16, kComparePatterns<IsEqual16<0x7F80>>},
    {19, LW_STRING, kOnlySame<Kernel<EqualStrings>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_equal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_equal {
namespace {

constexpr int kVersions[] = {1, 7, 11, 13, 19};

}  // namespace

extern const Operator kOperator = {
    .name = "Equal",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_equal),
    .strings = StringUse::kCompares,
    .exact = true,
};

}  // namespace lanewise::op_equal
#endif  // HWY_ONCE
