// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/step_runs.h"

#include "runtime/engine/engine.h"

namespace lanewise {
namespace {

Half HalfOf(int32_t type) {
  if (type == LW_FLOAT16) return Half::kFloat16;
  return type == LW_BFLOAT16 ? Half::kBFloat16 : Half::kNone;
}

class Finder {
 public:
  Finder(const Chain& chain, const ChainProgram& program)
      : chain_(chain), program_(program) {}

  // On lanes as wide as the elements.
  void FindPlain(int begin, StepRun* run) const {
    *run = {begin, begin, 1, Half::kNone, {}};
    while (run->end < program_.count &&
           AskPlain(program_.instructions[run->end], run)) {
      ++run->end;
    }
  }

  // On lanes of float32, some of which are 16-bit floats.
  void FindInFloats(int begin, StepRun* run) const {
    *run = {begin, begin, sizeof(float), Half::kNone, {}};
    while (run->end < program_.count &&
           AskInFloats(program_.instructions[run->end], run)) {
      ++run->end;
    }
  }

 private:
  // Asks a kernel of an instruction for its step: the usual kernel, or the one
  // for float32, whose inputs are 16-bit floats here. Bounds of Clip are part
  // of the functor, so they must be known now.
  bool Ask(const Instruction& instruction, const BoundTypes& bound, Half half,
           StepRequest* request) const {
    const Node& node = *instruction.node;
    if (instruction.once || !node.HasPatterns(instruction.count)) return false;
    alignas(16) static constexpr char kNothing[16] = {};
    const void* in[kMaxInputs] = {};
    alignas(16) char widened[kPatternInputs][kMostStepBytes / kStepVectors];
    for (int k = 0; k < instruction.count; ++k) {
      const Place& place = instruction.in[k];
      in[k] = kNothing;
      if ((node.base_pattern >> k & 1) == 0) continue;
      in[k] = nullptr;
      if (place.kind == Place::kAbsent) continue;
      if (place.kind != Place::kConstant || place.index < chain_.inputs()) {
        return false;
      }
      in[k] = chain_.constants[place.index - chain_.inputs()].bytes.data();
      if (half == Half::kNone) continue;
      program_.common->spread_half[static_cast<size_t>(half)](in[k],
                                                              widened[k]);
      in[k] = widened[k];
    }
    *request = {};
    Setup setup = node.setup;
    setup.request = request;
    Zeros zeros;
    alignas(16) char out[16];
    const Job job = {&setup, in, out, 0, &zeros};
    RunJob(bound.kernels[node.base_pattern], job);
    // A kernel may run on lanes of another width, as Abs of unsigned numbers,
    // whose elements are bytes to the kernel: a block of elements would have
    // too few.
    const size_t lane =
        half != Half::kNone ? sizeof(float) : instruction.in[0].size;
    const bool fits = request->inputs == 3 || request->lane_bytes == lane;
    return request->inputs != 0 && fits &&
           request->vector_bytes == program_.common->vector_bytes;
  }

  bool AskPlain(const Instruction& instruction, StepRun* run) const {
    StepRequest& request = run->requests[&instruction - program_.instructions];
    if (!Ask(instruction, *instruction.bound, Half::kNone, &request)) {
      return false;
    }
    if (request.lane_bytes == 1) return true;
    if (run->lane_bytes == 1) run->lane_bytes = request.lane_bytes;
    return request.lane_bytes == run->lane_bytes;
  }

  // The 16-bit floats of an instruction; kNone if there are others.
  Half HalfOfAll(const Instruction& instruction) const {
    const auto& types = instruction.bound->types;
    int32_t found = types[BoundTypes::kOutput];
    for (int k = 0; k < instruction.count; ++k) {
      if (found == LW_BOOL) found = types[k];
      if (types[k] != LW_BOOL && types[k] != found) return Half::kNone;
    }
    return HalfOf(found);
  }

  // Asks the kernel for float32 where an instruction is on 16-bit floats.
  bool AskInFloats(const Instruction& instruction, StepRun* run) const {
    const Half half = HalfOfAll(instruction);
    if (half == Half::kNone) return AskPlain(instruction, run);
    if (run->half == Half::kNone) run->half = half;
    const CommonSteps& common = *program_.common;
    if (half != run->half || common.block_bytes() > kMostStepBytes ||
        common.load_half[static_cast<size_t>(half)] == nullptr) {
      return false;
    }
    const BoundTypes* bound =
        instruction.node->BindBy([&](size_t k) -> int32_t {
          const int32_t type = instruction.bound->types[k];
          return HalfOf(type) == half ? LW_FLOAT32 : type;
        });
    StepRequest& request = run->requests[&instruction - program_.instructions];
    return bound != nullptr && Ask(instruction, *bound, half, &request);
  }

  const Chain& chain_;
  const ChainProgram& program_;
};

}  // namespace

void FindRun(const Chain& chain, const ChainProgram& program, int begin,
             StepRun* run) {
  const Finder finder(chain, program);
  finder.FindPlain(begin, run);
  if (chain.engine->ways.accuracy != Way::kFast) return;
  // Lanes as wide as the elements are more, so lanes of float32 must make the
  // run longer: operators that convert 16-bit floats have steps only there.
  const int end = run->end;
  finder.FindInFloats(begin, run);
  if (run->end <= end || run->half == Half::kNone) finder.FindPlain(begin, run);
}

void FillSpread(const CommonSteps& common, const SpreadElement& spread,
                const void* element, char* vectors) {
  for (size_t k = 0; k < spread.count; ++k) {
    char* vector = vectors + k * common.vector_bytes;
    if (spread.half == Half::kNone) {
      common.spread(element, spread.from.size, vector);
    } else {
      common.spread_half[static_cast<size_t>(spread.half)](element, vector);
    }
  }
}

}  // namespace lanewise
