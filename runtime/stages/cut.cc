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

template <class T>
bool Has(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Of a part: values of the whole chain.
struct PartsOfPart {
  std::vector<lw_tensor> constants;
  std::vector<int32_t> constant_values;
  std::vector<int32_t> steps;
};

class Cutter {
 public:
  explicit Cutter(const Chain& chain)
      : chain_(chain),
        level_(chain.steps.size(), 0),
        makes_output_(chain.steps.size(), false),
        is_small_(chain.steps.size(), false) {
    for (size_t k = 0; k < chain.outputs.size(); ++k) {
      makes_output_[chain.SourceOf(k)] = true;
    }
    FindEarliest();
    MoveToReaders();
    FindSmall();
  }

  lw_status Cut(std::vector<Stage>* stages) {
    const int last = *std::max_element(level_.begin(), level_.end());
    for (int level = 0; level <= last; ++level) {
      for (const bool small : {true, false}) {
        const lw_status status = AddParts(StepsOf(level, small), stages);
        if (status != LW_OK) return status;
      }
      for (size_t s = 0; s < chain_.steps.size(); ++s) {
        if (!IsApart(s) || level_[s] != level) continue;
        const lw_status status = AddApart(s, stages);
        if (status != LW_OK) return status;
      }
    }
    return LW_OK;
  }

 private:
  bool IsReduction(size_t s) const {
    return chain_.steps[s].node->is_reduction && !IsView(s);
  }
  // Whether the step has a stage of its own, behind the part of its level.
  bool IsApart(size_t s) const {
    return IsReduction(s) ||
           chain_.steps[s].node->rule.kind == StepRule::kGroup;
  }
  bool IsView(size_t s) const { return chain_.steps[s].is_view(); }
  int32_t ValueOf(size_t s) const {
    return static_cast<int32_t>(chain_.first_step() + s);
  }
  // Calls use(value) for each value whose elements a step reads.
  template <class Use>
  void ForEachRead(size_t s, const Use& use) const {
    const ChainStep& step = chain_.steps[s];
    for (size_t k = 0; k < step.reads(); ++k) {
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
    int inputs_are_read = 0;  // the level behind all steps so far that do
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (IsView(s)) continue;
      ForEachRead(s, [&](int32_t value) {
        if (!IsComputed(value)) return;
        const size_t from = chain_.StepOf(value);
        level_[s] = std::max(level_[s], level_[from] + IsApart(from));
      });
      if (makes_output_[s]) level_[s] = std::max(level_[s], inputs_are_read);
      if (ReadsInputs(s)) {
        inputs_are_read = std::max(inputs_are_read, level_[s] + IsApart(s));
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
      if (IsApart(s)) continue;
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

  bool IsOneConstant(int32_t value) const {
    if (chain_.IsInput(value) || chain_.IsStep(value)) return false;
    const auto index = static_cast<size_t>(value) - chain_.inputs();
    return chain_.constants[index].elements == 1;
  }

  void FindSmall() {
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (IsApart(s) || IsView(s) || makes_output_[s]) continue;
      bool small = true;
      ForEachRead(s, [&](int32_t value) {
        small &= IsOneConstant(value) ||
                 (IsComputed(value) && (IsReduction(chain_.StepOf(value)) ||
                                        is_small_[chain_.StepOf(value)]));
      });
      is_small_[s] = small;
    }
  }

  // The steps of a level that have no stage of their own.
  std::vector<size_t> StepsOf(int level, bool small) const {
    std::vector<size_t> steps;
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (level_[s] == level && is_small_[s] == small && !IsApart(s) &&
          !IsView(s)) {
        steps.push_back(s);
      }
    }
    return steps;
  }

  // Whether a stage other than the step's own, which has `steps`, reads the
  // step's result.
  bool IsReadElsewhere(size_t s, const std::vector<size_t>& steps) const {
    bool is_read = false;
    for (size_t later = s + 1; later < chain_.steps.size(); ++later) {
      if (IsView(later) || Has(steps, later)) continue;
      ForEachRead(later,
                  [&](int32_t value) { is_read |= value == ValueOf(s); });
    }
    return is_read;
  }

  lw_status AddApart(size_t s, std::vector<Stage>* stages) {
    if (!IsReduction(s)) return AddParts({s}, stages);
    Stage stage;
    stage.steps = {s};
    stage.reads = {chain_.steps[s].operands[0]};
    stage.writes = {ValueOf(s)};
    stages->push_back(std::move(stage));
    return LW_OK;
  }
  lw_status AddParts(const std::vector<size_t>& steps,
                     std::vector<Stage>* stages);
  lw_status MakePart(const PartsOfPart& of, Stage* stage);

  const Chain& chain_;
  std::vector<int> level_;  // by step
  std::vector<bool> makes_output_;
  /// Steps on the results of reductions alone: a part of their own computes an
  /// element for each row before another part reads the element along the row.
  std::vector<bool> is_small_;
};

int32_t IndexOf(const std::vector<int32_t>& values, int32_t value) {
  const auto found = std::find(values.begin(), values.end(), value);
  return static_cast<int32_t>(found - values.begin());
}

// Adds a part, or two parts of half the steps where the values that are handed
// over are more than a chain may have.
lw_status Cutter::AddParts(const std::vector<size_t>& steps,
                           std::vector<Stage>* stages) {
  if (steps.empty()) return LW_OK;
  Stage stage;
  stage.steps = steps;
  PartsOfPart of;
  for (const size_t s : steps) {
    of.steps.push_back(ValueOf(s));
    if (makes_output_[s] || IsReadElsewhere(s, steps)) {
      stage.writes.push_back(ValueOf(s));
    }
    ForEachRead(s, [&](int32_t value) {
      if (Has(of.steps, value) || Has(stage.reads, value) ||
          Has(of.constant_values, value)) {
        return;
      }
      if (IsOneConstant(value)) {
        const auto index = static_cast<size_t>(value) - chain_.inputs();
        of.constant_values.push_back(value);
        of.constants.push_back(chain_.constants[index].tensor);
      } else {
        stage.reads.push_back(value);
      }
    });
  }
  if (stage.reads.size() > LW_MAX_INPUTS ||
      stage.writes.size() > LW_MAX_OUTPUTS) {
    const auto half = steps.begin() + static_cast<ptrdiff_t>(steps.size() / 2);
    const lw_status status = AddParts({steps.begin(), half}, stages);
    return status == LW_OK ? AddParts({half, steps.end()}, stages) : status;
  }
  // Outputs that lie over inputs are written when the other values are there,
  // and in their order.
  std::vector<int32_t> ordered;
  for (const bool outputs : {false, true}) {
    for (const int32_t value : stage.writes) {
      if (makes_output_[chain_.StepOf(value)] == outputs) {
        ordered.push_back(value);
      }
    }
  }
  stage.writes = std::move(ordered);
  const lw_status status = MakePart(of, &stage);
  if (status == LW_OK) stages->push_back(std::move(stage));
  return status;
}

// Values of the part: its inputs, its constants, its steps.
lw_status Cutter::MakePart(const PartsOfPart& of, Stage* stage) {
  const auto constants = static_cast<int32_t>(stage->reads.size());
  const auto first = constants + static_cast<int32_t>(of.constants.size());
  const auto number = [&](int32_t value) {
    if (value < 0) return int32_t{-1};
    int32_t at = IndexOf(stage->reads, value);
    if (at < constants) return at;
    at = constants + IndexOf(of.constant_values, value);
    return at < first ? at : first + IndexOf(of.steps, value);
  };
  std::vector<int32_t> types;
  for (const int32_t value : stage->reads) {
    types.push_back(chain_.TypeOf(value));
  }
  const size_t count = of.steps.size();
  std::vector<lw_op> ops;
  std::vector<std::vector<int32_t>> operands(count);
  ops.reserve(count);  // steps point into them
  std::vector<lw_step> steps;
  for (size_t k = 0; k < count; ++k) {
    const ChainStep& step = chain_.steps[stage->steps[k]];
    ops.push_back({step.node});
    for (const int32_t operand : step.operands) {
      operands[k].push_back(number(operand));
    }
    steps.push_back({&ops[k], operands[k].data(), operands[k].size()});
  }
  std::vector<int32_t> outputs;
  for (const int32_t value : stage->writes) outputs.push_back(number(value));
  return MakeChain(chain_.engine,
                   {types.data(),
                    types.size(),
                    of.constants.data(),
                    of.constants.size(),
                    steps.data(),
                    steps.size(),
                    outputs.data(),
                    outputs.size(),
                    {chain_.label()}},
                   &stage->part);
}

}  // namespace

lw_status CutIntoStages(std::shared_ptr<const Chain> chain, Stages* stages) {
  stages->chain = std::move(chain);
  return Cutter(*stages->chain).Cut(&stages->stages);
}

}  // namespace lanewise
