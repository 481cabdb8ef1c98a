// SPDX-License-Identifier: Apache-2.0
//
// A cell is one thing to measure. This header lists all cells, from the
// library's registry, and names them.

#ifndef LANEWISE_BENCHMARKS_CELL_H_
#define LANEWISE_BENCHMARKS_CELL_H_

#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// How many elements of an operand are used, and how many its memory holds.
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
  int inputs() const;  ///< the number of inputs that are data: 1 to 3
  lw_type input_type(int input) const;
  lw_type output_type() const;
  /// The input that the output overwrites in place; -1 if there is none.
  int in_place_input() const;
  size_t columns() const;
  size_t results() const;  ///< the elements of the output
  Extent InputExtent(int input) const;
  /// Bytes read plus bytes written.
  size_t bytes() const;
};

struct Selection {
  bool quick = false;
  bool provider = false;  ///< the cells of the execution provider, see --help
  std::vector<size_t> sizes;  ///< empty: the default ones
  std::vector<int> threads;
  bool own_sizes = false;  ///< set by AllCells: the user chose the sizes
};

/// First the copies that show the machine's limit, then every operator.
std::vector<Cell> AllCells(const Selection& selection);

const char* PatternName(Pattern pattern);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CELL_H_
