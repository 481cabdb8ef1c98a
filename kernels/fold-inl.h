// SPDX-License-Identifier: Apache-2.0
//
// Kernels of operators with any number of inputs, from the left to the right. A
// single input is copied. A fold is a functor that takes the accumulator and
// one vector of the next input, and has two more functions:
//
//   auto Start(D d, V first) const;    // the accumulator
//   V Result(D d, Accumulator folded, size_t inputs) const;
//
// Calls with two inputs have the bits of the operator's kernels for two.

#if defined(LANEWISE_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_FOLD_INL_H_
#undef LANEWISE_KERNELS_FOLD_INL_H_
#else
#define LANEWISE_KERNELS_FOLD_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The fold whose steps are the functor of the kernels for two inputs.
template <class Fn>
struct StepByStep : Fn {
  template <class D, class V>
  HWY_INLINE V Start(D /*d*/, V first) const {
    return first;
  }
  template <class D, class V>
  HWY_INLINE V Result(D /*d*/, V folded, size_t /*inputs*/) const {
    return folded;
  }
};

/// One row. Each input has a stride of its own.
template <class Fn>
HWY_INLINE void FoldRow(const Job& job, size_t row) {
  using T = typename Fn::T;
  const LanesOf<Fn> d;
  const size_t N = hn::Lanes(d);
  const size_t n = job.n;
  const size_t inputs = job.setup->inputs;
  const Fn fn;
  const auto input = [&](size_t k) HWY_ATTR {
    return Striding<T>{InRow<T>(job, static_cast<int>(k), row),
                       job.setup->in_stride[k], T{Fn::kPadding}};
  };
  const auto fold = [&](const auto& load) HWY_ATTR {
    const auto first = load(input(0));
    if (inputs == 1) return first;
    auto folded = fn.Start(d, first);
    for (size_t k = 1; k < inputs; ++k) {
      folded = fn(d, folded, load(input(k)));
    }
    return fn.Result(d, folded, inputs);
  };
  T* out = OutRow<T>(job, row);
  // As in ComputeRow, the last vector overlaps the one before and is computed
  // up front.
  const size_t rest = HWY_MIN(n, N);
  const auto last =
      fold([&](auto in) HWY_ATTR { return in.LoadSome(d, n - rest, rest); });
  if (HWY_UNLIKELY(n <= N)) return hn::StoreN(last, d, out, n);
  for (size_t i = 0; i + N < n; i += N) {
    hn::StoreU(fold([&](auto in) HWY_ATTR { return in.Load(d, i); }), d,
               out + i);
  }
  hn::StoreU(last, d, out + n - N);
}

template <class Fn>
HWY_INLINE void FoldRows(const Job& job) {
  for (size_t row = 0; row < job.setup->rows; ++row) FoldRow<Fn>(job, row);
}
/// The kernel for kAnyStride of an operator with any number of inputs.
template <class Fn>
constexpr KernelFn Fold = Kernel<FoldRows<Fn>>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_FOLD_INL_H_
