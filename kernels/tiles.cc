// SPDX-License-Identifier: Apache-2.0

#include "kernels/tiles.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tiles.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "hwy/highway.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// An element of 16 bytes. Highway has no lanes of this size.
struct Wide {
  uint64_t words[2];
};
template <typename T>
constexpr bool kHasLanes = sizeof(T) <= sizeof(uint64_t);

// complex64 is aligned to half its size only, and some CPUs require more for
// 64-bit lanes. Access by bytes needs no alignment.
template <class D>
HWY_INLINE hn::VFromD<D> LoadAnywhere(D d, const char* from) {
  const hn::Repartition<uint8_t, D> d8;
  return hn::BitCast(d, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(from)));
}
template <class D, class V>
HWY_INLINE void StoreAnywhere(D /*d*/, V v, char* to) {
  const hn::Repartition<uint8_t, D> d8;
  hn::StoreU(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to));
}

/// Copies fewer than 16 bytes between buffers that do not overlap, as two
/// pieces that may overlap each other. A call to memcpy is slower.
HWY_INLINE void CopyPiece(char* to, const char* from, size_t bytes) {
  const auto ends = [=](auto piece) HWY_ATTR {
    std::memcpy(&piece, from, sizeof(piece));
    decltype(piece) last;
    std::memcpy(&last, from + bytes - sizeof(last), sizeof(last));
    std::memcpy(to, &piece, sizeof(piece));
    std::memcpy(to + bytes - sizeof(last), &last, sizeof(last));
  };
  if (bytes >= 8) return ends(uint64_t{});
  if (bytes >= 4) return ends(uint32_t{});
  if (bytes >= 2) return ends(uint16_t{});
  if (bytes == 1) *to = *from;
}

HWY_INLINE void CopyRun(char* to, const char* from, size_t bytes) {
  if (bytes < 16) return CopyPiece(to, from, bytes);
  if (bytes > 256) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (size_t i = 0; i + 16 < bytes; i += 16) {
    std::memcpy(to + i, from + i, 16);
  }
  std::memcpy(to + bytes - 16, from + bytes - 16, 16);
}

/// Calls move(memory, tile) for each row.
template <typename T, class Move>
HWY_INLINE void ForEachRow(const TileRows& rows, char* tile, const Move& move) {
  char* memory = rows.memory;
  for (size_t i = 0; i < rows.count; ++i) {
    move(memory, tile);
    memory += rows.step;
    tile += rows.length * sizeof(T);
  }
}

/// Leaves out the rows that are done.
template <typename T>
HWY_INLINE void SkipRows(size_t done, TileRows* rows, char** tile) {
  rows->memory += rows->step * static_cast<ptrdiff_t>(done);
  rows->count -= done;
  *tile += done * rows->length * sizeof(T);
}

/// Repeats the single element of each row `length` times. If a row is shorter
/// than a vector, a whole vector is stored anyway, as long as it stays within
/// the tile: the next row overwrites the excess.
template <class D>
HWY_INLINE void SpreadBy(D d, TileRows rows, char* tile) {
  using T = hn::TFromD<D>;
  const size_t N = hn::Lanes(d);
  const size_t length = rows.length;
  const auto element = [](const char* memory) HWY_ATTR {
    T value;
    std::memcpy(&value, memory, sizeof(T));
    return value;
  };
  if (length > N) {
    return ForEachRow<T>(rows, tile,
                         [=](const char* memory, char* at) HWY_ATTR {
                           const auto v = hn::Set(d, element(memory));
                           for (size_t i = 0; i + N < length; i += N) {
                             StoreAnywhere(d, v, at + i * sizeof(T));
                           }
                           StoreAnywhere(d, v, at + (length - N) * sizeof(T));
                         });
  }
  const size_t all = rows.count;
  rows.count = all * length < N ? 0 : (all * length - N) / length + 1;
  ForEachRow<T>(rows, tile, [=](const char* memory, char* at) HWY_ATTR {
    StoreAnywhere(d, hn::Set(d, element(memory)), at);
  });
  rows.memory += rows.step * static_cast<ptrdiff_t>(rows.count);
  tile += rows.count * length * sizeof(T);
  rows.count = all - rows.count;
  ForEachRow<T>(rows, tile, [=](const char* memory, char* at) HWY_ATTR {
    for (size_t i = 0; i < length; ++i) {
      std::memcpy(at + i * sizeof(T), memory, sizeof(T));
    }
  });
}

/// Whether lanes are looked up by one instruction or a few.
constexpr bool kLookupsAreQuick = !HWY_ARCH_X86 || HWY_TARGET < HWY_SSE2;

/// Whether a vector has at least two rows of 2, 4, 8 ... elements, and lanes
/// can count all elements.
template <class D>
HWY_INLINE bool SuitsLookup(D d, size_t length) {
  const size_t N = hn::Lanes(d);
  return length > 1 && (length & (length - 1)) == 0 && 2 * length <= N &&
         N % length == 0 && (sizeof(hn::TFromD<D>) > 1 || N <= 256);
}

