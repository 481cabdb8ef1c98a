// SPDX-License-Identifier: Apache-2.0
//
// Neg: y = -x
//
// Versions 1 (float16, float32, float64), 6 (+ int8, int16, int32, int64),
// 13 (+ bfloat16). Exact: the sign bit is flipped, also that of a NaN. The
// lowest integer stays what it is.

// Highway includes this file again for each instruction set. Standard headers
// go above this line, so that no instruction set leaks into their functions.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/neg.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_neg {
namespace {

// A functor: one vector in, one vector out. It never looks at other lanes, so
// an element's bits do not depend on the element's place or the job's length.
// Unsigned lanes are the bits of floats, signed lanes are integers.
template <typename TLane>
struct Negate {
  using T = TLane;
  static constexpr size_t kUnroll = 4;  // vectors in each iteration of the loop
  static constexpr T kPadding = 0;      // computed in lanes that nobody uses
  static constexpr bool kTakesHalves = true;  // short rows: half a vector

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_signed_v<T>) {
      return hn::Neg(x);
    } else {
      return hn::Xor(x, hn::Set(d, hwy::SignMask<T>()));
    }
  }
};

// The table: the version that lists a type first, the type, and its kernels.
// Each type needs a kernel for LW_SAME: Unary<Functor>, made of the shared
// loop. kUnaryPatterns adds a kernel that reads every second element in place,
// on the targets where that pays. Operators with more inputs may have kernels
// for other patterns, such as LW_SCALAR_B; the runtime gathers tiles for
// patterns without a kernel.
template <typename T>
constexpr auto& kNegate = kUnaryPatterns<Negate<T>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kNegate<uint16_t>}, {1, LW_FLOAT32, kNegate<uint32_t>},
    {1, LW_FLOAT64, kNegate<uint64_t>}, {6, LW_INT8, kNegate<int8_t>},
    {6, LW_INT16, kNegate<int16_t>},    {6, LW_INT32, kNegate<int32_t>},
    {6, LW_INT64, kNegate<int64_t>},    {13, LW_BFLOAT16, kNegate<uint16_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_neg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE  // what follows exists once, not once per instruction set
namespace lanewise::op_neg {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

// All that the runtime knows of the operator.
extern const Operator kOperator = {
    .name = "Neg",  // as ONNX spells it
    .versions = kVersions,
    .forms = kUnaryFormsX,  // inputs, shape rule and attributes, by version
    .output = {"Y"},
    .verified_opset = 28,  // the newest opset whose document was read
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_neg),
    .exact = true,  // every result is correctly rounded
};

}  // namespace lanewise::op_neg
#endif  // HWY_ONCE
