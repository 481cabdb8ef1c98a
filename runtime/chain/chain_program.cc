// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_program.h"

#include <algorithm>
#include <bit>

#include "kernels/tiles.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"

namespace lanewise {
namespace {

// Few slots leave room for long blocks; all of them stay in L1 beside the
// operands.
constexpr size_t kQuickBytes = size_t{12} << 10;
// Keeps operands of any type aligned.
constexpr size_t kGranule = 64;

uint8_t SizeOf(int32_t type) {
  return static_cast<uint8_t>(FindType(type)->bits / 8);
}

// Hands out the slots of the frame.
class Slots {
 public:
  // The first of some slots that lie side by side.
  uint8_t Take(int count) {
    int first = 0;
    for (int found = 0; found < count;) {
      if (used_[first + found]) {
        first += found + 1;
        found = 0;
      } else {
        ++found;
      }
    }
    std::fill_n(used_ + first, count, true);
    most_ = std::max(most_, first + count);
    return static_cast<uint8_t>(first);
  }
  // A slot for a result. Those for elements that may be narrower than lanes are
  // no others', because steps on wider lanes reach the same byte of such slots
  // in different blocks.
  uint8_t TakeFor(uint8_t size) {
    const Width width = size == 1 ? kBytes : size == 2 ? kHalves : kWider;
    int slot = 0;
    while (used_[slot] || (width_[slot] != kNone && width_[slot] != width)) {
      ++slot;
    }
    width_[slot] = width;
    used_[slot] = true;
    most_ = std::max(most_, slot + 1);
    return static_cast<uint8_t>(slot);
  }
  void Free(int first, int count) { std::fill_n(used_ + first, count, false); }
  int most() const { return most_; }

 private:
  enum Width : uint8_t { kNone, kBytes, kHalves, kWider };
  bool used_[kMaxSlots] = {};
  Width width_[kMaxSlots] = {};
  int most_ = 0;
};

class Compiler {
 public:
  Compiler(const PassLayout& layout, const Plan& plan, ChainProgram* program)
      : layout_(layout),
        call_(*layout.call),
        chain_(layout.call->chain()),
        plan_(plan),
        program_(*program) {}

  void Run() {
    Order();
    program_.count = 0;
    program_.widest = 1;
    for (int at = 0; at < ordered_; ++at) AddStep(at);
    SetBlock();
  }

 private:
  bool IsInPass(size_t s) const {
    return (layout_.pass->steps >> s & 1) != 0 && !chain_.steps[s].is_head;
  }

  // Which of the pass's outputs the step computes; -1: none.
  int OutputOf(size_t s) const {
    for (int j = 0; j < layout_.pass->count; ++j) {
      if (chain_.SourceOf(layout_.pass->outputs[j]) == s) return j;
    }
    return -1;
  }

  // Whether a fast engine keeps a step's 16-bit result as float32
  // (StepRun::half). A step that runs once for a row would round its result.
  bool StaysFloat(size_t s) const {
    const int32_t type = chain_.steps[s].type;
    return chain_.engine->ways.accuracy == Way::kFast &&
           (type == LW_FLOAT16 || type == LW_BFLOAT16);
  }

  // Steps that are the same for a whole row come first.
  void Order() {
    std::fill_n(once_, LW_MAX_STEPS, false);
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (!IsInPass(s)) continue;
      once_[s] = OutputOf(s) < 0 && !StaysFloat(s);
      const size_t count = chain_.steps[s].operands.size();
      for (size_t k = 0; k < count; ++k) once_[s] &= !Moves(s, k);
    }
    ordered_ = 0;
    for (const bool once : {true, false}) {
      for (size_t s = 0; s < chain_.steps.size(); ++s) {
        if (IsInPass(s) && once_[s] == once) order_[ordered_++] = s;
      }
      if (once) program_.once = ordered_;
    }
    std::fill_n(last_use_, LW_MAX_STEPS, -1);
    for (int at = 0; at < ordered_; ++at) {
      for (const int32_t value : chain_.steps[order_[at]].operands) {
        if (chain_.IsStep(value)) last_use_[chain_.StepOf(value)] = at;
      }
    }
  }

  // The number of a step's operand among the plan's inputs.
  int InputOf(size_t s, size_t k) const {
    const int32_t value = chain_.steps[s].operands[k];
    const int32_t offset = call_.OffsetOf(s, k, layout_.step_offsets);
    int p = 0;
    while (layout_.inputs[p].value != value ||
           layout_.inputs[p].offset != offset) {
      ++p;
    }
    return p;
  }

  // Whether an operand has an element for each output of a row.
  bool Moves(size_t s, size_t k) const {
    const int32_t value = chain_.steps[s].operands[k];
    if (value < 0) return false;
    if (chain_.RootOf(value) < 0) return !once_[chain_.StepOf(value)];
    if (call_.ElementsOf(value) == 1) return false;
    const int p = InputOf(s, k);
    return plan_.tiled ? !plan_.IsScalar(p) : plan_.nest.inner_stride(p) == 1;
  }

  Place PlaceOf(size_t s, size_t k) const {
    const ChainStep& step = chain_.steps[s];
    const int32_t value = k < step.operands.size() ? step.operands[k] : -1;
    if (value < 0) return {Place::kAbsent, 0, 0, 0};
    const int32_t root = chain_.RootOf(value);
    if (root < 0) return results_[chain_.StepOf(value)];
    const uint8_t size = SizeOf(chain_.TypeOf(value));
    if (call_.ElementsOf(value) == 1) {
      return {Place::kConstant, static_cast<uint8_t>(root), 0, size};
    }
    return {Place::kOperand, static_cast<uint8_t>(InputOf(s, k)),
            static_cast<uint8_t>(Moves(s, k) ? 1 : 0), size};
  }

