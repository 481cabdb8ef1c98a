// SPDX-License-Identifier: Apache-2.0

#include "tests/support/random_chains.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tests/support/operator_spec.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

bool Lists(const lw_operand& operand, int32_t type) {
  return std::find(operand.types, operand.types + operand.type_count, type) !=
         operand.types + operand.type_count;
}

}  // namespace

Dims64 RandomChain::RandomDims() {
  Dims64 dims = whole_;
  switch (random_->Below(6)) {
    case 0:  // one element
      dims.assign(random_->Below(2), 1);
      break;
    case 1:  // a row
      dims.erase(dims.begin(),
                 dims.begin() + static_cast<std::ptrdiff_t>(
                                    random_->Below(dims.size() + 1)));
      break;
    case 2:
      for (int64_t& dim : dims) {
        if (random_->OneIn(2)) dim = 1;
      }
      break;
    default:
      break;
  }
  return dims;
}

Dims64 RandomChain::DimsOfInput(bool is_constant) {
  // A scale of channels, or of groups.
  if (has_reductions_ && whole_.size() > 1 && random_->OneIn(4)) {
    return {random_->OneIn(3) ? random_->Between(1, 3) : whole_[1]};
  }
  return is_constant && !random_->OneIn(4) ? Dims64{} : RandomDims();
}

void RandomChain::AddInput(lw_type type, const Dims64& dims) {
  Value value;
  value.dims = dims;
  std::mt19937_64 bits(random_->bits());
  value.elements =
      MixedElements(type, static_cast<size_t>(Count(value.dims)), bits);
  value.is_known = true;
  values_.push_back(std::move(value));
}

// Axes that the whole shape has, nearly always; or a shape for Reshape.
void RandomChain::AddShape(Use use) {
  const Dims64 targets[] = {{-1}, {1, -1}, {-1, 1}, {0, -1}, {2, -1}, {}};
  Dims64 numbers = random_->Of(targets);
  if (use == Use::kAxes) {
    const auto rank = static_cast<int64_t>(whole_.size());
    numbers.clear();
    for (int64_t axis = 0; axis < rank; ++axis) {
      if (random_->OneIn(2)) continue;
      numbers.push_back(random_->OneIn(2) ? axis : axis - rank);
    }
    if (random_->OneIn(2)) std::reverse(numbers.begin(), numbers.end());
    if (random_->OneIn(20)) numbers.push_back(random_->Between(-4, 4));
  }
  Value value;
  value.dims = {static_cast<int64_t>(numbers.size())};
  value.elements = Array(LW_INT64, numbers.size());
  std::copy(numbers.begin(), numbers.end(), value.elements.as<int64_t>());
  value.is_known = true;
  value.use = use;
  values_.push_back(std::move(value));
}

void RandomChain::MakeInputs() {
  whole_.assign(random_->Below(4), 1);
  for (int64_t& dim : whole_) {
    dim = random_->OneIn(12) ? random_->Between(0, 1) : random_->Between(1, 20);
  }
  if (!whole_.empty() && random_->OneIn(6)) {
    whole_.back() = random_->Between(100, 3000);
  }
  has_reductions_ = random_->OneIn(2) && !operators_->reductions().empty();
  if (has_reductions_ && random_->OneIn(60)) {  // many slices
    whole_ = {random_->Between(10, 40), random_->Between(1, 5),
              random_->Between(300, 800)};
  }
  if (has_reductions_ && whole_.size() > 1 && random_->OneIn(2)) {
    whole_[1] = 6 * random_->Between(1, 3);  // groups of channels
  }
  const lw_type usual[] = {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16,
                           LW_FLOAT64, LW_INT32,   LW_INT64};
  input_count_ = 1 + random_->Below(4);
  constant_count_ = random_->Below(4);
  lw_type main = random_->Of(usual);
  if (!operators_->Takes(main)) main = LW_FLOAT32;
  for (size_t i = 0; i < input_count_ + constant_count_; ++i) {
    const bool is_constant = i >= input_count_;
    if (has_reductions_ && i > 0 && random_->OneIn(is_constant ? 2 : 5)) {
      AddShape(random_->OneIn(3) ? Use::kTarget : Use::kAxes);
      continue;
    }
    lw_type type = main;
    if (random_->OneIn(4)) {
      do {
        type = static_cast<lw_type>(1 + random_->Below(LW_BFLOAT16));
      } while (!operators_->Takes(type));
    }
    AddInput(type, DimsOfInput(is_constant));
  }
}

