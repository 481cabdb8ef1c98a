// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/fp_env.h"
#include "runtime/chain/chain_program.h"
#include "runtime/engine/engine.h"

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
  // A kernel may run on lanes of another width, as Abs of unsigned numbers,
  // whose elements are bytes to the kernel: a block of elements would have too
  // few.
  const bool fits =
      request->inputs == 3 || request->lane_bytes == instruction.in[0].size;
  return request->inputs != 0 && fits &&
         request->vector_bytes == common.vector_bytes;
}

class StepCompiler {
 public:
  StepCompiler(const Chain& chain, ChainProgram* program)
      : chain_(chain), program_(*program), common_(*program->common) {}

  void Run() {
    for (int at = program_.once; at < program_.count;) {
      const int end = EndOfRun(at);
      if (end - at >= 2) AddRun(at, end);
      at = std::max(end, at + 1);
    }
    FitFrame();
  }

 private:
  // The instructions from `at` on that have steps on lanes of one width.
  int EndOfRun(int at) {
    lane_bytes_ = 1;
    int end = at;
    for (; end < program_.count; ++end) {
      StepRequest& request = requests_[end];
      if (!Ask(chain_, program_.instructions[end], common_, &request)) break;
      if (request.lane_bytes == 1) continue;
      if (lane_bytes_ != 1 && request.lane_bytes != lane_bytes_) break;
      lane_bytes_ = request.lane_bytes;
    }
    return end;
  }

  void AddRun(int begin, int end) {
    begin_ = begin;
    end_ = end;
    moving_ = written_ = narrow_ = 0;
    Instruction& first = program_.instructions[begin];
    first.first_step = static_cast<uint16_t>(count_);
    first.fused = static_cast<uint8_t>(end - begin);
    first.lane_bytes = static_cast<uint8_t>(lane_bytes_);
    WidenBytes();
    for (int at = begin; at < end; ++at) {
      if (IsForChoice(at)) {
        AddChoice(at++);
      } else {
        AddInstruction(at);
      }
      Save(at);
    }
    Add(common_.end, {});
    first.moving = moving_;
    program_.copies = std::max(program_.copies, std::popcount(moving_));
    first.written = written_;
    first.narrow = narrow_;
    program_.has_steps = true;
  }

  const Place& In(int at, int k) const {
    return program_.instructions[at].in[k];
  }
  const Place& Out(int at) const { return program_.instructions[at].out; }
  /// What is in registers before an instruction.
  Place Held(int at) const { return at > begin_ ? Out(at - 1) : Place{}; }

  // ---- Who reads a result

  int Reads(int at, const Place& place) const {
    const Instruction& instruction = program_.instructions[at];
    return static_cast<int>(
        std::count(instruction.in, instruction.in + instruction.count, place));
  }
  // Whether one of the instructions [begin, end) reads the result of `at`. Once
  // the place has another result, none does.
  bool IsRead(int at, int begin, int end) const {
    for (int k = at + 1; k < end; ++k) {
      if (k >= begin && Reads(k, Out(at)) != 0) return true;
      if (Out(k) == Out(at)) return false;
    }
    return false;
  }

  // The input of an instruction that is in registers; -1: none.
  int OwnInput(int at) const {
    const StepRequest& request = requests_[at];
    for (int k = 0; k < request.inputs; ++k) {
      if (request.own[k] != nullptr && In(at, k) == Held(at)) return k;
    }
    return -1;
  }

  // Whether an instruction is a comparison by which the next one chooses, and
  // nothing else reads its result. The comparison then reads memory.
  bool IsForChoice(int at) const {
    const int next = at + 1;
    if (next >= end_ || requests_[at].choose == nullptr) return false;
    const Place& result = Out(at);
    if (requests_[next].inputs != 3 || In(next, 0) != result) return false;
    if (Reads(next, result) != 1 || result.kind != Place::kSlot) return false;
    if (IsRead(at, next + 1, program_.count)) return false;
    return OwnChoice(at) >= 0 || OwnInput(at) < 0;
  }
  // The value to choose that is in registers before the comparison; -1: none.
  int OwnChoice(int at) const {
    for (int k = 1; k <= 2; ++k) {
      if (In(at + 1, k) == Held(at)) return k;
    }
    return -1;
  }

