// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/quick.h"

#include <algorithm>
#include <iterator>

#include "benchmarks/chains.h"

namespace lanewise::bench {
namespace {

bool IsQuickOperator(const std::string& op) {
  return std::find(std::begin(kQuickOperators), std::end(kQuickOperators),
                   op) != std::end(kQuickOperators);
}

}  // namespace

bool IsQuick(const Cell& cell) {
  if (cell.op == "Copy") return true;
  if (FindChain(cell.op) == nullptr && !IsQuickOperator(cell.op)) return false;
  if (cell.results() != cell.n) {
    return cell.threads == 1 && cell.n == 65536 && cell.type == LW_FLOAT32;
  }
  const bool plain = cell.pattern == Pattern::kSame;
  const bool common = cell.type == LW_FLOAT32;
  // Large sizes show whether threads pay.
  if (cell.threads != 1) return plain && common && cell.n >= (1 << 20);
  // At n = 64 a call is nearly all overhead, and beyond the caches a call waits
  // for memory: one type shows that. A cell of that size takes seconds.
  if (cell.n == 64 || cell.n >= (1 << 20)) return plain && common;
  if (plain) return true;
  // Broadcasting, strides and special values in one type, and the divisor that
  // is a scalar, for which integers have kernels of their own.
  return cell.n == 65536 &&
         (common || (cell.op == "Div" && cell.pattern == Pattern::kScalarB));
}

}  // namespace lanewise::bench