// A known value of the type; -1 if there is none. The newest values are likely.
int32_t RandomChain::ValueOf(const lw_operand& operand, int32_t type) {
  for (int i = 0; i < 8; ++i) {
    const size_t count = values_.size();
    const size_t from = random_->OneIn(2) && count > 3 ? count - 3 : 0;
    const size_t value = from + random_->Below(count - from);
    const int32_t own = values_[value].elements.type();
    const bool has_channels = std::strcmp(operand.name, "scale") == 0 ||
                              std::strcmp(operand.name, "bias") == 0;
    if (has_channels && !IsOfChannels(value)) continue;
    if (own == type || (type == LW_ABSENT && Lists(operand, own))) {
      return static_cast<int32_t>(value);
    }
  }
  return -1;
}

bool RandomChain::IsOfChannels(size_t value) const {
  return value < input_count_ + constant_count_ &&
         values_[value].use == Use::kData && values_[value].dims.size() == 1;
}

// An input or a constant that was made for this use; -1 if there is none.
int32_t RandomChain::ValueFor(Use use) {
  for (int i = 0; i < 8; ++i) {
    const size_t value = random_->Below(input_count_ + constant_count_);
    if (values_[value].use == use) return static_cast<int32_t>(value);
  }
  return -1;
}

bool RandomChain::ChooseOperands(const ChainOperators::Entry& entry,
                                 std::vector<int32_t>* operands) {
  const lw_signature& row = *entry.row;
  const bool variadic = row.inputs[0].variadic != 0;
  const size_t count = variadic ? 1 + random_->Below(4) : row.input_count;
  std::map<std::string, int32_t> bound;
  for (size_t k = 0; k < count; ++k) {
    const lw_operand& operand = row.inputs[variadic ? 0 : k];
    if (std::strcmp(operand.name, "axes") == 0) {
      operands->push_back(random_->OneIn(4) ? -1 : ValueFor(Use::kAxes));
      continue;
    }
    if (operand.optional != 0 && random_->OneIn(3)) {
      operands->push_back(-1);
      continue;
    }
    int32_t& type = bound[operand.type_parameter];
    const int32_t value = ValueOf(operand, type);
    if (value < 0) return false;
    type = values_[static_cast<size_t>(value)].elements.type();
    operands->push_back(value);
  }
  // An exact engine may have the operator in few types.
  const auto refuses = [&](const auto& parameter) {
    const lw_kernel* kernel = nullptr;
    return lw_op_kernel(entry.op.get(), parameter.second, LW_SAME, &kernel) ==
           LW_NOT_EXACT;
  };
  return std::none_of(bound.begin(), bound.end(), refuses);
}

// An operator; often one that takes a bool only, where the newest value is one.
const ChainOperators::Entry& RandomChain::ChooseEntry() {
  // A chain has few steps more than LW_MAX_STEPS of recipes.
  if (has_reductions_ && steps_.size() < 4 && random_->OneIn(4) &&
      !operators_->composed().empty()) {
    const auto& composed = operators_->composed();
    return composed[random_->Below(composed.size())];
  }
  if (has_reductions_ && random_->OneIn(3)) {
    const auto& reductions = operators_->reductions();
    return reductions[random_->Below(reductions.size())];
  }
  const auto& all = operators_->all();
  const ChainOperators::Entry* entry = &all[random_->Below(all.size())];
  if (values_.back().elements.type() != LW_BOOL || random_->OneIn(2)) {
    return *entry;
  }
  for (int tries = 0; tries < 100; ++tries) {
    const lw_operand& first = entry->row->inputs[0];
    if (first.type_count == 1 && first.types[0] == LW_BOOL) break;
    entry = &all[random_->Below(all.size())];
  }
  return *entry;
}

