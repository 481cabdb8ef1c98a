// SPDX-License-Identifier: Apache-2.0
//
// The program of a pass: one instruction for each step of the chain, which runs
// the step's usual kernel on a block of elements that stays in L1. Results that
// later steps read lie in slots. Where two or more instructions in a row have
// steps (kernels/step.h), they run as steps: results stay in registers.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_PROGRAM_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_PROGRAM_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "kernels/step.h"
#include "runtime/chain/chain_call.h"
#include "runtime/node/node.h"
#include "runtime/plan/plan.h"

namespace lanewise {

/// On the stack: the slots of a program, what is spread over blocks, and copies
/// of the ends of rows.
inline constexpr size_t kFrameBytes = size_t{14} << 10;
/// How many slots there may be: one for each result, and those for inputs that
/// an instruction spreads.
inline constexpr int kMaxSlots = LW_MAX_STEPS + 2 * kMaxInputs;

/// Where an instruction reads or writes.
struct Place {
  enum Kind : uint8_t {
    kAbsent,
    kOperand,   ///< of the job
    kSlot,      ///< of the frame
    kConstant,  ///< one element, of a constant or of an input
  };
  Kind kind;
  uint8_t index;   ///< of an operand or a slot; kConstant: a value
  uint8_t stride;  ///< 0: one element for all of the row
  uint8_t size;    ///< of an element

  bool operator==(const Place&) const = default;
};

struct Instruction {
  KernelFn kernel;
  const Node* node;
  const BoundTypes* bound;
  uint8_t step;
  uint8_t count;  ///< of inputs
  bool once;      ///< one element for all of a row, computed before the row
  /// The kernel reads Setup::in_stride, or takes other than the node's own
  /// number of inputs.
  bool own_setup;
  bool counts_zeros;
  uint8_t spare;    ///< the first slot for inputs that are spread
  uint16_t spread;  ///< these inputs, as bits: no kernel takes one element
  /// How many instructions from this one on run as steps, from `first_step` on.
  uint8_t fused;
  uint16_t first_step;
  uint8_t lane_bytes;  ///< of these steps
  /// The operands that these steps read or write along the row, those that they
  /// write, and those whose elements are bytes in wider lanes or 16-bit floats
  /// in lanes of float32, as bits.
  uint32_t moving;
  uint32_t written;
  uint32_t bytes;
  uint32_t halves;
  Place out;
  Place in[kMaxInputs];
};

/// One element that steps use for a whole row. Steps read the element itself, a
/// vector of copies of the element, or a block of copies.
struct SpreadElement {
  Place from;
  Half half;     ///< a 16-bit float, as float32
  size_t place;  ///< in StepFrame::at
  size_t first;  ///< vector of all that are spread
  size_t count;  ///< of vectors; 0: the element is not copied
};

struct ChainProgram {
  static constexpr int kMaxSpreads = 64;
  static constexpr int kMaxWidened = 24;

  ChainProgram(const Chain& chain, MemoryParts& parts);

  Instruction* const instructions;
  int count;
  int once;  ///< how many of them, at the start, run once for each row
  int slots;
  int step_slots;  ///< how many of them steps use, where all of a pass is steps
  size_t widest;   ///< the bytes of the widest element
  size_t slot_bytes;
  /// Elements of a block, without and with steps; SIZE_MAX: the whole row.
  size_t block;
  size_t block_with_steps;

  const CommonSteps* common;
  bool has_steps;
  const int most_steps;
  Step* const steps;
  const int most_spreads;
  SpreadElement* const spreads;
  int spread_count;
  size_t spread_vectors;
  /// How many blocks there are for elements that take wider lanes.
  int widened;
  /// The most operands that move in a run of steps: the end of a row is copied
  /// to a block for each.
  int copies;
  /// Vectors of the spread elements, those of constants filled; nullptr: a job
  /// makes its own. A prepared call has them.
  const char* ready_spreads;

  /// Sets the bytes of a slot, and how many elements a block then has.
  void SetSlotBytes(size_t bytes);
  /// How many inputs of an instruction a place is.
  int Reads(int at, const Place& place) const;
  /// Whether one of the instructions [begin, end) reads the result of `at`.
  bool IsRead(int at, int begin, int end) const;
};

// The places of a frame: operands, slots, spread elements, widened bytes.
inline constexpr size_t kFirstSlotPlace = kMaxOperands;
inline constexpr size_t kFirstSpreadPlace = kFirstSlotPlace + kMaxSlots;
inline constexpr size_t kFirstWidenedPlace =
    kFirstSpreadPlace + ChainProgram::kMaxSpreads;
static_assert(kFirstWidenedPlace + ChainProgram::kMaxWidened <=
              StepFrame::kMost);

/// A pass, its inputs as MakePlan's operands, and where the steps' shapes lie.
struct PassLayout {
  const ChainCall* call;
  const ChainPass* pass;
  PassInput inputs[kMaxInputs];
  int input_count;
  int32_t step_offsets[LW_MAX_STEPS];
};

void MakeProgram(const PassLayout& layout, const Plan& plan,
                 ChainProgram* program);

/// Finds the instructions that can run as steps, and makes the steps.
void AddSteps(const Chain& chain, ChainProgram* program);

/// Fills the vectors of a spread element.
void FillSpread(const CommonSteps& common, const SpreadElement& spread,
                const void* element, char* vectors);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_PROGRAM_H_
