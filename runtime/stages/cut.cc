// SPDX-License-Identifier: Apache-2.0
//
// Stages have levels: first the part of level 0, then the reductions of level
// 0, then the part of level 1, and so on. A step's result is kept from its
// stage to the last one that reads the result, so a step comes as late as its
// readers allow. A step that makes an output comes early, but behind all
// earlier steps that read inputs: the output may lie over an input.

#include "runtime/stages/cut.h"

#include <algorithm>
#include <utility>

namespace lanewise {
namespace {

class Cutter {
 public:
  explicit Cutter(const Chain& chain)
      : chain_(chain),
        level_(chain.steps.size(), 0),
        makes_output_(chain.steps.size(), false) {
    for (size_t k = 0; k < chain.outputs.size(); ++k) {
      makes_output_[chain.SourceOf(k)] = true;
    }
    FindEarliest();
    MoveToReaders();
  }

  lw_status Cut(std::vector<Stage>* stages) {
    const int last = *std::max_element(level_.begin(), level_.end());
    for (int level = 0; level <= last; ++level) {
      const lw_status status = AddPart(level, stages);
      if (status != LW_OK) return status;
      for (size_t s = 0; s < chain_.steps.size(); ++s) {
        if (!IsReduction(s) || level_[s] != level) continue;
        Stage stage;
        stage.steps = {s};
        stage.reads = {chain_.steps[s].operands[0]};
        stage.writes = {ValueOf(s)};
        stages->push_back(std::move(stage));
      }
    }
    return LW_OK;
  }

 private:
  bool IsReduction(size_t s) const {
    return chain_.steps[s].node->is_reduction;
  }
  // Reshape only gives another shape to what lies in memory.
  bool IsView(size_t s) const {
    return chain_.steps[s].is_head || chain_.steps[s].is_tail;
  }
  bool IsInPart(size_t s) const { return !IsReduction(s) && !IsView(s); }
  int32_t ValueOf(size_t s) const {
    return static_cast<int32_t>(chain_.first_step() + s);
  }
  // Calls use(value) for each value whose elements a step reads.
  template <class Use>
  void ForEachRead(size_t s, const Use& use) const {
    const ChainStep& step = chain_.steps[s];
    const size_t count = IsReduction(s) ? 1 : step.operands.size();
    for (size_t k = 0; k < count; ++k) {
      if (step.operands[k] >= 0) use(step.operands[k]);
    }
  }
  bool IsComputed(int32_t value) const { return chain_.RootOf(value) < 0; }
  bool ReadsInputs(size_t s) const {
    bool reads = false;
    ForEachRead(s, [&](int32_t value) { reads |= !IsComputed(value); });
    return reads;
  }

  void FindEarliest() {
    int inputs_are_read =
        0;  // the level behind all steps so far that read some
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (IsView(s)) continue;
      ForEachRead(s, [&](int32_t value) {
        if (!IsComputed(value)) return;
        const size_t from = chain_.StepOf(value);
        level_[s] = std::max(level_[s], level_[from] + IsReduction(from));
      });
      if (makes_output_[s]) level_[s] = std::max(level_[s], inputs_are_read);
      if (ReadsInputs(s)) {
        inputs_are_read = std::max(inputs_are_read, level_[s] + IsReduction(s));
      }
    }
  }

  void MoveToReaders() {
    int first_output = INT32_MAX;
    for (size_t s = chain_.steps.size(); s-- > 0;) {
      if (IsView(s)) continue;
      if (makes_output_[s]) {
        first_output = std::min(first_output, level_[s]);
        continue;
      }
      if (IsReduction(s)) continue;
      int latest = ReadsInputs(s) ? first_output : INT32_MAX;
      for (size_t later = s + 1; later < chain_.steps.size(); ++later) {
        if (IsView(later)) continue;
        ForEachRead(later, [&](int32_t value) {
          if (value == ValueOf(s)) latest = std::min(latest, level_[later]);
        });
      }
      level_[s] = std::max(level_[s], latest);
    }
  }

  bool IsInPart(size_t s, int level) const {
    return IsInPart(s) && level_[s] == level;
  }