bool RandomChain::AddStep() {
  const ChainOperators::Entry& entry = ChooseEntry();
  std::vector<int32_t> operands;
  if (!ChooseOperands(entry, &operands)) return false;
  const lw_operand& output = entry.row->outputs[0];
  int32_t type = entry.to;
  if (type == LW_ABSENT && output.type_count == 1) type = output.types[0];
  for (size_t k = 0; type == LW_ABSENT && k < operands.size(); ++k) {
    const bool variadic = entry.row->inputs[0].variadic != 0;
    const lw_operand& operand = entry.row->inputs[variadic ? 0 : k];
    if (std::strcmp(operand.type_parameter, output.type_parameter) == 0) {
      type = values_[static_cast<size_t>(operands[k])].elements.type();
    }
  }
  AddResult(entry, std::move(operands), type);
  return true;
}

void RandomChain::AddResult(const ChainOperators::Entry& entry,
                            std::vector<int32_t> operands, int32_t type) {
  Value value;
  value.elements = Array(static_cast<lw_type>(type), 0);
  values_.push_back(std::move(value));
  steps_.push_back({&entry, std::move(operands)});
}

// Of an input or a constant, or of a step's result.
void RandomChain::AddReshape(size_t from) {
  const int32_t target = ValueFor(Use::kTarget);
  const auto& reshapes = operators_->reshapes();
  const lw_type type = values_[from].elements.type();
  if (target < 0 || reshapes.empty()) return;
  const ChainOperators::Entry& entry =
      reshapes[random_->Below(reshapes.size())];
  if (!Lists(entry.row->inputs[0], type)) return;
  const bool is_head = from < input_count_ + constant_count_;
  if (is_head) {
    values_[from].is_flat = true;
  } else {
    tails_.push_back(static_cast<int32_t>(from));
  }
  AddResult(entry, {static_cast<int32_t>(from), target}, type);
  values_.back().is_flat = !is_head;
}

void RandomChain::MakeSteps() {
  const size_t count = random_->OneIn(20) ? 40 : 1 + random_->Below(9);
  for (int i = 0; i < 2 && has_reductions_; ++i) {
    if (random_->OneIn(2)) {
      AddReshape(random_->Below(input_count_ + constant_count_));
    }
  }
  const size_t heads = steps_.size();
  for (size_t tries = 0; steps_.size() < count && tries < 400; ++tries) {
    AddStep();
  }
  if (steps_.size() > heads && steps_.size() < LW_MAX_STEPS &&
      has_reductions_ && random_->OneIn(3)) {
    AddReshape(values_.size() - 1);
  }
}

// Outputs are what no step reads, and some other values. Returns false for what
// is no chain.
bool RandomChain::ChooseOutputs() {
  const size_t first = input_count_ + constant_count_;
  std::vector<bool> is_read(values_.size());
  for (const Step& step : steps_) {
    for (const int32_t value : step.operands) {
      if (value >= 0) is_read[static_cast<size_t>(value)] = true;
    }
  }
  for (size_t v = first; v < values_.size(); ++v) {
    const Step& step = steps_[v - first];
    const bool is_head = step.entry->row->moves_only != 0 &&
                         static_cast<size_t>(step.operands[0]) < first;
    const auto value = static_cast<int32_t>(v);
    if (is_head && !is_read[v]) return false;
    if (is_head || std::count(tails_.begin(), tails_.end(), value) != 0) {
      continue;
    }
    if (!is_read[v] || random_->OneIn(6)) outputs_.push_back(value);
  }
  return !outputs_.empty() && outputs_.size() <= LW_MAX_OUTPUTS;
}

}  // namespace lanewise::test