  void PlaceResult(size_t s, Instruction* made) {
    const uint8_t size = SizeOf(chain_.steps[s].type);
    const int output = OutputOf(s);
    if (output >= 0) {
      const auto p = static_cast<uint8_t>(plan_.output() + output);
      made->out = {Place::kOperand, p, 1, size};
    } else {
      const auto stride = static_cast<uint8_t>(made->once ? 0 : 1);
      made->out = {Place::kSlot, slots_.TakeFor(size), stride, size};
    }
    program_.widest = std::max<size_t>(program_.widest, size);
    results_[s] = made->out;
  }

  // The kernel for the places of the inputs. Where no kernel takes one element
  // in place of many, the element is spread over a slot.
  void ChooseKernel(Instruction* made) {
    const Node& node = *made->node;
    int ones = 0;
    for (int k = 0; k < made->count; ++k) {
      program_.widest = std::max<size_t>(program_.widest, made->in[k].size);
      if (made->in[k].stride == 0) ones |= 1 << k;
    }
    made->spread = 0;
    made->own_setup = !node.HasPatterns(made->count);
    if (made->own_setup) {
      made->kernel = made->bound->kernels[kAnyStride];
      return;
    }
    const int pattern = node.base_pattern | (made->once ? 0 : ones);
    made->kernel = made->bound->kernels[pattern];
    if (made->kernel != nullptr) return;
    made->kernel = made->bound->kernels[node.base_pattern];
    made->spread = static_cast<uint16_t>(ones & ~node.base_pattern);
    const int count = std::popcount(made->spread);
    made->spare = slots_.Take(count);
    slots_.Free(made->spare, count);
  }

  void AddStep(int at) {
    const size_t s = order_[at];
    const ChainStep& step = chain_.steps[s];
    const Node& node = *step.node;
    Instruction& made = program_.instructions[program_.count++];
    made.node = &node;
    made.bound =
        node.BindBy([&](size_t k) { return chain_.TypeOf(step.operands[k]); });
    made.step = static_cast<uint8_t>(s);
    made.count =
        static_cast<uint8_t>(node.KernelInputsOf(step.operands.size()));
    made.once = once_[s];
    made.fused = 0;
    made.counts_zeros =
        step.reports_zeros && (layout_.pass->counts >> s & 1) != 0;
    for (size_t k = 0; k < made.count; ++k) made.in[k] = PlaceOf(s, k);
    PlaceResult(s, &made);
    ChooseKernel(&made);
    for (const int32_t value : step.operands) FreeAfter(value, at);
  }

  // What once-steps leave is read in each block of the row.
  void FreeAfter(int32_t value, int at) {
    if (!chain_.IsStep(value) || chain_.RootOf(value) >= 0) return;
    const size_t s = chain_.StepOf(value);
    if (last_use_[s] != at || results_[s].kind != Place::kSlot) return;
    if (once_[s] && at >= program_.once) return;
    last_use_[s] = -1;
    slots_.Free(results_[s].index, 1);
  }

  void SetBlock() {
    const auto slots = static_cast<size_t>(std::max(1, slots_.most()));
    size_t bytes = std::min(kTileBytes, kQuickBytes / slots);
    bytes = std::max(bytes, kGranule * program_.widest);
    bytes = std::min(bytes, kFrameBytes / slots);
    program_.slots = slots_.most();
    program_.SetSlotBytes(bytes - bytes % kGranule);
    const bool is_one = program_.count == 1 && slots_.most() == 0;
    if (is_one) program_.block = SIZE_MAX;
  }

  const PassLayout& layout_;
  const ChainCall& call_;
  const Chain& chain_;
  const Plan& plan_;
  ChainProgram& program_;
  Slots slots_;
  size_t order_[LW_MAX_STEPS];
  int ordered_ = 0;
  bool once_[LW_MAX_STEPS];
  int last_use_[LW_MAX_STEPS];
  Place results_[LW_MAX_STEPS];
};

// As many steps as instructions rarely need: a run of steps is not made if it
// needs more.
constexpr size_t kStepsPerInstruction = 6;

size_t OperandsOf(const Chain& chain) {
  size_t count = 0;
  for (const ChainStep& step : chain.steps) count += step.operands.size();
  return count;
}

}  // namespace

ChainProgram::ChainProgram(const Chain& chain, MemoryParts& parts)
    : instructions(parts.Take<Instruction>(chain.steps.size())),
      most_steps(static_cast<int>(kStepsPerInstruction * chain.steps.size())),
      steps(parts.Take<Step>(static_cast<size_t>(most_steps))),
      most_spreads(
          static_cast<int>(std::min<size_t>(kMaxSpreads, OperandsOf(chain)))),
      spreads(parts.Take<SpreadElement>(static_cast<size_t>(most_spreads))) {}

void ChainProgram::SetSlotBytes(size_t bytes) {
  slot_bytes = bytes;
  block = bytes / widest;
  if (block > kGranule) block -= block % kGranule;
}

int ChainProgram::Reads(int at, const Place& place) const {
  const Instruction& instruction = instructions[at];
  return static_cast<int>(
      std::count(instruction.in, instruction.in + instruction.count, place));
}

bool ChainProgram::IsRead(int at, int begin, int end) const {
  const Place& result = instructions[at].out;
  for (int k = at + 1; k < end; ++k) {
    if (k >= begin && Reads(k, result) != 0) return true;
    // Once the place has another result, nothing reads this one.
    if (instructions[k].out == result) return false;
  }
  return false;
}

void MakeProgram(const PassLayout& layout, const Plan& plan,
                 ChainProgram* program) {
  Compiler(layout, plan, program).Run();
  AddSteps(layout.call->chain(), program);
}

}  // namespace lanewise