  // Whether later steps read the result of an instruction from memory.
  bool IsKept(int at) const {
    const int next = at + 1;
    if (next >= end_) return false;
    const bool for_choice = IsForChoice(next);
    int reads = Reads(next, Out(at));
    if (for_choice) reads += Reads(next + 1, Out(at));
    if ((for_choice ? OwnChoice(next) : OwnInput(next)) >= 0) --reads;
    return reads > 0 || IsRead(at, next + (for_choice ? 2 : 1), end_);
  }

  // ---- Steps

  void AddInstruction(int at) {
    const StepRequest& request = requests_[at];
    int own = OwnInput(at);
    if (own < 0) {
      own = 0;
      Add(common_.load, In(at, own));
    }
    AddOperands(request.own[own], at, own, request.functor);
  }
  void AddChoice(int at) {
    int own = OwnChoice(at);
    if (own < 0) {
      own = 1;
      Add(common_.load, In(at + 1, own));
    }
    unsigned char functor[kFunctorBytes] = {};
    functor[0] = own == 1;
    AddOperands(requests_[at].choose, at, -1, functor);
    Add(nullptr, In(at + 1, 3 - own), nullptr, true);
  }
  // The step, with those inputs of an instruction that are in memory.
  void AddOperands(StepCode code, int at, int own,
                   const unsigned char* functor) {
    if (requests_[at].inputs == 1) Add(code, {}, functor);
    for (int k = 0; k < requests_[at].inputs; ++k) {
      if (k == own) continue;
      Add(code, In(at, k), functor, IsComparison(at));
      code = nullptr;
    }
  }
  bool IsComparison(int at) const {
    return requests_[at].inputs == 2 && requests_[at].own[1] == nullptr;
  }

  // Stores the result of an instruction where memory must have the result.
  void Save(int at) {
    const Place& out = Out(at);
    const bool is_output = out.kind == Place::kOperand;
    const bool kept = IsKept(at);
    const bool is_read_behind = IsRead(at, end_, program_.count);
    const bool leaves = is_output || is_read_behind;
    if (IsNarrow(out)) {
      if (kept) Add(common_.store, out);
      if (leaves) AddBytes(common_.store_bytes, out);
    } else if (kept || leaves) {
      // Past the caches only goes what is not read again.
      const bool may_stream = is_output && !kept && !is_read_behind;
      const unsigned char functor[kFunctorBytes] = {may_stream};
      Add(common_.store, out, functor);
    }
  }

  // A step with an operand. One element is a vector of copies, or of a block.
  void Add(StepCode code, const Place& place,
           const unsigned char* functor = nullptr, bool as_block = false) {
    const bool is_spread = place.kind != Place::kAbsent && place.stride == 0;
    size_t mask = place.stride == 0 ? 0 : SIZE_MAX;
    size_t at = PlaceInFrame(place, as_block);
    if (IsNarrow(place)) {
      at = kFirstWidenedPlace + static_cast<size_t>(FindWidened(place));
      mask = 0;
    } else {
      NoteMoving(code, place);
    }
    Append({code, static_cast<uint32_t>(at), is_spread, mask, {}}, functor);
  }

  // ---- Bytes in wider lanes

  bool IsNarrow(const Place& place) const {
    return place.size < lane_bytes_ && place.stride != 0;
  }

  // Bytes from outside of the run are widened before its first step, as the
  // registers are free there.
  void WidenBytes() {
    widened_ = 0;
    for (int at = begin_; at < end_; ++at) {
      for (int k = 0; k < requests_[at].inputs; ++k) {
        const Place& place = In(at, k);
        if (!IsNarrow(place) || !IsNew(place)) continue;
        AddBytes(common_.load_bytes, place);
        Add(common_.store, place);
      }
      if (IsNarrow(Out(at))) IsNew(Out(at));
    }
  }
  int FindWidened(const Place& place) const {
    return static_cast<int>(std::find(bytes_, bytes_ + widened_, place) -
                            bytes_);
  }
  // Whether bytes have no block of whole lanes yet. Gives them one.
  bool IsNew(const Place& place) {
    if (FindWidened(place) < widened_) return false;
    if (widened_ == ChainProgram::kMaxWidened) fits_ = false;
    if (!fits_) return false;
    bytes_[widened_++] = place;
    program_.widened = std::max(program_.widened, widened_);
    return true;
  }

