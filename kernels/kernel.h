// SPDX-License-Identifier: Apache-2.0
//
// The contract between kernels and runtime. Kernels know lanes, not shapes: a
// kernel is handed rows of contiguous elements and computes them. The runtime
// knows shapes, not lanes: it turns any call into such rows.

#ifndef LANEWISE_KERNELS_KERNEL_H_
#define LANEWISE_KERNELS_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/targets.h"
#include "lanewise/lanewise.h"

namespace lanewise {

/// What a kernel is asked to do: `rows` rows of `n` elements each. An operand
/// that the kernel's lw_run calls a scalar is one element per row.
struct Job {
  const void* a;
  const void* b;  ///< nullptr for kernels of one input
  void* out;
  size_t n;
  size_t rows = 1;
  ptrdiff_t a_step = 0;  ///< bytes from one row to the next
  ptrdiff_t b_step = 0;
  ptrdiff_t out_step = 0;
  /// Store past the caches. Only asked for where out is none of the inputs, by
  /// one who calls hwy::FlushStream afterwards.
  bool stream = false;

  // Told by the kernel: integer Div's zero divisors.
  size_t zero_divisors = 0;
  size_t first_zero_row = 0;
  size_t first_zero_column = 0;
};

using KernelFn = void (*)(Job& job);

/// One line of an operator's table.
struct KernelRow {
  int since;  ///< first version of the operator that lists the type
  lw_type type;
  lw_run run;
  KernelFn fn;
};
using KernelRows = std::span<const KernelRow>;

/// Which shapes and attributes an operator takes: rules that the runtime has.
enum class Form : uint8_t { kUnary, kBinary, kReshape };

/// What an element costs, as far as threads are concerned.
enum class Work : uint8_t { kMemory, kDivision, kTranscendental };

/// An operator as its kernel file describes it.
struct Operator {
  const char* name;               ///< as ONNX spells it
  std::span<const int> versions;  ///< ascending
  Form form;
  Work work;
  KernelRows (*rows)(int64_t target);  ///< the table of one Highway target
};

/// Asks the entry of `target` in a table made by HWY_EXPORT.
template <typename T, size_t kSize>
T OnTarget(T (*const (&table)[kSize])(), int64_t target) {
  if constexpr (kSize == 1) return table[0]();  // built for one target only
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return table[chosen.GetIndex()]();
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_KERNEL_H_
