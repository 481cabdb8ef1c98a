// SPDX-License-Identifier: Apache-2.0
//
// Steps that belong to no operator: to load, to store, to end.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/step.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/steps.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/float16-inl.h"
#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "kernels/steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_steps {
namespace {

template <size_t... k>
LANEWISE_STEP void LoadStep(const Step* step, const StepFrame* frame, size_t i,
                            StepVectorAt<k>... /*v*/) {
  const char* p = StepPlace(step, frame, i);
  if (step->is_spread) {
    const StepV one = StepOperand<0>(p);
    return NextStep(step, frame, i, (static_cast<void>(k), one)...);
  }
  NextStep(step, frame, i, StepOperand<k>(p)...);
}

template <size_t... k>
LANEWISE_STEP void StoreStep(const Step* step, const StepFrame* frame, size_t i,
                             StepVectorAt<k>... v) {
  const StepD d;
  auto* p = reinterpret_cast<uint8_t*>(StepPlace(step, frame, i));
  if (HWY_UNLIKELY(frame->stream && step->functor[0] != 0)) {
    (hn::Stream(v, d, p + k * hn::Lanes(d)), ...);
  } else {
    (hn::StoreU(v, d, p + k * hn::Lanes(d)), ...);
  }
  NextStep(step, frame, i, v...);
}

/// Where the bytes of the elements lie whose lanes start at byte i.
template <class D>
uint8_t* BytesPlace(D /*d*/, const Step* step, const StepFrame* frame,
                    size_t i) {
  return reinterpret_cast<uint8_t*>(frame->at[step->place]) +
         (i & step->mask) / sizeof(hn::TFromD<D>);
}

/// Lanes that are full of copies of a byte.
template <class D>
HWY_INLINE StepV LoadBytes(D d, const uint8_t* bytes) {
  using T = hn::TFromD<D>;
  auto v = hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, D>(), bytes));
  v = hn::Or(v, hn::ShiftLeft<8>(v));
  if constexpr (sizeof(T) >= 4) v = hn::Or(v, hn::ShiftLeft<16>(v));
  if constexpr (sizeof(T) == 8) v = hn::Or(v, hn::ShiftLeft<32>(v));
  return hn::BitCast(StepD(), v);
}
template <typename T, size_t... k>
LANEWISE_STEP void LoadBytesStep(const Step* step, const StepFrame* frame,
                                 size_t i, StepVectorAt<k>... /*v*/) {
  const hn::ScalableTag<T> d;
  const uint8_t* p = BytesPlace(d, step, frame, i);
  NextStep(step, frame, i, LoadBytes(d, p + k * hn::Lanes(d))...);
}

template <typename T, size_t... k>
LANEWISE_STEP void StoreBytesStep(const Step* step, const StepFrame* frame,
                                  size_t i, StepVectorAt<k>... v) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<uint8_t, decltype(d)> narrow;
  uint8_t* p = BytesPlace(d, step, frame, i);
  (hn::StoreU(hn::TruncateTo(narrow, hn::BitCast(d, v)), narrow,
              p + k * hn::Lanes(d)),
   ...);
  NextStep(step, frame, i, v...);
}

/// Where the 16-bit floats lie whose lanes start at byte i.
uint16_t* HalfPlace(const Step* step, const StepFrame* frame, size_t i) {
  return reinterpret_cast<uint16_t*>(frame->at[step->place] +
                                     (i & step->mask) / 2);
}
template <class Format, size_t... k>
LANEWISE_STEP void LoadHalfStep(const Step* step, const StepFrame* frame,
                                size_t i, StepVectorAt<k>... /*v*/) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const uint16_t* p = HalfPlace(step, frame, i);
  const auto load = [&](size_t at) HWY_ATTR {
    return hn::BitCast(StepD(), Format::Widen(d, hn::LoadU(d16, p + at)));
  };
  NextStep(step, frame, i, load(k * hn::Lanes(d))...);
}

template <class Format>
HWY_INLINE void StoreHalves(uint16_t* /*p*/, bool /*stream*/) {}
template <class Format, class... Rest>
HWY_INLINE void StoreHalves(uint16_t* p, bool stream, StepV lower, StepV upper,
                            Rest... rest) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<uint16_t> d16;
  const auto both =
      Format::JoinInOrder(d16, hn::BitCast(d, lower), hn::BitCast(d, upper));
  if (HWY_UNLIKELY(stream)) {
    hn::Stream(both, d16, p);
  } else {
    hn::StoreU(both, d16, p);
  }
  StoreHalves<Format>(p + hn::Lanes(d16), stream, rest...);
}
template <class Format, size_t... k>
LANEWISE_STEP void StoreHalfStep(const Step* step, const StepFrame* frame,
                                 size_t i, StepVectorAt<k>... v) {
  StoreHalves<Format>(HalfPlace(step, frame, i),
                      frame->stream && step->functor[0] != 0, v...);
  NextStep(step, frame, i, v...);
}

