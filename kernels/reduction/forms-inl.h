// SPDX-License-Identifier: Apache-2.0
//
// How the elements of each type become lanes of accumulators, and how results
// become elements:
//
//   FormOf<T>      as they are; 16-bit floats as float32
//   RealsOf<T>     the same, but integers as float64
//   Signless<T>    the unsigned integer of the same width, for kernels that
//                  both share

#if defined(LANEWISE_KERNELS_REDUCTION_FORMS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_FORMS_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_FORMS_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_FORMS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Elements that are accumulated as they are.
template <typename TElement>
struct AsIs {
  using T = TElement;
  using A = TElement;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  /// The lanes from n on are 0.
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n) {
    return hn::LoadN(d, p, n);
  }
  template <class D, class V>
  static HWY_INLINE void Store(D d, V v, T* p) {
    hn::StoreU(v, d, p);
  }
};

/// 16-bit floats as float32.
template <class Format>
struct Widened {
  using T = uint16_t;
  using A = float;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return Format::Widen(d, hn::LoadU(hn::Rebind<T, D>(), p));
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n) {
    return Format::Widen(d, hn::LoadN(hn::Rebind<T, D>(), p, n));
  }
  template <class D, class V>
  static HWY_INLINE void Store(D /*d*/, V v, T* p) {
    const hn::Rebind<T, D> d16;
    hn::StoreU(Format::Narrow(d16, v), d16, p);
  }
};

/// Integers as float64. Results are truncated; what T cannot hold becomes its
/// lowest or highest number, NaN the lowest.
template <typename TInteger>
struct AsDoubles {
  using T = TInteger;
  using A = double;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return Converted(d, hn::LoadU(hn::Rebind<T, D>(), p));
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n) {
    return Converted(d, hn::LoadN(hn::Rebind<T, D>(), p, n));
  }
  template <class D, class V>
  static HWY_INLINE void Store(D d, V v, T* p) {
    HWY_ALIGN double reals[HWY_MAX_LANES_D(D)];
    hn::Store(v, d, reals);
    for (size_t i = 0; i < hn::Lanes(d); ++i) p[i] = Truncated(reals[i]);
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::VFromD<D> Converted(D d, V v) {
    if constexpr (sizeof(T) == 8) {
      return hn::ConvertTo(d, v);
    } else {
      return hn::PromoteTo(d, v);
    }
  }
  static HWY_INLINE T Truncated(double x) {
    using Limits = std::numeric_limits<T>;
    // 2^31, 2^32, 2^63 or 2^64.
    constexpr double kEnd = 2.0 * (Limits::max() / 2 + 1);
    if (!(x > static_cast<double>(Limits::lowest()))) return Limits::lowest();
    return x < kEnd ? static_cast<T>(x) : Limits::max();
  }
};

template <typename T>
struct FormsOf {
  using AsElement = AsIs<T>;
  using AsReal = hwy::If<std::is_integral_v<T>, AsDoubles<T>, AsIs<T>>;
};
template <>
struct FormsOf<Float16> {
  using AsElement = Widened<Float16>;
  using AsReal = AsElement;
};
template <>
struct FormsOf<BFloat16> {
  using AsElement = Widened<BFloat16>;
  using AsReal = AsElement;
};
template <typename T>
using FormOf = typename FormsOf<T>::AsElement;
template <typename T>
using RealsOf = typename FormsOf<T>::AsReal;

template <typename T, bool kIsInteger = std::is_integral_v<T>>
struct SignlessOf {
  using Type = T;
};
template <typename T>
struct SignlessOf<T, true> {
  using Type = std::make_unsigned_t<T>;
};
template <typename T>
using Signless = typename SignlessOf<T>::Type;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_FORMS_INL_H_
