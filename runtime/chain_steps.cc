// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/chain_program.h"
#include "runtime/engine.h"

namespace lanewise {
namespace {

// Asks the kernel of an instruction for its step. Bounds of Clip are part of
// the functor, so they must be known now.
bool Ask(const Chain& chain, const Instruction& instruction,
         const CommonSteps& common, StepRequest* request) {
  const Node& node = *instruction.node;
  if (instruction.once || !node.HasPatterns(instruction.count)) return false;
  alignas(16) static constexpr char kNothing[16] = {};
  const void* in[kMaxInputs];
  for (int k = 0; k < instruction.count; ++k) {
    const Place& place = instruction.in[k];
    in[k] = kNothing;
    if ((node.base_pattern >> k & 1) == 0) continue;
    in[k] = nullptr;
    if (place.kind == Place::kAbsent) continue;
    if (place.kind != Place::kConstant || place.index < chain.inputs()) {
      return false;
    }
    in[k] = chain.constants[place.index - chain.inputs()].bytes.data();
  }
  *request = {};
  Setup setup = node.setup;
  setup.request = request;
  Zeros zeros;
  alignas(16) char out[16];
  const Job job = {&setup, in, out, 0, &zeros};
  RunJob(instruction.bound->kernels[node.base_pattern], job);
  return request->first != nullptr &&
         request->vector_bytes == common.vector_bytes;
}

class StepCompiler {
 public:
  StepCompiler(const Chain& chain, ChainProgram* program)
      : chain_(chain), program_(*program), common_(*program->common) {}

  void Run() {
    for (int at = program_.once; at < program_.count;) {
      const int end = EndOfRun(at);
      if (end - at >= 2) {
        Instruction& first = program_.instructions[at];
        first.first_step = static_cast<uint16_t>(count_);
        first.fused = static_cast<uint8_t>(end - at);
        moving_ = written_ = 0;
        for (int k = at; k < end; ++k) AddInstruction(at, k, end);
        Add(common_.end, {}, nullptr);
        first.moving = moving_;
        first.written = written_;
        program_.has_steps = true;
      }
      at = std::max(end, at + 1);
    }
    FitFrame();
  }

 private:
  // The instructions from `at` on that have steps on elements of one size.
  int EndOfRun(int at) {
    int end = at;
    for (; end < program_.count; ++end) {
      const Instruction& instruction = program_.instructions[end];
      if (!Ask(chain_, instruction, common_, &requests_[end])) break;
      if (instruction.out.size != program_.instructions[at].out.size) break;
    }
    return end;
  }

  bool HasTwoInputs(int at) const { return requests_[at].second != nullptr; }

  // How often an instruction reads a place.
  int Reads(int at, const Place& place) const {
    const Instruction& instruction = program_.instructions[at];
    return static_cast<int>(
        std::count(instruction.in, instruction.in + instruction.count, place));
  }

  // Whether a result is read from memory: by more than the next instruction, or
  // twice by that one.
  bool IsSaved(int at, int end) const {
    const Place& out = program_.instructions[at].out;
    if (at + 1 < end && Reads(at + 1, out) > 1) return true;
    for (int k = at + 1; k < program_.count; ++k) {
      const bool next = k == at + 1 && k < end;
      if (!next && Reads(k, out) != 0) return true;
      // From here on the slot has another result.
      if (program_.instructions[k].out == out) return false;
    }
    return false;
  }

