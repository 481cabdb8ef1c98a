// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/fp_env.h"
#include "runtime/chain/chain_program.h"
#include "runtime/chain/step_runs.h"
#include "runtime/engine/engine.h"

namespace lanewise {
namespace {

class StepCompiler {
 public:
  StepCompiler(const Chain& chain, ChainProgram* program)
      : chain_(chain), program_(*program), common_(*program->common) {}

  void Run() {
    for (int at = program_.once; at < program_.count;) {
      FindRun(chain_, program_, at, &run_);
      if (run_.end - at >= 2) AddRun();
      at = std::max(run_.end, at + 1);
    }
    FitFrame();
  }

 private:
  void AddRun() {
    Instruction& first = program_.instructions[run_.begin];
    first.first_step = static_cast<uint16_t>(count_);
    first.fused = static_cast<uint8_t>(run_.end - run_.begin);
    first.lane_bytes = static_cast<uint8_t>(run_.lane_bytes);
    first.moving = first.written = first.bytes = first.halves = 0;
    first_ = &first;
    WidenElements();
    for (int at = run_.begin; at < run_.end; ++at) {
      if (IsForChoice(at)) {
        AddChoice(at++);
      } else {
        AddInstruction(at);
      }
      Save(at);
    }
    Add(common_.end, {});
    program_.copies = std::max(program_.copies, std::popcount(first.moving));
    program_.has_steps = true;
  }

  const Place& In(int at, int k) const {
    return program_.instructions[at].in[k];
  }
  const Place& Out(int at) const { return program_.instructions[at].out; }
  /// What is in registers before an instruction.
  Place Held(int at) const { return at > run_.begin ? Out(at - 1) : Place{}; }
  const StepRequest& Request(int at) const { return run_.requests[at]; }

  // ---- Who reads a result

  // The input of an instruction that is in registers; -1: none.
  int OwnInput(int at) const {
    const StepRequest& request = Request(at);
    for (int k = 0; k < request.inputs; ++k) {
      if (request.own[k] != nullptr && In(at, k) == Held(at)) return k;
    }
    return -1;
  }

  // Whether an instruction is a comparison by which the next one chooses, and
  // nothing else reads its result. The comparison then reads memory.
  bool IsForChoice(int at) const {
    const int next = at + 1;
    if (next >= run_.end || Request(at).choose == nullptr) return false;
    const Place& result = Out(at);
    if (Request(next).inputs != 3 || In(next, 0) != result) return false;
    if (program_.Reads(next, result) != 1 || result.kind != Place::kSlot)
      return false;
    if (program_.IsRead(at, next + 1, program_.count)) return false;
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
    if (next >= run_.end) return false;
    const bool for_choice = IsForChoice(next);
    int reads = program_.Reads(next, Out(at));
    if (for_choice) reads += program_.Reads(next + 1, Out(at));
    if ((for_choice ? OwnChoice(next) : OwnInput(next)) >= 0) --reads;
    return reads > 0 ||
           program_.IsRead(at, next + (for_choice ? 2 : 1), run_.end);
  }

  // ---- Steps

  // Loads what an instruction needs in registers.
  void Load(int at, const Place& place) {
    if (IsNarrow(place) && !IsMade(place, at)) {
      AddNarrow(place, false);
    } else {
      Add(common_.load, place);
    }
  }
  // Whether a place has a result of the run before an instruction.
  bool IsMade(const Place& place, int at) const {
    int k = run_.begin;
    while (k < at && Out(k) != place) ++k;
    return k < at;
  }
  void AddInstruction(int at) {
    const StepRequest& request = Request(at);
    int own = OwnInput(at);
    if (own < 0) {
      own = 0;
      Load(at, In(at, own));
    }
    AddOperands(request.own[own], at, own, request.functor);
  }
  void AddChoice(int at) {
    int own = OwnChoice(at);
    if (own < 0) {
      own = 1;
      Load(at, In(at + 1, own));
    }
    unsigned char functor[kFunctorBytes] = {};
    functor[0] = own == 1;
    AddOperands(Request(at).choose, at, -1, functor);
    Add(nullptr, In(at + 1, 3 - own), nullptr, kStepVectors);
  }
  // The step, with those inputs of an instruction that are in memory.
  void AddOperands(StepCode code, int at, int own,
                   const unsigned char* functor) {
    const int inputs = Request(at).inputs;
    if (inputs == 1) Add(code, {}, functor);
    // A step of two inputs spreads an element over a vector itself.
    const size_t copies = IsComparison(at) ? kStepVectors : inputs == 2 ? 0 : 1;
    for (int k = 0; k < inputs; ++k) {
      if (k == own) continue;
      Add(code, In(at, k), functor, copies);
      code = nullptr;
    }
  }
  bool IsComparison(int at) const {
    return Request(at).inputs == 2 && Request(at).own[1] == nullptr;
  }

