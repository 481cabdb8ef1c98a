// SPDX-License-Identifier: Apache-2.0
//
// Functions of floats as polynomials by pieces, for fast engines: an argument's
// interval tells the coefficients, which a permutation takes from registers. In
// short intervals a short polynomial suffices, and nearly all of its value is
// its first coefficient, so that it hardly errs.

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/exponential/exp-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_PIECES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_PIECES_INL_H_
#undef LANEWISE_KERNELS_PIECES_INL_H_
#else
#define LANEWISE_KERNELS_PIECES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Rows of 8 numbers, one for each interval. Twice, for vectors of 16 lanes.
template <size_t kRows>
struct Pieces {
  alignas(64) float rows[kRows][16];

  constexpr explicit Pieces(const float (&of)[kRows][8]) : rows() {
    for (size_t row = 0; row < kRows; ++row) {
      for (size_t i = 0; i < 16; ++i) rows[row][i] = of[row][i % 8];
    }
  }

  /// The numbers of a row that the low bits of `piece` tell.
  template <class D, class V>
  HWY_INLINE V Pick(D d, size_t row, V piece) const {
    return exp_detail::Lookup<exp_detail::TableBits<D>()>(d, rows[row], piece);
  }
};

/// Fast, where a permutation reaches whole vectors, and the target has FMA.
template <class Fast, class Usual>
using PiecesOr =
    hwy::If<exp_detail::TableBits<hn::ScalableTag<float>>() != 0, Fast, Usual>;

/// The function of x whose intervals have their centers in the first row, and
/// coefficients in the others, from the lowest one on. The bits of `place` tell
/// the interval, without the lowest kShift ones: place = scale * x + offset, so
/// that intervals are powers of two and parts of them.
template <int kShift, class D, class V, size_t kRows>
HWY_INLINE V ByPiece(D d, V x, V place, const Pieces<kRows>& pieces) {
  const hn::RebindToUnsigned<D> du;
  const V piece =
      hn::BitCast(d, hn::ShiftRight<kShift>(hn::BitCast(du, place)));
  const V u = hn::Sub(x, pieces.Pick(d, 0, piece));
  V y = pieces.Pick(d, kRows - 1, piece);
  HWY_UNROLL(16)
  for (size_t row = kRows - 2; row > 0; --row) {
    y = hn::MulAdd(y, u, pieces.Pick(d, row, piece));
  }
  return y;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_PIECES_INL_H_
