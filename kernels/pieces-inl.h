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

/// The centers of 8 intervals, and the coefficients about them, from the lowest
/// one on. Twice each, for vectors of 16 lanes.
template <size_t kRows>
struct Pieces {
  alignas(64) float rows[kRows][16];

  constexpr explicit Pieces(const float (&of)[kRows][8]) : rows() {
    for (size_t row = 0; row < kRows; ++row) {
      for (size_t i = 0; i < 16; ++i) rows[row][i] = of[row][i % 8];
    }
  }
};

/// Fast, where a permutation reaches whole vectors, and the target has FMA.
template <class Fast, class Usual>
using PiecesOr =
    hwy::If<exp_detail::TableBits<hn::ScalableTag<float>>() != 0, Fast, Usual>;

/// The function of x by the piece that the bits of `place` tell, without the
/// lowest kShift ones: place = scale * x + offset, so that intervals are
/// powers of two and parts of them.
template <int kShift, class D, class V, size_t kRows>
HWY_INLINE V ByPiece(D d, V x, V place, const Pieces<kRows>& pieces) {
  const hn::RebindToUnsigned<D> du;
  constexpr int kBits = exp_detail::TableBits<D>();
  const V piece =
      hn::BitCast(d, hn::ShiftRight<kShift>(hn::BitCast(du, place)));
  const auto take = [&](size_t row) HWY_ATTR {
    return exp_detail::Lookup<kBits>(d, pieces.rows[row], piece);
  };
  const V u = hn::Sub(x, take(0));
  V y = take(kRows - 1);
  HWY_UNROLL(16)
  for (size_t row = kRows - 2; row > 0; --row) y = hn::MulAdd(y, u, take(row));
  return y;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_PIECES_INL_H_