  // Stores the result of an instruction where memory must have the result.
  void Save(int at) {
    const Place& out = Out(at);
    const bool is_output = out.kind == Place::kOperand;
    const bool kept = IsKept(at);
    const bool is_read_behind = program_.IsRead(at, run_.end, program_.count);
    const bool leaves = is_output || is_read_behind;
    // Past the caches only goes what is not read again.
    const bool may_stream = is_output && !kept && !is_read_behind;
    const unsigned char functor[kFunctorBytes] = {may_stream};
    if (IsNarrow(out)) {
      if (kept) Add(common_.store, out);
      if (leaves) AddNarrow(out, true, functor);
    } else if (kept || leaves) {
      Add(common_.store, out, functor);
    }
  }

  // A step with an operand. One element is `copies` vectors of copies.
  void Add(StepCode code, const Place& place,
           const unsigned char* functor = nullptr, size_t copies = 1) {
    const bool is_spread = place.kind != Place::kAbsent && place.stride == 0;
    size_t mask = place.stride == 0 ? 0 : SIZE_MAX;
    size_t at = PlaceInFrame(place, copies);
    if (IsNarrow(place)) {
      at = kFirstWidenedPlace + static_cast<size_t>(FindWidened(place));
      mask = 0;
    } else {
      NoteMoving(place, code == common_.store);
    }
    Append({code, static_cast<uint32_t>(at), is_spread, mask, {}}, functor);
  }

  // ---- Bytes, or 16-bit floats, in wider lanes

  bool IsNarrow(const Place& place) const {
    return place.size < run_.lane_bytes && place.stride != 0;
  }

  // Elements from outside of the run that steps read from memory are widened
  // before the first step, as the registers are free there.
  void WidenElements() {
    widened_ = 0;
    for (int at = run_.begin; at < run_.end; ++at) {
      if (IsForChoice(at)) {
        const int own = std::max(1, OwnChoice(at));
        for (int k = 0; k < 2; ++k) WidenElement(In(at, k));
        WidenElement(In(++at, 3 - own));
      } else {
        const int own = std::max(0, OwnInput(at));
        for (int k = 0; k < Request(at).inputs; ++k) {
          if (k != own) WidenElement(In(at, k));
        }
      }
      if (IsNarrow(Out(at)) && IsKept(at)) IsNew(Out(at));
    }
  }
  void WidenElement(const Place& place) {
    if (!IsNarrow(place) || !IsNew(place)) return;
    AddNarrow(place, false);
    Add(common_.store, place);
  }
  int FindWidened(const Place& place) const {
    return static_cast<int>(std::find(narrow_, narrow_ + widened_, place) -
                            narrow_);
  }
  // Whether elements have no block of whole lanes yet. Gives them one.
  bool IsNew(const Place& place) {
    if (FindWidened(place) < widened_) return false;
    if (widened_ == ChainProgram::kMaxWidened) fits_ = false;
    if (!fits_) return false;
    narrow_[widened_++] = place;
    program_.widened = std::max(program_.widened, widened_);
    return true;
  }

  // The step that loads narrow elements, or stores them.
  void AddNarrow(const Place& place, bool is_store,
                 const unsigned char* functor = nullptr) {
    const auto half = static_cast<size_t>(run_.half);
    const int width = std::countr_zero(run_.lane_bytes) - 1;
    const StepCode load =
        place.size == 1 ? common_.load_bytes[width] : common_.load_half[half];
    const StepCode store =
        place.size == 1 ? common_.store_bytes[width] : common_.store_half[half];
    NoteMoving(place, is_store);
    const auto at = static_cast<uint32_t>(PlaceInFrame(place));
    Append({is_store ? store : load, at, false, SIZE_MAX, {}}, functor);
  }

