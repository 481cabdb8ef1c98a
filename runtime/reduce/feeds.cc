// SPDX-License-Identifier: Apache-2.0

#include "runtime/reduce/feeds.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr auto kWholePartials = static_cast<int64_t>(kPartials);

}  // namespace

void Feeder::Along(const Reduction& kernels, const char* in, int64_t begin,
                   int64_t end, char* tile, Feed* feed) const {
  const ReduceDims& reduced = sequences_.reduced;
  const ReduceDim& inner = reduced.inner();
  const int64_t room = static_cast<int64_t>(kTileBytes) / bytes_;
  while (begin < end) {
    feed->first = static_cast<uint64_t>(begin);
    int64_t run = std::min(end - begin, inner.size - begin % inner.size);
    // Only the end of a piece may leave partial results without an element.
    if (run < end - begin) run -= run % kWholePartials;
    if (inner.in == bytes_ && run != 0) {
      feed->x = in + reduced.In(begin);
      feed->n = static_cast<size_t>(run);
      kernels.along(*feed);
      begin += run;
      continue;
    }
    const int64_t most = std::min(end - begin, room);
    for (int64_t filled = 0; filled < most;) {
      const int64_t at = begin + filled;
      const int64_t n = std::min(most - filled, inner.size - at % inner.size);
      const TileRows row = {const_cast<char*>(in) + reduced.In(at), 0, 1,
                            inner.in / bytes_, static_cast<size_t>(n)};
      RunMove(MovesOf(bytes_).gather, row, tile + filled * bytes_);
      filled += n;
    }
    feed->x = tile;
    feed->n = static_cast<size_t>(most);
    kernels.along(*feed);
    begin += most;
  }
}

void Feeder::Across(const Reduction& kernels, const char* in, int64_t begin,
                    int64_t end, char* tile, Feed* feed) const {
  const ReduceDims& reduced = sequences_.reduced;
  const ReduceDim& inner = reduced.inner();
  const int64_t stride = sequences_.kept.inner().in;
  const auto row_bytes = static_cast<int64_t>(feed->n) * bytes_;
  const bool is_flat = feed->n == 1 || stride == bytes_;
  const int64_t most = static_cast<int64_t>(kTileBytes) / row_bytes;
  while (begin < end) {
    int64_t rows = std::min(end - begin, inner.size - begin % inner.size);
    if (!is_flat) rows = std::min(rows, most);
    const char* x = in + reduced.In(begin);
    feed->first = static_cast<uint64_t>(begin);
    feed->rows = static_cast<size_t>(rows);
    feed->x = x;
    feed->step = inner.in;
    if (!is_flat) {
      RunMove(MovesOf(bytes_).gather,
              {const_cast<char*>(x), inner.in, feed->rows, stride / bytes_,
               feed->n},
              tile);
      feed->x = tile;
      feed->step = row_bytes;
    }
    kernels.across(*feed);
    begin += rows;
  }
}

}  // namespace lanewise