  void AddBytes(const StepCode* codes, const Place& place) {
    const StepCode code = codes[std::countr_zero(lane_bytes_) - 1];
    NoteMoving(code, place);
    Append(
        {code, static_cast<uint32_t>(PlaceInFrame(place)), false, SIZE_MAX, {}},
        nullptr);
  }

  // ---- Memory

  void NoteMoving(StepCode code, const Place& place) {
    if (place.kind != Place::kOperand || place.stride == 0) return;
    const uint32_t bit = uint32_t{1} << place.index;
    moving_ |= bit;
    if (IsNarrow(place)) narrow_ |= bit;
    const bool is_stored =
        code == common_.store ||
        std::count(common_.store_bytes, common_.store_bytes + 3, code) != 0;
    if (is_stored) written_ |= bit;
  }

  void Append(const Step& step, const unsigned char* functor) {
    if (count_ == program_.most_steps) {
      fits_ = false;
      return;
    }
    Step& made = program_.steps[count_++];
    made = step;
    if (functor != nullptr) {
      std::memcpy(made.functor, functor, sizeof(made.functor));
    }
  }

  size_t PlaceInFrame(const Place& place, bool as_block = false) {
    if (place.kind == Place::kAbsent) return 0;
    if (place.stride == 0) return SpreadPlace(place, as_block);
    return place.kind == Place::kOperand ? place.index
                                         : kFirstSlotPlace + place.index;
  }

  size_t SpreadPlace(const Place& place, bool as_block) {
    const size_t count = as_block ? kStepVectors : 1;
    int j = 0;
    while (j < program_.spread_count && (program_.spreads[j].from != place ||
                                         program_.spreads[j].count != count)) {
      ++j;
    }
    const size_t at = kFirstSpreadPlace + static_cast<size_t>(j);
    if (j == program_.most_spreads) {
      fits_ = false;
      return kFirstSpreadPlace;
    }
    if (j == program_.spread_count) {
      program_.spreads[program_.spread_count++] = {
          place, at, program_.spread_vectors, count};
      program_.spread_vectors += count;
    }
    return at;
  }

  // Slots of at least one block, beside all else that is in the frame. Where
  // all of a pass is steps, slots hold one block of steps, and rows need no
  // blocks of their own.
  void FitFrame() {
    const size_t block = common_.block_bytes();
    const auto slots = static_cast<size_t>(std::max(1, program_.slots));
    const auto blocks = static_cast<size_t>(program_.widened + program_.copies);
    const size_t others =
        (program_.spread_vectors * common_.vector_bytes) + (blocks * block);
    if (block > kMostStepBytes || !std::has_single_bit(block)) fits_ = false;
    if (!fits_ || others + (slots * block) > kFrameBytes) {
      program_.has_steps = false;
    }
    if (!program_.has_steps) return;
    // The last block of a row may end behind the row.
    const size_t bytes = (program_.slot_bytes + block - 1) / block * block;
    const size_t most = (kFrameBytes - others) / slots / block * block;
    if (bytes <= most) {
      program_.slot_bytes = bytes;
    } else {
      program_.SetSlotBytes(most);
    }
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
  bool fits_ = true;
  // Of the run.
  int begin_ = 0;
  int end_ = 0;
  size_t lane_bytes_ = 1;
  uint32_t moving_ = 0;
  uint32_t written_ = 0;
  uint32_t narrow_ = 0;
  Place bytes_[ChainProgram::kMaxWidened];
  int widened_ = 0;
};

}  // namespace

void AddSteps(const Chain& chain, ChainProgram* program) {
  program->common = &CommonStepsOn(chain.engine->targets);
  program->has_steps = false;
  program->spread_count = 0;
  program->spread_vectors = 0;
  program->widened = 0;
  program->copies = 0;
  program->ready_spreads = nullptr;
  program->block_with_steps = program->block;
  // Steps run in the default environment, so kernels are asked in this one.
  const FpEnv env(FpEnv::Default());
  StepCompiler(chain, program).Run();
}

}  // namespace lanewise