  // ---- Memory

  void NoteMoving(const Place& place, bool is_stored) {
    if (place.kind != Place::kOperand || place.stride == 0) return;
    const uint32_t bit = uint32_t{1} << place.index;
    first_->moving |= bit;
    if (is_stored) first_->written |= bit;
    if (IsNarrow(place))
      (place.size == 1 ? first_->bytes : first_->halves) |= bit;
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

  size_t PlaceInFrame(const Place& place, size_t copies = 1) {
    if (place.kind == Place::kAbsent) return 0;
    if (place.stride == 0) return SpreadPlace(place, copies);
    return place.kind == Place::kOperand ? place.index
                                         : kFirstSlotPlace + place.index;
  }

  size_t SpreadPlace(const Place& place, size_t copies) {
    const bool is_half = run_.half != Half::kNone && place.size == 2;
    const Half half = is_half ? run_.half : Half::kNone;
    const size_t count = is_half ? std::max<size_t>(1, copies) : copies;
    const auto is_it = [&](const SpreadElement& spread) {
      return spread.from == place && spread.half == half &&
             spread.count == count;
    };
    int j = 0;
    while (j < program_.spread_count && !is_it(program_.spreads[j])) ++j;
    const size_t at = kFirstSpreadPlace + static_cast<size_t>(j);
    if (j == program_.most_spreads) {
      fits_ = false;
      return kFirstSpreadPlace;
    }
    if (j == program_.spread_count) {
      program_.spreads[program_.spread_count++] = {
          place, half, at, program_.spread_vectors, count};
      program_.spread_vectors += count;
    }
    return at;
  }

  // Whether steps are all of a pass.
  bool AreAll() const {
    return program_.once + program_.instructions[program_.once].fused ==
           program_.count;
  }
  // The slots that steps use: widened elements have blocks instead.
  int SlotsInUse() const {
    size_t count = 0;
    for (int k = 0; k < count_; ++k) {
      const size_t place = program_.steps[k].place;
      if (place < kFirstSlotPlace || place >= kFirstSpreadPlace) continue;
      count = std::max(count, place - kFirstSlotPlace + 1);
    }
    return static_cast<int>(count);
  }

  // Slots of at least one block, beside all else that is in the frame. Where
  // all of a pass is steps, slots hold one block of steps, and rows need no
  // blocks of their own.
  void FitFrame() {
    const size_t block = common_.block_bytes();
    const bool are_all = program_.has_steps && AreAll();
    const bool has_kernels = !are_all || program_.once != 0;
    program_.step_slots = has_kernels ? program_.slots : SlotsInUse();
    const auto blocks = static_cast<size_t>(program_.widened + program_.copies);
    const size_t others =
        (program_.spread_vectors * common_.vector_bytes) + (blocks * block);
    // Without steps, all slots are in use.
    const auto count = [](int slots) {
      return static_cast<size_t>(std::max(1, slots));
    };
    const size_t room = kFrameBytes - std::min(kFrameBytes, others);
    const size_t most = std::min(kFrameBytes / count(program_.slots),
                                 room / count(program_.step_slots)) /
                        block * block;
    if (block > kMostStepBytes || !std::has_single_bit(block)) fits_ = false;
    if (!fits_ || most == 0) program_.has_steps = false;
    if (!program_.has_steps) return;
    // The last block of a row may end behind the row.
    const size_t bytes = (program_.slot_bytes + block - 1) / block * block;
    if (bytes <= most) {
      program_.slot_bytes = bytes;
    } else {
      program_.SetSlotBytes(most);
    }
    program_.block_with_steps = program_.block;
    if (!are_all) return;
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
  int count_ = 0;
  bool fits_ = true;
  StepRun run_;
  Instruction* first_ = nullptr;  ///< of the run
  Place narrow_[ChainProgram::kMaxWidened];
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
