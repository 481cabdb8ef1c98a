// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/cell.h"

#include <algorithm>
#include <set>

#include "runtime/registry.h"
#include "runtime/types.h"

namespace lanewise::bench {
namespace {

constexpr Pattern kBinaryPatterns[] = {
    Pattern::kSame,    Pattern::kScalarB, Pattern::kScalarA, Pattern::kRowB,
    Pattern::kColB,    Pattern::kRow8B,   Pattern::kCol8B,   Pattern::kStrided,
    Pattern::kInPlace, Pattern::kSpecial};
constexpr Pattern kUnaryPatterns[] = {Pattern::kSame, Pattern::kStrided,
                                      Pattern::kInPlace, Pattern::kSpecial};
// A Reshape in place is a view; no value is special to it.
constexpr Pattern kReshapePatterns[] = {Pattern::kSame, Pattern::kStrided};

constexpr size_t kSizes[] = {64, 2048, 65536, 1 << 20, 1 << 24};
constexpr size_t kQuickSizes[] = {2048, 65536, 1 << 24};
constexpr size_t kCopySizes[] = {64,      512,     2048,   8192,
                                 32768,   131072,  524288, 1 << 20,
                                 1 << 22, 1 << 24, 1 << 26};

std::span<const Pattern> PatternsOf(const Operator& op) {
  switch (op.form) {
    case Form::kBinary:
      return kBinaryPatterns;
    case Form::kUnary:
      return kUnaryPatterns;
    case Form::kReshape:
      break;
  }
  return kReshapePatterns;
}

// Types that share all their kernels are measured once, by their first name.
std::vector<lw_type> TypesOf(const Operator& op) {
  std::vector<lw_type> types;
  std::set<std::set<KernelFn>> seen;
  lw_support row;
  for (size_t i = 0; lw_support_row(i, &row) != 0; ++i) {
    if (std::string(row.name) != op.name || row.type == LW_STRING) continue;
    std::set<KernelFn> kernels;
    for (const KernelRow& kernel : op.rows(HWY_STATIC_TARGET)) {
      if (kernel.type == row.type) kernels.insert(kernel.fn);
    }
    if (seen.insert(kernels).second) {
      types.push_back(static_cast<lw_type>(row.type));
    }
  }
  return types;
}

bool MakesSense(const Cell& cell, const Selection& selection) {
  if (cell.n < cell.columns()) return false;  // less than one row
  if (selection.own_sizes) return true;       // whoever asks shall have it
  // No call as small as that is worth a second thread.
  if (cell.threads != 1 && cell.n < 65536) return false;
  // A single call in place is timed by the clock, which takes as long.
  return cell.pattern != Pattern::kInPlace || cell.n >= 2048;
}

bool IsQuick(const Cell& cell) {
  if (cell.op == "Copy") return true;
  const bool plain = cell.pattern == Pattern::kSame;
  // Threads pay, or do not, for the largest size of the commonest type.
  if (cell.threads != 1) {
    return plain && cell.type == LW_FLOAT32 && cell.n >= (1 << 20);
  }
  // Calls that are all overhead.
  if (cell.n == 64) return plain && cell.type == LW_FLOAT32;
  if (plain) return true;
  return cell.n == 65536 && cell.pattern == Pattern::kScalarB;
}

void AddOperator(const Operator& op, const Selection& selection,
                 std::vector<Cell>* cells) {
  for (const lw_type type : TypesOf(op)) {
    for (const Pattern pattern : PatternsOf(op)) {
      // Packed types have no strides.
      if (pattern == Pattern::kStrided && FindType(type)->bits < 8) continue;
      for (const size_t n : selection.sizes) {
        for (const int threads : selection.threads) {
          const Cell cell = {op.name, type, pattern, n, threads};
          if (!MakesSense(cell, selection)) continue;
          if (!selection.quick || IsQuick(cell)) cells->push_back(cell);
        }
      }
    }
  }
}

}  // namespace

const char* PatternName(Pattern pattern) {
  constexpr const char* kNames[] = {
      "same",   "scalar_b", "scalar_a", "row_b",    "col_b",
      "row8_b", "col8_b",   "strided",  "in_place", "special"};
  return kNames[static_cast<int>(pattern)];
}

std::string Cell::Group() const {
  return op + "/" + FindType(type)->short_name + "/" + PatternName(pattern);
}

std::string Cell::Name(const std::string& impl) const {
  return Group() + "/" + impl + "/n:" + std::to_string(n) +
         "/threads:" + std::to_string(threads);
}

int Cell::inputs() const {
  const Operator* found = FindOperator(op.c_str());
  return found != nullptr && found->form == Form::kBinary ? 2 : 1;
}

size_t Cell::columns() const {
  switch (pattern) {
    case Pattern::kRowB:
    case Pattern::kColB:
      return kColumns;
    case Pattern::kRow8B:
    case Pattern::kCol8B:
      return 8;
    default:
      return n;
  }
}

Extent Cell::InputExtent(int input) const {
  const size_t columns = this->columns();
  switch (pattern) {
    case Pattern::kScalarA:
      return input == 0 ? Extent{1, 1} : Extent{n, n};
    case Pattern::kScalarB:
      return input == 1 ? Extent{1, 1} : Extent{n, n};
    case Pattern::kRowB:
    case Pattern::kRow8B:
      return input == 1 ? Extent{columns, columns} : Extent{n, n};
    case Pattern::kColB:
    case Pattern::kCol8B:
      return input == 1 ? Extent{n / columns, n / columns} : Extent{n, n};
    case Pattern::kStrided:
      return {n, 2 * n};
    default:
      return {n, n};
  }
}

size_t Cell::bytes() const {
  size_t elements = n;
  for (int i = 0; i < inputs(); ++i) elements += InputExtent(i).used;
  return BytesFor(elements, FindType(type)->bits);
}

std::vector<Cell> AllCells(const Selection& given) {
  Selection selection = given;
  selection.own_sizes = !selection.sizes.empty();
  if (!selection.own_sizes) {
    selection.sizes.assign(std::begin(kSizes), std::end(kSizes));
    if (selection.quick) {
      selection.sizes.assign(std::begin(kQuickSizes), std::end(kQuickSizes));
      selection.sizes.insert(selection.sizes.begin(), 64);
    }
  }
  std::vector<Cell> cells;
  std::vector<size_t> copies = selection.sizes;
  if (!selection.own_sizes && !selection.quick) {
    copies.assign(std::begin(kCopySizes), std::end(kCopySizes));
  }
  for (const size_t n : copies) {
    for (const int threads : selection.threads) {
      const Cell copy = {"Copy", LW_FLOAT32, Pattern::kSame, n, threads};
      if (MakesSense(copy, selection)) cells.push_back(copy);
    }
  }
  for (const Operator* op : Operators()) {
    AddOperator(*op, selection, &cells);
  }
  return cells;
}

}  // namespace lanewise::bench