template <size_t... k>
LANEWISE_STEP void EndStep(const Step* /*step*/, const StepFrame* /*frame*/,
                           size_t /*i*/, StepVectorAt<k>... /*v*/) {}

template <size_t... k>
HWY_INLINE void RunBlocks(std::index_sequence<k...> /*vectors*/,
                          const Step* first, const StepFrame* frame,
                          size_t begin, size_t end) {
  const StepD d;
  const StepV none = hn::Zero(d);
  const size_t block = kStepVectors * hn::Lanes(d);
  const auto code = reinterpret_cast<TypedStepCode>(first->code);
  for (size_t i = begin; i < end; i += block) {
    code(first, frame, i, (static_cast<void>(k), none)...);
  }
}
void RunSteps(const Step* first, const StepFrame* frame, size_t begin,
              size_t end) {
  RunBlocks(StepIndexes(), first, frame, begin, end);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  // Compilers do not see that the steps leave the upper halves of registers in
  // use, which slows the host's SSE code down on some CPUs.
  _mm256_zeroupper();
#endif
}

template <typename T>
void SpreadLanes(const void* element, char* vector) {
  const hn::ScalableTag<T> d;
  T value;
  std::memcpy(&value, element, sizeof(value));
  hn::StoreU(hn::BitCast(StepD(), hn::Set(d, value)), StepD(),
             reinterpret_cast<uint8_t*>(vector));
}
void SpreadElement(const void* element, size_t size, char* vector) {
  switch (size) {
    case 1:
      return SpreadLanes<uint8_t>(element, vector);
    case 2:
      return SpreadLanes<uint16_t>(element, vector);
    case 4:
      return SpreadLanes<uint32_t>(element, vector);
    default:
      return SpreadLanes<uint64_t>(element, vector);
  }
}

template <class Format>
void SpreadHalf(const void* element, char* vector) {
  const hn::ScalableTag<float> d;
  uint16_t bits;
  std::memcpy(&bits, element, sizeof(bits));
  const auto halves = hn::Set(hn::Rebind<uint16_t, decltype(d)>(), bits);
  hn::StoreU(hn::BitCast(StepD(), Format::Widen(d, halves)), StepD(),
             reinterpret_cast<uint8_t*>(vector));
}

template <class Format, size_t... k>
void AddHalf(Half half, CommonSteps* steps) {
  const auto at = static_cast<size_t>(half);
  steps->load_half[at] = CodeOf(LoadHalfStep<Format, k...>);
  steps->store_half[at] = CodeOf(StoreHalfStep<Format, k...>);
  steps->spread_half[at] = SpreadHalf<Format>;
}
template <size_t... k>
CommonSteps MakeSteps(std::index_sequence<k...> /*vectors*/) {
  CommonSteps steps = {CodeOf(LoadStep<k...>),
                       CodeOf(StoreStep<k...>),
                       CodeOf(EndStep<k...>),
                       {CodeOf(LoadBytesStep<uint16_t, k...>),
                        CodeOf(LoadBytesStep<uint32_t, k...>),
                        CodeOf(LoadBytesStep<uint64_t, k...>)},
                       {CodeOf(StoreBytesStep<uint16_t, k...>),
                        CodeOf(StoreBytesStep<uint32_t, k...>),
                        CodeOf(StoreBytesStep<uint64_t, k...>)},
                       {},
                       {},
                       RunSteps,
                       SpreadElement,
                       {},
                       hn::Lanes(StepD())};
  AddHalf<BFloat16, k...>(Half::kBFloat16, &steps);
  // Without instructions, a conversion is too long for a step.
#if LANEWISE_F16_INSTRUCTIONS
  AddHalf<Float16, k...>(Half::kFloat16, &steps);
#endif
  return steps;
}
TargetKernels Kernels() {
  static const CommonSteps steps = MakeSteps(StepIndexes());
  return {HWY_TARGET, {}, &steps};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_steps
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {

const CommonSteps& CommonStepsOn(int64_t targets) {
  return *LANEWISE_KERNELS(op_steps)(targets).steps;
}

}  // namespace lanewise
#endif  // HWY_ONCE
