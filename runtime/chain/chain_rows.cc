// SPDX-License-Identifier: Apache-2.0
//
// Runs the program of a chain on rows.

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "kernels/fp_env.h"
#include "kernels/tiles.h"
#include "runtime/chain/chain_plan.h"
#include "runtime/plan/own_job.h"

namespace lanewise {
namespace {

// The rows of a job, with the memory of the program.
struct Rows {
  const ChainRun& run;
  const ChainProgram& program;
  const Setup* setup;
  const void* const* in;
  size_t n;
  bool has_steps;
  char* memory;  // of the frame
  size_t row = 0;

  char* Slot(int slot) const {
    return memory + static_cast<size_t>(slot) * program.slot_bytes;
  }
  // The memory for spread elements, behind the slots.
  char* Spread(size_t vector) const {
    return Slot(program.step_slots) + vector * program.common->vector_bytes;
  }
  // The memory for a block of widened bytes, behind the spread elements.
  char* Widened(int index) const {
    return Spread(program.spread_vectors) +
           static_cast<size_t>(index) * program.common->block_bytes();
  }
  // The memory for a copy of a row's end, behind the widened bytes.
  char* Copy(int index) const { return Widened(program.widened + index); }
  // Whether a place is one element of the chain's own.
  bool IsConstant(const Place& place) const {
    return place.kind == Place::kConstant &&
           place.index >= run.made.layout.call->chain().inputs();
  }
  // Where a place starts, for the elements from `begin` of the row on.
  const char* Find(const Place& place, size_t begin) const {
    switch (place.kind) {
      case Place::kAbsent:
        return nullptr;
      case Place::kOperand:
        return static_cast<const char*>(in[place.index]) +
               setup->in_step[place.index] * static_cast<ptrdiff_t>(row) +
               begin * place.stride * place.size;
      case Place::kSlot:
        return Slot(place.index);
      case Place::kConstant:
        return static_cast<const char*>(run.DataOf(place.index));
    }
    return nullptr;
  }
};

// A part of a row.
struct Block {
  size_t begin;
  size_t count;
};

// ---- Zero divisors

// Where an element of the pass lies in a step's own result. False for an
// element that is the same as an earlier one, because the result is stretched.
bool PositionIn(const PassLayout& layout, size_t step, uint64_t element,
                uint64_t* position) {
  const ChainCall& call = *layout.call;
  const size_t source = call.chain().SourceOf(layout.pass->outputs[0]);
  const Dims pass = call.ShapeOf(source);
  const Dims own = call.ShapeOf(step);
  uint64_t scale = 1;
  *position = 0;
  for (int32_t i = pass.rank - 1; i >= 0; --i) {
    const auto dim = static_cast<uint64_t>(pass.dims[i]);
    const uint64_t index = element % dim;
    element /= dim;
    const int32_t at = i - layout.step_offsets[step];
    const bool is_own = at >= 0 && at < own.rank && own.dims[at] != 1;
    if (!is_own && index != 0) return false;
    if (!is_own) continue;
    *position += index * scale;
    scale *= dim;
  }
  return true;
}

bool DividesByZero(const Instruction& instruction, const void* a,
                   const void* b) {
  const auto own = instruction.node->op.divides_by_zero;
  if (own != nullptr) return own(instruction.bound->types, a, b);
  constexpr char kZero[8] = {};
  return std::memcmp(b, kZero, instruction.in[1].size) == 0;
}

// Counts the zero divisors of a block in which the kernel has met some.
[[gnu::noinline]] void NoteZeros(const Rows& rows,
                                 const Instruction& instruction,
                                 const Block& block,
                                 const void* const* inputs) {
  SharedZeros& zeros = rows.run.zeros[instruction.step];
  const auto element = [&](int k, size_t i) {
    const Place& place = instruction.in[k];
    return static_cast<const char*>(inputs[k]) + i * place.stride * place.size;
  };
  const uint64_t first = rows.setup->first + rows.row * rows.n + block.begin;
  for (size_t i = 0; i < block.count; ++i) {
    uint64_t position = 0;
    if (DividesByZero(instruction, element(0, i), element(1, i)) &&
        PositionIn(rows.run.made.layout, instruction.step, first + i,
                   &position)) {
      zeros.Note(position, 1);
    }
  }
}

// ---- Kernels

void FillWith(const void* element, size_t size, size_t bytes, char* memory) {
  std::memcpy(memory, element, size);
  RepeatInTile(size, bytes, memory);
}

void RunInstruction(const Rows& rows, const Instruction& instruction,
                    const Block& block) {
  Zeros zeros;
  OwnJob job(&instruction.node->setup);
  int spread = 0;
  for (int k = 0; k < instruction.count; ++k) {
    const Place& place = instruction.in[k];
    job.inputs[k] = rows.Find(place, block.begin);
    if ((instruction.spread >> k & 1) == 0) continue;
    char* slot = rows.Slot(instruction.spare + spread);
    FillWith(job.inputs[k], place.size, block.count * place.size, slot);
    job.inputs[k] = slot;
    ++spread;
  }
  job.out = const_cast<char*>(rows.Find(instruction.out, block.begin));
  job.n = block.count;
  job.zeros = &zeros;
  const bool stream =
      rows.setup->stream && instruction.out.kind == Place::kOperand;
  if (instruction.own_setup || stream) {
    Setup& own = job.OwnSetup(instruction.count);
    own.stream = stream;
    for (int k = 0; k < instruction.count; ++k) {
      own.in_stride[k] = instruction.in[k].stride;
    }
  }
  // Quotients may overwrite the divisors.
  const bool needs_both = instruction.node->op.divides_by_zero != nullptr;
  const bool early =
      instruction.counts_zeros &&
      (job.out == job.inputs[1] || (needs_both && job.out == job.inputs[0]));
  const Block all = instruction.once ? Block{0, rows.n} : block;
  if (early) NoteZeros(rows, instruction, all, job.inputs);
  RunJob(instruction.kernel, job);
  if (instruction.counts_zeros && zeros.count != 0 && !early) {
    NoteZeros(rows, instruction, all, job.inputs);
  }
}

// ---- Steps

// Spread elements: those that are the same for all rows, or the others.
void FillSpreads(const Rows& rows, bool for_all_rows, StepFrame* frame) {
  const ChainProgram& program = rows.program;
  for (int j = 0; j < program.spread_count; ++j) {
    const SpreadElement& spread = program.spreads[j];
    const bool is_fixed = spread.from.kind == Place::kConstant;
    if (is_fixed != for_all_rows) continue;
    if (spread.count == 0) {
      frame->at[spread.place] = const_cast<char*>(rows.Find(spread.from, 0));
      continue;
    }
    if (program.ready_spreads != nullptr && rows.IsConstant(spread.from)) {
      frame->at[spread.place] = const_cast<char*>(
          program.ready_spreads + spread.first * program.common->vector_bytes);
      continue;
    }
    frame->at[spread.place] = rows.Spread(spread.first);
    FillSpread(*program.common, spread, rows.Find(spread.from, 0),
               frame->at[spread.place]);
  }
}

// Calls use(operand) for each operand of a set of bits.
template <class Use>
void ForEachOperand(uint32_t operands, const Use& use) {
  for (; operands != 0; operands &= operands - 1) {
    use(static_cast<uint8_t>(std::countr_zero(operands)));
  }
}

// How many bytes of lanes a byte of the operand is in the steps.
size_t LaneOf(const Instruction& instruction, uint8_t operand) {
  if ((instruction.bytes >> operand & 1) != 0) return instruction.lane_bytes;
  return (instruction.halves >> operand & 1) != 0 ? 2 : 1;
}

// The bytes of an element of the operand: lane_bytes / LaneOf, without a
// division in each row.
uint8_t SizeOf(const Instruction& instruction, uint8_t operand) {
  if ((instruction.bytes >> operand & 1) != 0) return 1;
  const bool is_half = (instruction.halves >> operand & 1) != 0;
  return static_cast<uint8_t>(instruction.lane_bytes >> (is_half ? 1 : 0));
}

// The rest of a row that is less than a block of steps: what lies in operands
// is copied to memory of whole blocks.
[[gnu::noinline]] void RunRest(const Rows& rows, const Step* first,
                               const Instruction& instruction, StepFrame* frame,
                               size_t whole, size_t bytes) {
  const CommonSteps& common = *rows.program.common;
  const size_t block = common.block_bytes();
  char* copies[kMaxOperands];
  char* ends[kMaxOperands];
  int count = 0;
  ForEachOperand(instruction.moving, [&](uint8_t k) {
    const size_t lane = LaneOf(instruction, k);
    copies[k] = rows.Copy(count++);
    ends[k] = frame->at[k] + whole / lane;
    std::memcpy(copies[k], ends[k], bytes / lane);
    std::memset(copies[k] + bytes / lane, 0, (block - bytes) / lane);
    // The steps count from the first block on.
    const auto at = reinterpret_cast<uintptr_t>(copies[k]) - whole / lane;
    frame->at[k] = reinterpret_cast<char*>(at);  // NOLINT
  });
  frame->stream = false;
  common.run(first, frame, whole, whole + block);
  ForEachOperand(instruction.written, [&](uint8_t k) {
    std::memcpy(ends[k], copies[k], bytes / LaneOf(instruction, k));
  });
  // RunAllBySteps goes on from here to the next row.
  ForEachOperand(instruction.moving, [&](uint8_t k) {
    frame->at[k] = ends[k] - whole / LaneOf(instruction, k);
  });
}

// Runs steps on `count` elements from where the frame's operands lie.
void RunElements(const Rows& rows, const Instruction& instruction, size_t count,
                 StepFrame* frame) {
  const CommonSteps& common = *rows.program.common;
  const Step* first = &rows.program.steps[instruction.first_step];
  const size_t bytes = count * instruction.lane_bytes;
  const size_t whole = bytes & ~(common.block_bytes() - 1);
  common.run(first, frame, 0, whole);
  if (whole == bytes) return;
  RunRest(rows, first, instruction, frame, whole, bytes - whole);
}

void RunFused(const Rows& rows, const Instruction& instruction,
              const Block& block, StepFrame* frame) {
  frame->stream = rows.setup->stream;
  ForEachOperand(instruction.moving, [&](uint8_t k) {
    const Place operand = {Place::kOperand, k, 1, SizeOf(instruction, k)};
    frame->at[k] = const_cast<char*>(rows.Find(operand, block.begin));
    if (((instruction.written & ~instruction.bytes) >> k & 1) == 0) return;
    // Only whole vectors go past the caches.
    const auto address = reinterpret_cast<uintptr_t>(frame->at[k]);
    frame->stream &= (address & (rows.program.common->vector_bytes - 1)) == 0;
  });
  RunElements(rows, instruction, block.count, frame);
}

// Where one run of steps is all of a pass, only pointers change between two
// rows. Returns false for any other program.
bool RunAllBySteps(Rows* rows, StepFrame* frame) {
  const ChainProgram& program = rows->program;
  const Setup& setup = *rows->setup;
  if (setup.stream || program.once != 0 ||
      program.block_with_steps != SIZE_MAX) {
    return false;
  }
  const Instruction& all = program.instructions[0];
  frame->stream = false;
  ForEachOperand(all.moving, [&](uint8_t k) {
    frame->at[k] = const_cast<char*>(static_cast<const char*>(rows->in[k]));
  });
  for (; rows->row < setup.rows; ++rows->row) {
    FillSpreads(*rows, false, frame);
    RunElements(*rows, all, rows->n, frame);
    ForEachOperand(all.moving,
                   [&](uint8_t k) { frame->at[k] += setup.in_step[k]; });
  }
  return true;
}

// ---- Rows

// How many elements lie before the first cache line of a row that is streamed.
size_t AheadOfLine(const Rows& rows) {
  if (!rows.setup->stream) return 0;
  const Plan& plan = rows.run.made.plan;
  const auto out = static_cast<uint8_t>(plan.output());
  const Place place = {Place::kOperand, out, 1, 0};
  const auto address = reinterpret_cast<uintptr_t>(rows.Find(place, 0));
  return (64 - address % 64) % 64 / plan.element_bytes[out];
}

void RunRow(const Rows& rows, StepFrame* frame) {
  const ChainProgram& program = rows.program;
  const size_t ahead = AheadOfLine(rows);
  for (int at = 0; at < program.once; ++at) {
    RunInstruction(rows, program.instructions[at], {0, 1});
  }
  if (rows.has_steps) FillSpreads(rows, false, frame);
  const size_t most = rows.has_steps ? program.block_with_steps : program.block;
  for (size_t i = 0; i < rows.n;) {
    const size_t longest = i < ahead ? std::min(ahead - i, most) : most;
    const Block block = {i, std::min(rows.n - i, longest)};
    for (int at = program.once; at < program.count;) {
      const Instruction& instruction = program.instructions[at];
      if (rows.has_steps && instruction.fused != 0) {
        RunFused(rows, instruction, block, frame);
        at += instruction.fused;
      } else {
        RunInstruction(rows, instruction, block);
        ++at;
      }
    }
    i += block.count;
  }
}

// Runs an instruction on `count` rows, from the next one on.
void RunOnRows(const Rows& rows, const Instruction& instruction, size_t count) {
  const auto step = [&](const Place& place) {
    if (place.kind == Place::kOperand) return rows.setup->in_step[place.index];
    return static_cast<ptrdiff_t>(rows.n * place.stride * place.size);
  };
  OwnJob job(&instruction.node->setup);
  Setup& own = job.OwnSetup(instruction.count);
  for (int k = 0; k < instruction.count; ++k) {
    const Place& place = instruction.in[k];
    job.inputs[k] = rows.Find(place, 0);
    own.in_stride[k] = place.stride;
    own.in_step[k] = step(place);
  }
  job.out = const_cast<char*>(rows.Find(instruction.out, 0));
  job.n = rows.n;
  own.rows = count;
  own.out_step = step(instruction.out);
  own.stream = rows.setup->stream && instruction.out.kind == Place::kOperand;
  RunJob(instruction.kernel, job);
}

// Where a pass has no steps, each kernel takes as many rows as a slot has room
// for, because to call a kernel takes as long as a short row. Returns false
// where a row needs more than calls of kernels.
[[gnu::noinline]] bool RunAllByKernels(Rows* rows) {
  const ChainProgram& program = rows->program;
  const size_t rows_in_all = rows->setup->rows;
  const size_t most = program.block / rows->n;
  if (program.once != 0 || most < 2) return false;
  const std::span<const Instruction> all(program.instructions,
                                         static_cast<size_t>(program.count));
  for (const Instruction& each : all) {
    if (each.spread != 0 || each.counts_zeros) return false;
  }
  while (rows->row < rows_in_all) {
    const size_t count = std::min(most, rows_in_all - rows->row);
    for (const Instruction& each : all) RunOnRows(*rows, each, count);
    rows->row += count;
  }
  return true;
}

}  // namespace

std::vector<CacheLine> ReadySpreads(const ChainPlan& made) {
  const ChainProgram& program = made.program;
  const size_t vector = program.common->vector_bytes;
  const Chain& chain = made.layout.call->chain();
  const size_t bytes = program.spread_vectors * vector;
  std::vector<CacheLine> lines((bytes + 63) / 64);
  char* vectors = reinterpret_cast<char*>(lines.data());
  for (int j = 0; j < program.spread_count; ++j) {
    const SpreadElement& spread = program.spreads[j];
    const Place& from = spread.from;
    if (from.kind != Place::kConstant || from.index < chain.inputs()) continue;
    FillSpread(*program.common, spread,
               chain.constants[from.index - chain.inputs()].bytes.data(),
               vectors + spread.first * vector);
  }
  return lines;
}

void RunChainRows(const ChainRun& run, const Setup& setup,
                  const void* const* in, size_t n) {
  if (n == 0) return;
  const ChainProgram& program = run.made.program;
  // Steps compute in unused lanes, too, and are those of the default
  // environment: in any other, kernels do all the work.
  const FpEnv::Word current = FpEnv::Current();
  const FpEnv env(current);
  alignas(64) char memory[kFrameBytes];
  Rows rows = {run, program, &setup, in, n, false, memory};
  rows.has_steps = program.has_steps && current == FpEnv::Default();
  if (!rows.has_steps && setup.rows > 1 && RunAllByKernels(&rows)) return;
  StepFrame frame;
  if (rows.has_steps) {
    for (int slot = 0; slot < program.step_slots; ++slot) {
      frame.at[kFirstSlotPlace + static_cast<size_t>(slot)] = rows.Slot(slot);
    }
    for (int j = 0; j < program.widened; ++j) {
      frame.at[kFirstWidenedPlace + static_cast<size_t>(j)] = rows.Widened(j);
    }
    FillSpreads(rows, true, &frame);
    if (RunAllBySteps(&rows, &frame)) return;
  }
  for (; rows.row < setup.rows; ++rows.row) RunRow(rows, &frame);
}

lw_status ChainKernel(const Setup* setup, const void* const* in, void* /*out*/,
                      size_t n, Zeros* /*zeros*/) noexcept {
  RunChainRows(*static_cast<const ChainRun*>(setup->params), *setup, in, n);
  return LW_OK;
}

}  // namespace lanewise
