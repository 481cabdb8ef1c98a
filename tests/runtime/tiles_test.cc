// SPDX-License-Identifier: Apache-2.0

#include "kernels/tiles.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/engine/engine.h"
#include "tests/support/guarded.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

// The rows of TileRows, with distances in elements.
struct Layout {
  size_t size;     // bytes of an element
  ptrdiff_t step;  // elements from one row to the next
  size_t count;
  ptrdiff_t stride;
  size_t length;

  // The offset of element `i` of row `row`, in elements from the first element.
  ptrdiff_t Offset(size_t row, size_t i) const {
    return static_cast<ptrdiff_t>(row) * step +
           static_cast<ptrdiff_t>(i) * stride;
  }
  // The distance from the lowest element to the first one.
  size_t Before() const {
    return static_cast<size_t>(
        -Offset(step < 0 ? count - 1 : 0, stride < 0 ? length - 1 : 0));
  }
  size_t MemoryBytes() const {
    const ptrdiff_t last =
        Offset(step < 0 ? 0 : count - 1, stride < 0 ? 0 : length - 1);
    return (static_cast<size_t>(last) + Before() + 1) * size;
  }
  size_t TileBytes() const { return count * length * size; }

  uint8_t* At(uint8_t* memory, size_t row, size_t i) const {
    const ptrdiff_t offset = Offset(row, i) + static_cast<ptrdiff_t>(Before());
    return memory + offset * static_cast<ptrdiff_t>(size);
  }
  TileRows Rows(uint8_t* memory) const {
    return {reinterpret_cast<char*>(At(memory, 0, 0)),
            step * static_cast<ptrdiff_t>(size), count, stride, length};
  }
};

constexpr size_t kMaxBytes = 1 << 18;

// Memory and tile end at inaccessible pages.
class Tiles : public OnEveryIsa {
 protected:
  const TileMoves& Moves(size_t size) const {
    size_t log2 = 0;
    while (size_t{1} << log2 != size) ++log2;
    return isa().engine->engine->tile_moves[log2];
  }

  // Gathers the layout. If no two elements share memory, also scatters it.
  void Check(const Layout& layout, Side side) {
    SCOPED_TRACE(testing::Message()
                 << layout.count << " rows, " << layout.step << " apart, of "
                 << layout.length << " elements of " << layout.size
                 << " bytes, " << layout.stride << " apart");
    const size_t memory_bytes = layout.MemoryBytes();
    const size_t tile_bytes = layout.TileBytes();
    ASSERT_LE(memory_bytes, kMaxBytes);
    uint8_t* memory = memory_.Place(side, 0, memory_bytes);
    uint8_t* tile = tile_.Place(side, 0, tile_bytes);
    for (size_t i = 0; i < memory_bytes; ++i) {
      memory[i] = static_cast<uint8_t>(i * 7 + i / 251);
    }
    std::vector<uint8_t> expected;
    for (size_t row = 0; row < layout.count; ++row) {
      for (size_t i = 0; i < layout.length; ++i) {
        const uint8_t* element = layout.At(memory, row, i);
        expected.insert(expected.end(), element, element + layout.size);
      }
    }
    char* at = reinterpret_cast<char*>(tile);
    RunMove(Moves(layout.size).gather, layout.Rows(memory), at);
    ASSERT_EQ(std::memcmp(tile, expected.data(), tile_bytes), 0);

    if (layout.stride == 0 || layout.step == 0) return;
    Untouch(memory, memory_bytes);
    RunMove(Moves(layout.size).scatter, layout.Rows(memory), at);
    for (size_t row = 0; row < layout.count; ++row) {
      for (size_t i = 0; i < layout.length; ++i) {
        uint8_t* element = layout.At(memory, row, i);
        ASSERT_EQ(std::memcmp(element, tile, layout.size), 0);
        tile += layout.size;
        Untouch(element, layout.size);
      }
    }
    ASSERT_TRUE(IsUntouched(memory, memory_bytes)) << "wrote between elements";
  }

 private:
  GuardedMemory memory_{kMaxBytes};
  GuardedMemory tile_{kMaxBytes};
};

TEST_P(Tiles, GatherAndScatterAnyRows) {
  for (const size_t size : {1, 2, 4, 8, 16}) {
    for (const ptrdiff_t stride : {0, 1, 2, 3, -1, -2, -5}) {
      for (const size_t count : {1, 2, 3, 17}) {
        for (size_t length = 1; length <= 2 * 64 + 3; ++length) {
          const auto extent =
              static_cast<ptrdiff_t>(length) * (stride < 0 ? -stride : stride);
          for (const Side side : {Side::kLower, Side::kUpper}) {
            Check({size, extent + 1, count, stride, length}, side);
            Check({size, -extent - 1, count, stride, length}, side);
            Check({size, 0, count, stride, length}, side);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Elements side by side, one for each row: several vectors of elements and a
// rest.
TEST_P(Tiles, SpreadsElementsOverShortRows) {
  for (const size_t size : {1, 2, 4, 8, 16}) {
    for (const size_t count : {15, 16, 63, 64, 65, 200}) {
      for (size_t length = 1; length <= 40; ++length) {
        for (const Side side : {Side::kLower, Side::kUpper}) {
          Check({size, 1, count, 0, length}, side);
          Check({size, 2, count, 0, length}, side);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Rows side by side, as those of a transposed operand.
TEST_P(Tiles, GatherAndScatterTransposedRows) {
  for (const size_t size : {1, 2, 4, 8, 16}) {
    for (size_t count = 1; count <= 13; ++count) {
      for (size_t length = 1; length <= 21; ++length) {
        const auto rows = static_cast<ptrdiff_t>(count);
        for (const ptrdiff_t stride : {rows, rows + 3, -rows, -rows - 1}) {
          for (const Side side : {Side::kLower, Side::kUpper}) {
            Check({size, 1, count, stride, length}, side);
            Check({size, -1, count, stride, length}, side);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Tiles, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace lanewise::test
