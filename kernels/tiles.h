// SPDX-License-Identifier: Apache-2.0
//
// Moving elements between memory that is not contiguous and tiles that are.

#ifndef LANEWISE_KERNELS_TILES_H_
#define LANEWISE_KERNELS_TILES_H_

#include <cstddef>
#include <cstdint>

namespace lanewise {

/// `count` rows in memory, `step` bytes apart, of `length` elements that are
/// `stride` elements apart. In the tile they follow each other.
struct TileRows {
  char* memory;
  ptrdiff_t step;
  size_t count;
  ptrdiff_t stride;
  size_t length;
};

using TileMove = void (*)(TileRows rows, char* tile);

/// Gathering may read what lies between the elements of a row, but no byte
/// before the first element nor behind the last one; scattering writes no byte
/// but the elements'. Neither expects more alignment than a byte's.
struct TileMoves {
  TileMove gather;
  TileMove scatter;
};

/// Those of one Highway target, for elements of 1, 2, 4, 8 and 16 bytes.
const TileMoves* TileMovesOn(int64_t target);

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_TILES_H_
