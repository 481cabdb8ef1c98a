// SPDX-License-Identifier: Apache-2.0
//
// The contract between kernels and runtime. Kernels know lanes, not shapes: a
// kernel is handed rows of contiguous elements and computes them. The runtime
// knows shapes, not lanes: it turns any call into such rows.

#ifndef LANEWISE_KERNELS_KERNEL_H_
#define LANEWISE_KERNELS_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "hwy/targets.h"
#include "lanewise/lanewise.h"

namespace lanewise {

struct CommonSteps;  // step.h
struct Reduction;    // reduction.h
struct StepRequest;

/// How many inputs a call may have, and how many of them have patterns.
inline constexpr int kMaxInputs = LW_MAX_INPUTS;
/// The operands of a job: those of a chain of operators are its inputs, then
/// its outputs.
inline constexpr int kMaxOperands = kMaxInputs + LW_MAX_OUTPUTS;
inline constexpr int kPatternInputs = 4;

/// Every sum of LW_SCALAR values.
inline constexpr int kPatternCount = 1 << kPatternInputs;

/// In place of a pattern: the inputs of one row may have strides of their own,
/// 0 to kMaxStride. Kernels for it are optional, except that an operator with
/// any number of inputs computes all calls with other than two inputs by it.
inline constexpr int kAnyStride = kPatternCount;
inline constexpr int kMaxStride = 2;
inline constexpr int kKernelCount = kPatternCount + 1;

/// Where the inputs of Role::kAligned lie under the elements of a call, in
/// row-major order: loops over all elements, and how far the second and the
/// third input step in each, in their own elements. Along a loop with a block,
/// they step once for each block.
struct Alignment {
  int32_t types[3];  ///< of the inputs
  int32_t to;        ///< of the output
  int rank;
  size_t dims[LW_MAX_RANK];
  size_t block[LW_MAX_RANK];
  ptrdiff_t steps[2][LW_MAX_RANK];
};

/// The part of a job that many jobs share. A node has a setup for jobs of one
/// row, which calls of a few elements need not write anew. No member has a
/// default, so that a setup that is not used costs nothing.
struct SharedSetup {
  size_t rows;
  ptrdiff_t out_step;  ///< bytes from one row to the next
  /// Store past the caches. The caller of the kernel asks for it only where the
  /// output is none of the inputs, and calls hwy::FlushStream afterwards.
  bool stream;
  size_t inputs;                  ///< how many Job::in has
  const void* params;             ///< what the operator prepared
  const lw_string_type* strings;  ///< for elements of LW_STRING
  /// Not null: a kernel that is called for no elements fills this in.
  StepRequest* request;
  const Alignment* alignment;  ///< for operators with Role::kAligned only
};
struct Setup : SharedSetup {
  ptrdiff_t in_step[kMaxOperands];  ///< bytes from one row to the next
  /// Elements from one element of a row to the next: read for kAnyStride only.
  uint8_t in_stride[kMaxOperands];
  /// The job's first element, in its nest: for chains and Role::kAligned only.
  size_t first;
};

/// The zero divisors that a job met.
struct Zeros {
  size_t count = 0;
  size_t first_row;     ///< if there are any
  size_t first_column;  ///< if there are any
};

/// What a kernel is asked to do: Setup::rows rows of `n` outputs each. An input
/// that the kernel's pattern calls a scalar has one element per row.
struct Job {
  const Setup* setup;
  const void* const* in;  ///< nullptr: an optional input left out
  void* out;
  size_t n;
  Zeros* zeros;  ///< for kernels that report zero divisors
};

/// A kernel takes the words of a job as arguments, in registers, because most
/// of a call of a few elements is loads and stores. The arguments have the
/// order of those of lw_kernel_run, so that none moves to another register. The
/// result is LW_OK: lw_kernel_run can then end with a jump to the kernel.
using KernelFn = lw_status (*)(const Setup* setup, const void* const* in,
                               void* out, size_t n, Zeros* zeros) noexcept;

inline lw_status RunJob(KernelFn kernel, const Job& job) noexcept {
  return kernel(job.setup, job.in, job.out, job.n, job.zeros);
}

/// Ways to the same result. An operator's table may list several kernels for
/// one type and pattern, each with its way; KernelTable takes the one that the
/// engine prefers.
enum class Way : uint8_t {
  kUsual,    ///< for engines whose preferred way the table lacks
  kDivider,  ///< the CPU's divider rather than multiplication
  kFast,   ///< errors below 4 ULP where those of the usual kernels are below 1
  kExact,  ///< correctly rounded, in the default floating-point environment
};
inline constexpr const char* kWayNames[] = {"usual", "divider", "fast",
                                            "exact"};

/// What an engine takes where a table has it.
struct PreferredWays {
  Way division = Way::kUsual;  ///< or kDivider
  Way accuracy = Way::kUsual;  ///< or kFast or kExact

  bool Have(Way way) const {
    return way != Way::kUsual && (way == division || way == accuracy);
  }
};

struct PatternKernel {
  int pattern;  ///< a sum of LW_SCALAR values, or kAnyStride
  KernelFn fn;  ///< for kAnyStride, nullptr if there is no such kernel
};

/// One line of an operator's table: the kernels of one type.
struct KernelEntry {
  int since;     ///< first version of the operator that lists the type
  lw_type type;  ///< of the type parameter T
  std::span<const PatternKernel> kernels;
  Way way = Way::kUsual;
  /// How long a byte takes, over what the operator's CostClass supposes:
  /// shorter calls of heavy types repay a second thread.
  uint8_t weight = 1;
  /// The output's type, where an attribute or an input tells it
  /// (OperandInfo::told).
  lw_type to = LW_ABSENT;
  /// The last version that lists the type: Erf-13 has no integers.
  int until = std::numeric_limits<int>::max();
  /// The second input's type, where the input has a type parameter of its own
  /// (OperandInfo::own) and another type than T.
  lw_type second = LW_ABSENT;
  /// Of a reduction, in place of `kernels`.
  const Reduction* reduction = nullptr;
};

/// A type, and the first version that lists it.
struct ListedType {
  lw_type type;
  int since;
};

/// What a file of kernels offers on one instruction set.
struct TargetKernels {
  int64_t target;  ///< bit of the Highway target
  std::span<const KernelEntry> entries;
  const CommonSteps* steps = nullptr;  ///< of steps.cc
};

/// The kernels of a type that has one for LW_SAME only.
template <KernelFn kFn>
inline constexpr PatternKernel kOnlySame[] = {{LW_SAME, kFn}};

/// Asks the entry of the best of `targets` in a table made by HWY_EXPORT. A
/// file may be compiled for fewer targets than others (targets.h), so each file
/// has this function for itself.
template <typename T, size_t kSize>
static inline T OnTarget(T (*const (&table)[kSize])(), int64_t targets) {
  if constexpr (kSize == 1) return table[0]();  // built for one target only
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return table[chosen.GetIndex()]();
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_KERNEL_H_
