// SPDX-License-Identifier: Apache-2.0
//
// Sums of elements, of magnitudes and of squares. A square is rounded before
// the addition, and each addition is rounded, so that all instruction sets give
// the same bits.

#if defined(LANEWISE_KERNELS_REDUCTION_SUMS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_SUMS_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_SUMS_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_SUMS_INL_H_
#endif

#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What sums share. `TForm` has floats or unsigned integers, which wrap.
template <class TForm>
struct Added : TForm {
  static constexpr typename TForm::A kIdentity = 0;
  static constexpr size_t kUnroll = kUsualUnroll;

  template <class D, class V>
  static HWY_INLINE V Combine(D /*d*/, V a, V b) {
    return hn::Add(a, b);
  }
};

template <typename T>
struct Values : Added<FormOf<T>> {
  using A = typename FormOf<T>::A;
  // -0.0 + x is x, also where x is -0.0.
  static constexpr A kIdentity = std::is_integral_v<A> ? A{0} : -A{0};

  template <class D, class V>
  static HWY_INLINE V Element(D /*d*/, V x) {
    return x;
  }
};

template <typename T>
using SumOf = Values<Signless<T>>;

template <typename T>
struct Magnitudes : Added<FormOf<Signless<T>>> {
  template <class D, class V>
  static HWY_INLINE V Element(D d, V x) {
    if constexpr (std::is_integral_v<T>) {
      const hn::RebindToSigned<D> di;
      return hn::BitCast(d, hn::Abs(hn::BitCast(di, x)));
    } else {
      return hn::Abs(x);
    }
  }
};
template <typename T>
using SumOfMagnitudes = hwy::If<std::is_unsigned_v<T>, SumOf<T>, Magnitudes<T>>;

template <typename T>
struct Squares : Added<FormOf<T>> {
  template <class D, class V>
  static HWY_INLINE V Element(D /*d*/, V x) {
    return hn::Mul(x, x);
  }
};
template <typename T>
using SumOfSquares = Squares<Signless<T>>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_SUMS_INL_H_