/// Spreads unsigned elements that lie side by side over rows, several rows to a
/// vector: one vector of elements makes as many vectors of rows as a row has
/// elements. Returns how many rows are done: the last elements are fewer than a
/// vector.
template <class D>
HWY_INLINE size_t SpreadByLookup(D d, const TileRows& rows, char* tile) {
  const size_t N = hn::Lanes(d);
  const size_t length = rows.length;
  const size_t per_vector = N / length;
  using T = hn::TFromD<D>;
  const auto first = hn::ShiftRightSame(
      hn::Iota(d, 0),
      static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero64(length)));
  size_t done = 0;
  for (; done + N <= rows.count; done += N) {
    const auto elements = LoadAnywhere(d, rows.memory + done * sizeof(T));
    for (size_t from = 0; from < N; from += per_vector) {
      const auto at = hn::Add(first, hn::Set(d, static_cast<T>(from)));
      StoreAnywhere(
          d, hn::TableLookupLanes(elements, hn::IndicesFromVec(d, at)), tile);
      tile += N * sizeof(T);
    }
  }
  return done;
}

/// Repeats an element of 16 bytes, by whole vectors.
HWY_INLINE void Repeat(const Wide& element, size_t length, char* at) {
  size_t i = 0;
  const hn::ScalableTag<uint64_t> d;
  const size_t N = hn::Lanes(d) / 2;  // elements of a vector
  const auto v = hn::LoadDup128(d, element.words);
  for (; i + N <= length; i += N) StoreAnywhere(d, v, at + i * sizeof(Wide));
  for (; i < length; ++i) {
    std::memcpy(at + i * sizeof(Wide), &element, sizeof(Wide));
  }
}

template <typename T>
void Spread(TileRows rows, char* tile) {
  if constexpr (kHasLanes<T> && kLookupsAreQuick) {
    const hn::ScalableTag<hwy::UnsignedFromSize<sizeof(T)>> d;
    if (rows.step == ptrdiff_t{sizeof(T)} && SuitsLookup(d, rows.length)) {
      const size_t done = SpreadByLookup(d, rows, tile);
      SkipRows<T>(done, &rows, &tile);
    }
  }
  if constexpr (kHasLanes<T>) {
    const size_t bytes = rows.length * sizeof(T);
    if (bytes <= 16) {
      return SpreadBy(hn::CappedTag<T, 16 / sizeof(T)>(), rows, tile);
    }
    if (bytes <= 32) {
      return SpreadBy(hn::CappedTag<T, 32 / sizeof(T)>(), rows, tile);
    }
    SpreadBy(hn::ScalableTag<T>(), rows, tile);
  } else {
    const size_t length = rows.length;
    ForEachRow<T>(rows, tile, [=](const char* memory, char* at) HWY_ATTR {
      alignas(16) T element;
      std::memcpy(&element, memory, sizeof(T));
      Repeat(element, length, at);
    });
  }
}

template <typename T, bool kGathers>
HWY_INLINE void MoveStrided(char* memory, ptrdiff_t stride, size_t length,
                            char* tile) {
  const ptrdiff_t step = stride * static_cast<ptrdiff_t>(sizeof(T));
  for (size_t i = 0; i < length; ++i) {
    std::memcpy(kGathers ? tile : memory, kGathers ? memory : tile, sizeof(T));
    memory += step;
    tile += sizeof(T);
  }
}

/// Reads the elements in between as well and drops them.
template <typename T>
HWY_INLINE void GatherEverySecond(char* memory, size_t length, char* tile) {
  size_t i = 0;
  if constexpr (kHasLanes<T>) {
    const hn::ScalableTag<T> d;
    const size_t N = hn::Lanes(d);
    for (; i + N < length; i += N) {
      const char* from = memory + 2 * i * sizeof(T);
      const auto first = LoadAnywhere(d, from);
      const auto second = LoadAnywhere(d, from + N * sizeof(T));
      StoreAnywhere(d, hn::ConcatEven(d, second, first), tile + i * sizeof(T));
    }
  }
  MoveStrided<T, true>(memory + 2 * i * sizeof(T), 2, length - i,
                       tile + i * sizeof(T));
}

