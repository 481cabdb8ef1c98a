// SPDX-License-Identifier: Apache-2.0
//
// Steps: how the operators of a chain pass vectors to each other in registers.
// A step is a function that takes eight vectors, works on them, and ends with a
// call of the next step's function with the eight results, which compilers turn
// into a jump. The first step loads, the last one ends; a step with several
// inputs reads the others from memory.
//
// All lanes of a run of steps have one width. Elements of one byte, such as
// bools, take the whole lane: the byte, again and again. A step on bytes thus
// runs at any width. On fast engines, 16-bit floats run as float32: steps widen
// what comes from memory and round what leaves for memory.
//
// The runtime puts steps together (runtime/chain/chain_steps.cc). The code of a
// step is made of the functor that the operator's kernel for LW_SAME is made
// of. The runtime calls that kernel for no elements, and the kernel fills in a
// StepRequest. An operator whose kernel leaves the request empty has no step:
// its kernel runs between steps, on memory.

#ifndef LANEWISE_KERNELS_STEP_H_
#define LANEWISE_KERNELS_STEP_H_

#include <cstddef>
#include <cstdint>

#include "hwy/detect_compiler_arch.h"

namespace lanewise {

/// Vectors that a step takes: they fill half of AVX2's registers.
inline constexpr size_t kStepVectors = 8;

/// The largest functor of a step: two bounds of Clip in float64.
inline constexpr size_t kFunctorBytes = 16;

/// The largest block: longer vectors, and those that are no power of two long,
/// have no steps.
inline constexpr size_t kMostStepBytes = 1024;

/// The convention by which steps call each other: that of Windows passes
/// vectors through memory.
#if HWY_OS_WIN && HWY_ARCH_X86_64
#define LANEWISE_STEP __attribute__((sysv_abi))
#else
#define LANEWISE_STEP
#endif

/// The code of a step on one target, whose type only that target's files know.
using StepCode = void (*)();

/// A step, or a further operand of the step before.
struct Step {
  StepCode code;
  /// The operand in memory, as an index into StepFrame::at.
  uint32_t place;
  /// The operand is one element for all lanes of all blocks. A step of two
  /// inputs reads the element alone, any other step a vector of copies.
  bool is_spread;
  /// All ones: the operand moves along with the blocks. 0: each block reads and
  /// writes the same place.
  size_t mask;
  alignas(16) unsigned char functor[kFunctorBytes];
};

/// Where the operands of a row lie: those of the job, slots for results that
/// later steps read, and elements that are spread over a vector.
struct StepFrame {
  static constexpr size_t kMost = 208;
  char* at[kMost];
  bool stream;
};

/// The 16-bit floats of steps whose lanes are float32.
enum class Half : uint8_t { kFloat16, kBFloat16, kNone };
inline constexpr int kHalves = 2;

/// A kernel's answer: its step, and the values of its functor.
struct StepRequest {
  /// By the input that is in registers; the others are in memory, in order.
  StepCode own[3];
  /// Comparisons, which take no is_spread: the step of a choice by the result.
  /// In memory are both inputs and the value that is not in registers, which is
  /// the choice where the result is false if the functor's first byte is 1.
  /// Only comparisons have two inputs and no own[1].
  StepCode choose;
  int inputs;         ///< 0: the kernel has no step; 3: a choice by the first
  size_t lane_bytes;  ///< 1: lanes of any width
  size_t vector_bytes;
  unsigned char functor[kFunctorBytes];
};

/// Steps that belong to no operator, on one target.
struct CommonSteps {
  StepCode load;
  /// Past the caches if StepFrame::stream is set and the functor's first byte.
  StepCode store;
  StepCode end;
  /// Elements of one byte, for lanes of 2, 4 and 8 bytes.
  StepCode load_bytes[3];
  StepCode store_bytes[3];
  /// 16-bit floats as float32, by Half. nullptr: the target has none.
  StepCode load_half[kHalves];
  StepCode store_half[kHalves];  ///< past the caches as `store`
  /// Runs the steps on whole blocks of kStepVectors vectors: the bytes [begin,
  /// end) of the places that move.
  void (*run)(const Step* first, const StepFrame* frame, size_t begin,
              size_t end);
  /// Fills a vector with copies of an element of 1, 2, 4 or 8 bytes.
  void (*spread)(const void* element, size_t size, char* vector);
  /// The same of a 16-bit float as float32, by Half.
  void (*spread_half[kHalves])(const void* element, char* vector);
  size_t vector_bytes;

  size_t block_bytes() const { return kStepVectors * vector_bytes; }
};

/// Those of the best of `targets`.
const CommonSteps& CommonStepsOn(int64_t targets);

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_STEP_H_
