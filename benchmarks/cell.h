// SPDX-License-Identifier: Apache-2.0
//
// Cells: everything that can be measured, enumerated from the library's own
// registry, and their names.

#ifndef LANEWISE_BENCHMARKS_CELL_H_
#define LANEWISE_BENCHMARKS_CELL_H_

#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// How many elements an operand touches, and how many its memory must hold.
struct Extent {
  size_t used;
  size_t span;
};

struct Cell {
  std::string op;
  lw_type type;
  Pattern pattern;
  size_t n;
  int threads;

  /// "Exp/f32/same"
  std::string Group() const;
  /// "Exp/f32/same/lanewise/n:64/threads:1"
  std::string Name(const std::string& impl) const;
  int inputs() const;  ///< 1 or 2
  size_t columns() const;
  Extent InputExtent(int input) const;
  /// Bytes read plus written.
  size_t bytes() const;
};

struct Selection {
  bool quick = false;
  std::vector<size_t> sizes;  ///< empty: the default ones
  std::vector<int> threads;
  bool own_sizes = false;  ///< filled in by AllCells
};

/// The copies that give the roofline first, then every operator.
std::vector<Cell> AllCells(const Selection& selection);

const char* PatternName(Pattern pattern);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CELL_H_