  // Whether a stage other than the step's own reads the step's result.
  bool IsReadElsewhere(size_t s) const {
    bool is_read = false;
    for (size_t later = s + 1; later < chain_.steps.size(); ++later) {
      if (IsView(later) || IsInPart(later, level_[s])) continue;
      ForEachRead(later,
                  [&](int32_t value) { is_read |= value == ValueOf(s); });
    }
    return is_read;
  }

  lw_status AddPart(int level, std::vector<Stage>* stages);

  const Chain& chain_;
  std::vector<int> level_;  // by step
  std::vector<bool> makes_output_;
};

// What MakeChain is given.
struct PartsOfPart {
  std::vector<int32_t> types;
  std::vector<lw_tensor> constants;
  std::vector<int32_t> constant_values;  // of the whole chain
  std::vector<lw_op> ops;
  std::vector<std::vector<int32_t>> operands;
  std::vector<int32_t> steps;  // values of the whole chain
};

int32_t IndexOf(const std::vector<int32_t>& values, int32_t value) {
  const auto found = std::find(values.begin(), values.end(), value);
  return static_cast<int32_t>(found - values.begin());
}

lw_status Cutter::AddPart(int level, std::vector<Stage>* stages) {
  Stage stage;
  PartsOfPart of;
  for (size_t s = 0; s < chain_.steps.size(); ++s) {
    if (!IsInPart(s, level)) continue;
    of.steps.push_back(ValueOf(s));
    stage.steps.push_back(s);
    if (makes_output_[s] || IsReadElsewhere(s)) {
      stage.writes.push_back(ValueOf(s));
    }
    ForEachRead(s, [&](int32_t value) {
      const auto has = [value](const std::vector<int32_t>& values) {
        return std::find(values.begin(), values.end(), value) != values.end();
      };
      if (has(of.steps) || has(stage.reads) || has(of.constant_values)) return;
      const bool is_constant = !chain_.IsInput(value) && !chain_.IsStep(value);
      if (is_constant) {
        const ChainConstant& constant =
            chain_.constants[static_cast<size_t>(value) - chain_.inputs()];
        if (constant.elements == 1) {
          of.constant_values.push_back(value);
          of.constants.push_back(constant.tensor);
          return;
        }
      }
      stage.reads.push_back(value);
    });
  }
  if (of.steps.empty()) return LW_OK;

  // Values of the part: its inputs, its constants, its steps.
  const auto constants = static_cast<int32_t>(stage.reads.size());
  const auto first = constants + static_cast<int32_t>(of.constants.size());
  const auto number = [&](int32_t value) {
    if (value < 0) return int32_t{-1};
    int32_t at = IndexOf(stage.reads, value);
    if (at < constants) return at;
    at = constants + IndexOf(of.constant_values, value);
    return at < first ? at : first + IndexOf(of.steps, value);
  };
  for (const int32_t value : stage.reads) {
    of.types.push_back(chain_.TypeOf(value));
  }
  for (const int32_t value : of.steps) {
    const ChainStep& step = chain_.steps[chain_.StepOf(value)];
    of.ops.push_back({step.node});
    of.operands.emplace_back();
    for (const int32_t operand : step.operands) {
      of.operands.back().push_back(number(operand));
    }
  }
  std::vector<lw_step> steps;
  for (size_t k = 0; k < of.ops.size(); ++k) {
    steps.push_back({&of.ops[k], of.operands[k].data(), of.operands[k].size()});
  }
  std::vector<int32_t> outputs;
  for (const int32_t value : stage.writes) outputs.push_back(number(value));
  const lw_status status = MakeChain(chain_.engine,
                                     {of.types.data(),
                                      of.types.size(),
                                      of.constants.data(),
                                      of.constants.size(),
                                      steps.data(),
                                      steps.size(),
                                      outputs.data(),
                                      outputs.size(),
                                      {chain_.label()}},
                                     &stage.part);
  if (status == LW_OK) stages->push_back(std::move(stage));
  return status;
}

}  // namespace

lw_status CutIntoStages(std::shared_ptr<const Chain> chain, Stages* stages) {
  stages->chain = std::move(chain);
  return Cutter(*stages->chain).Cut(&stages->stages);
}

}  // namespace lanewise