/// Gathers four rows of elements of 4 bytes, or two of 8 bytes, which lie side
/// by side: as many elements of each row as there are rows.
template <typename T>
HWY_INLINE void GatherSquare(const char* memory, ptrdiff_t step, char* tile,
                             size_t row) {
  const hn::FixedTag<uint64_t, 2> d64;
  if constexpr (sizeof(T) == 8) {
    const auto a = LoadAnywhere(d64, memory);
    const auto b = LoadAnywhere(d64, memory + step);
    StoreAnywhere(d64, hn::InterleaveLower(d64, a, b), tile);
    StoreAnywhere(d64, hn::InterleaveUpper(d64, a, b), tile + row);
  } else {
    const hn::FixedTag<uint32_t, 4> d;
    const auto a = LoadAnywhere(d, memory);
    const auto b = LoadAnywhere(d, memory + step);
    const auto c = LoadAnywhere(d, memory + 2 * step);
    const auto e = LoadAnywhere(d, memory + 3 * step);
    const auto ab = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
    const auto ce = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
    const auto upper_ab = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
    const auto upper_ce = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
    StoreAnywhere(d64, hn::InterleaveLower(d64, ab, ce), tile);
    StoreAnywhere(d64, hn::InterleaveUpper(d64, ab, ce), tile + row);
    StoreAnywhere(d64, hn::InterleaveLower(d64, upper_ab, upper_ce),
                  tile + 2 * row);
    StoreAnywhere(d64, hn::InterleaveUpper(d64, upper_ab, upper_ce),
                  tile + 3 * row);
  }
}

/// Whether GatherSquare has code for an element, and how many rows it takes.
template <typename T>
constexpr bool kHasSquares = HWY_TARGET != HWY_SCALAR &&
                             (sizeof(T) == 4 || sizeof(T) == 8);
template <typename T>
constexpr size_t kSquareRows = 16 / sizeof(T);

/// Gathers rows that lie side by side: those of a transposed operand. Returns
/// how many rows are done.
template <typename T>
HWY_INLINE size_t GatherTransposed(const TileRows& rows, char* tile) {
  constexpr size_t kRows = kSquareRows<T>;
  const size_t bytes = rows.length * sizeof(T);
  const size_t whole = rows.length / kRows * kRows;
  const ptrdiff_t step = rows.stride * ptrdiff_t{sizeof(T)};
  size_t done = 0;
  for (; done + kRows <= rows.count; done += kRows) {
    char* from = rows.memory + done * sizeof(T);
    char* to = tile + done * bytes;
    for (size_t i = 0; i < whole; i += kRows) {
      GatherSquare<T>(from, step, to + i * sizeof(T), bytes);
      from += ptrdiff_t{kRows} * step;
    }
    for (size_t r = 0; whole != rows.length && r < kRows; ++r) {
      MoveStrided<T, true>(from + r * sizeof(T), rows.stride,
                           rows.length - whole,
                           to + r * bytes + whole * sizeof(T));
    }
  }
  return done;
}

// Rows may be short, so the kind of row is decided once for all of them.

template <typename T>
void Gather(char* memory, ptrdiff_t step, size_t count, ptrdiff_t stride,
            size_t length, char* tile) {
  TileRows rows = {memory, step, count, stride, length};
  if (stride == 0) return Spread<T>(rows, tile);
  if (stride == 1) {
    return ForEachRow<T>(rows, tile, [=](char* from, char* at) HWY_ATTR {
      CopyRun(at, from, length * sizeof(T));
    });
  }
  if (stride == 2) {
    return ForEachRow<T>(rows, tile, [=](char* from, char* at) HWY_ATTR {
      GatherEverySecond<T>(from, length, at);
    });
  }
  if constexpr (kHasSquares<T>) {
    if (step == ptrdiff_t{sizeof(T)} && length >= kSquareRows<T>) {
      const size_t done = GatherTransposed<T>(rows, tile);
      SkipRows<T>(done, &rows, &tile);
    }
  }
  ForEachRow<T>(rows, tile, [=](char* from, char* at) HWY_ATTR {
    MoveStrided<T, true>(from, stride, length, at);
  });
}

template <typename T>
void Scatter(char* memory, ptrdiff_t step, size_t count, ptrdiff_t stride,
             size_t length, char* tile) {
  const TileRows rows = {memory, step, count, stride, length};
  if (stride == 1) {
    return ForEachRow<T>(rows, tile, [=](char* to, char* at) HWY_ATTR {
      CopyRun(to, at, length * sizeof(T));
    });
  }
  ForEachRow<T>(rows, tile, [=](char* to, char* at) HWY_ATTR {
    MoveStrided<T, false>(to, stride, length, at);
  });
}

constexpr TileMoves kMoves[] = {{Gather<uint8_t>, Scatter<uint8_t>},
                                {Gather<uint16_t>, Scatter<uint16_t>},
                                {Gather<uint32_t>, Scatter<uint32_t>},
                                {Gather<uint64_t>, Scatter<uint64_t>},
                                {Gather<Wide>, Scatter<Wide>}};
const TileMoves* Moves() { return kMoves; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Moves);

}  // namespace

const TileMoves* TileMovesOn(int64_t targets) {
  return OnTarget(HWY_DISPATCH_TABLE(Moves), targets);
}

}  // namespace lanewise
#endif  // HWY_ONCE
