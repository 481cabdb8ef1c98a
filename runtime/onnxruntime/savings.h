// SPDX-License-Identifier: Apache-2.0
//
// What a chain is worth: a sum of bytes. Arithmetic does not count, because
// both sides do the same, but for functions that the CPU provider approximates.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_SAVINGS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_SAVINGS_H_

#include <string>
#include <vector>

#include "runtime/onnxruntime/casts.h"
#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

struct Savings {
  int64_t before = 0;  ///< what the nodes move one by one, and their calls
  int64_t after = 0;   ///< the same of the chain
  int64_t added = 0;   ///< what the reorders and casts move that a claim adds
  int reorders = 0;    ///< how many of them
  int casts = 0;       ///< with the claim, less those without

  int64_t sum() const { return before - after - added; }
  /// Whether the sum is positive by a margin, as the sum is an estimate.
  bool IsWorthIt() const;
  std::string Described() const;  ///< a sentence
};

/// What the fused node takes longer than steps of our engine, in bytes for each
/// element.
int64_t LongerBytes(const Fusion& fusion, const Facts& facts);

/// `reorders` are those that a claim of the nodes adds, `casts` those around
/// the nodes.
Savings SavingsOf(const Graph& graph, const std::vector<int>& nodes,
                  int reorders, const CastCount& casts, const Facts& facts);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_SAVINGS_H_