  void AddInstruction(int begin, int at, int end) {
    const Instruction& instruction = program_.instructions[at];
    const StepRequest& request = requests_[at];
    const Place& a = instruction.in[0];
    const Place& b = instruction.in[1];
    const Place* before =
        at > begin ? &program_.instructions[at - 1].out : nullptr;
    if (!HasTwoInputs(at)) {
      if (before == nullptr || *before != a) Load(a);
      Add(request.first, {}, &request);
    } else if (before != nullptr && *before == b && *before != a) {
      Add(request.second, a, &request);
    } else {
      if (before == nullptr || *before != a) Load(a);
      Add(request.first, b, &request);
    }
    const bool is_output = instruction.out.kind == Place::kOperand;
    const bool saved = IsSaved(at, end);
    if (!is_output && !saved) return;
    Add(common_.store, instruction.out, nullptr);
    // Past the caches only goes what is not read again.
    program_.steps[count_ - 1].functor[0] = is_output && !saved;
  }

  void Load(const Place& place) { Add(common_.load, place, nullptr); }

  void Add(StepCode code, const Place& place, const StepRequest* request) {
    Step& step = program_.steps[count_++];
    step.code = code;
    step.place = static_cast<uint32_t>(PlaceInFrame(place));
    step.is_spread = place.kind != Place::kAbsent && place.stride == 0;
    step.mask = place.stride == 0 ? 0 : SIZE_MAX;
    std::memset(step.functor, 0, sizeof(step.functor));
    if (place.kind == Place::kOperand && place.stride != 0) {
      moving_ |= uint32_t{1} << place.index;
      if (code == common_.store) written_ |= uint32_t{1} << place.index;
    }
    if (request == nullptr) return;
    std::memcpy(step.functor, request->functor, sizeof(step.functor));
  }

  size_t PlaceInFrame(const Place& place) {
    if (place.kind == Place::kAbsent) return 0;
    if (place.stride == 0) return SpreadPlace(place);
    return place.kind == Place::kOperand ? place.index
                                         : kFirstSlotPlace + place.index;
  }

  size_t SpreadPlace(const Place& place) {
    int j = 0;
    while (j < program_.spread_count && program_.spreads[j].from != place) ++j;
    const size_t at = kFirstSpreadPlace + static_cast<size_t>(j);
    if (j == ChainProgram::kMaxSpreads) {
      fits_ = false;
      return kFirstSpreadPlace;
    }
    if (j == program_.spread_count) {
      program_.spreads[program_.spread_count++] = {place, at};
    }
    return at;
  }

  // Where all of a pass is steps, slots hold one block of steps, and rows need
  // no blocks of their own.
  void FitFrame() {
    const size_t block = common_.block_bytes();
    const auto slots = static_cast<size_t>(program_.slots);
    const auto spreads = static_cast<size_t>(program_.spread_count);
    // The last block of a row may end behind the row.
    const size_t bytes = (program_.slot_bytes + block - 1) / block * block;
    if (block > kMostStepBytes || !std::has_single_bit(block)) fits_ = false;
    if (!fits_ ||
        slots * bytes + spreads * common_.vector_bytes > kFrameBytes) {
      program_.has_steps = false;
    }
    if (!program_.has_steps) return;
    program_.slot_bytes = bytes;
    program_.block_with_steps = program_.block;
    const Instruction& first = program_.instructions[program_.once];
    if (program_.once + first.fused != program_.count) return;
    program_.block_with_steps = SIZE_MAX;
    for (int k = 0; k < count_; ++k) {
      const size_t place = program_.steps[k].place;
      if (place >= kFirstSlotPlace && place < kFirstSpreadPlace) {
        program_.steps[k].mask = 0;
      }
    }
  }

  const Chain& chain_;
  ChainProgram& program_;
  const CommonSteps& common_;
  StepRequest requests_[LW_MAX_STEPS];
  int count_ = 0;
  uint32_t moving_ = 0;
  uint32_t written_ = 0;
  bool fits_ = true;
};

}  // namespace

void AddSteps(const Chain& chain, ChainProgram* program) {
  program->common = &CommonStepsOn(chain.engine->targets);
  program->has_steps = false;
  program->spread_count = 0;
  program->ready_spreads = nullptr;
  program->block_with_steps = program->block;
  StepCompiler(chain, program).Run();
}

}  // namespace lanewise
