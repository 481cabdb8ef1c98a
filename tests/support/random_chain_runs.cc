// SPDX-License-Identifier: Apache-2.0
//
// How a random chain runs: operator by operator, and as a chain in every way.

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>

#include "tests/support/element_size.h"
#include "tests/support/operator_spec.h"
#include "tests/support/random_chains.h"

namespace lanewise::test {
namespace {

bool IsNan(lw_type type, const void* element) {
  if (kF4.count(type) == 0) return false;
  const long double number = ReadFloat(type, element);
  return number != number;
}

// Where both operands are NaNs, Add, Sub and Mul may give either.
bool SameElement(lw_type type, const uint8_t* x, const uint8_t* y) {
  return std::memcmp(x, y, ElementSize(type)) == 0 ||
         (IsNan(type, x) && IsNan(type, y));
}

}  // namespace

void RandomChain::RunOneByOne() {
  expected_ = LW_OK;
  zeros_ = {};
  const size_t first = input_count_ + constant_count_;
  std::map<size_t, lw_zero_divisors> zeros;  // by step
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    std::vector<Tensor> tensors;
    for (const int32_t value : step.operands) {
      tensors.emplace_back();
      if (value < 0) continue;
      Value& given = values_[static_cast<size_t>(value)];
      tensors.back() = TensorOf(given.elements, given.dims);
    }
    std::vector<lw_tensor> views;
    for (size_t k = 0; k < tensors.size(); ++k) {
      views.push_back(step.operands[k] < 0 ? lw_tensor{} : tensors[k].view());
    }
    lw_shape shape;
    lw_status status =
        lw_op_infer(step.entry->op.get(), views.data(), views.size(), &shape);
    if (status != LW_OK) {
      expected_ = status;
      return;
    }
    Value& result = values_[first + s];
    result.dims.assign(shape.dims, shape.dims + shape.rank);
    result.elements = Array(static_cast<lw_type>(shape.type),
                            static_cast<size_t>(Count(result.dims)));
    const Tensor output = TensorOf(result.elements, result.dims);
    const lw_tensor view = output.view();
    status =
        lw_op_run(step.entry->op.get(), views.data(), views.size(), &view, 1);
    result.is_known = true;
    if (status == LW_DIVIDE_BY_ZERO) {
      zeros[s] = lw_last_zero_divisors();
      continue;
    }
    ASSERT_EQ(status, LW_OK) << lw_last_error();
  }
  for (const auto& [s, found] : zeros) {
    if (expected_ != LW_OK || !IsComputed(first + s)) continue;
    expected_ = LW_DIVIDE_BY_ZERO;
    zeros_ = found;
  }
}

// Whether a chain computes a value: an output that has elements is made of it.
bool RandomChain::IsComputed(size_t value) const {
  const auto has = [&](const std::vector<int32_t>& list) {
    return std::count(list.begin(), list.end(), value) != 0;
  };
  if (has(outputs_) && !values_[value].elements.empty()) return true;
  for (size_t s = 0; s < steps_.size(); ++s) {
    const size_t result = input_count_ + constant_count_ + s;
    if (has(steps_[s].operands) && IsComputed(result)) return true;
  }
  return false;
}

void RandomChain::MakeChain() {
  std::vector<int32_t> types;
  for (size_t i = 0; i < input_count_; ++i) {
    types.push_back(values_[i].elements.type());
  }
  std::vector<Tensor> constants;
  for (size_t i = input_count_; i < input_count_ + constant_count_; ++i) {
    constants.push_back(TensorOf(values_[i].elements, values_[i].dims));
  }
  std::vector<lw_tensor> views;
  for (const Tensor& constant : constants) views.push_back(constant.view());
  std::vector<lw_step> steps;
  for (const Step& step : steps_) {
    steps.push_back(
        {step.entry->op.get(), step.operands.data(), step.operands.size()});
  }
  lw_chain* made = nullptr;
  ASSERT_EQ(
      lw_chain_create(operators_->engine(), types.data(), types.size(),
                      views.data(), views.size(), steps.data(), steps.size(),
                      outputs_.data(), outputs_.size(), &made),
      LW_OK)
      << lw_last_error();
  chain_.reset(made);
}

RandomChain::Placed RandomChain::Place(const Array* elements, lw_type type,
                                       const Dims64& dims, bool strided) {
  constexpr size_t kAround = 64;
  const auto size = static_cast<int64_t>(ElementSize(type));
  Placed placed;
  placed.tensor = {type, nullptr, dims};
  int64_t reach = Count(dims);
  int64_t low = 0;
  if (strided) {
    Dims64 strides(dims.size());
    int64_t stride = 1 + random_->OneIn(3);
    for (size_t i = dims.size(); i-- > 0;) {
      strides[i] = stride;
      stride = stride * std::max<int64_t>(1, dims[i]) + random_->Between(0, 2);
      if (dims[i] > 0 && random_->OneIn(4)) {
        strides[i] = -strides[i];
        low -= (dims[i] - 1) * strides[i];
      }
    }
    if (dims.size() > 1 && random_->OneIn(3)) {
      // Transposed, without gaps.
      std::reverse(placed.tensor.dims.begin(), placed.tensor.dims.end());
      strides = RowMajor(placed.tensor.dims);
      std::reverse(strides.begin(), strides.end());
      std::reverse(placed.tensor.dims.begin(), placed.tensor.dims.end());
      low = 0;
    }
    placed.tensor.strides = strides;
    reach = stride + 2;
  }
  placed.memory.assign(static_cast<size_t>(reach * size) + 3 * kAround, 0xA5);
  const auto base = reinterpret_cast<uintptr_t>(placed.memory.data());
  size_t at = (64 - base % 64) % 64 + kAround;
  if (random_->OneIn(2)) {
    at += random_->Below(static_cast<size_t>(64 / size)) *
          static_cast<size_t>(size);
    at -= at > 2 * kAround ? 64 : 0;
  }
  placed.tensor.data = placed.memory.data() + at + low * size;
  for (int64_t i = 0; elements != nullptr && i < Count(dims); ++i) {
    const int64_t offset =
        strided ? OffsetOf(dims, placed.tensor.strides, i) : i;
    std::memcpy(static_cast<char*>(placed.tensor.data) + offset * size,
                elements->at(static_cast<size_t>(i)),
                static_cast<size_t>(size));
  }
  placed.before = placed.memory;
  return placed;
}

void RandomChain::PlaceTensors() {
  places_.clear();
  for (size_t i = 0; i < input_count_; ++i) {
    places_.push_back(Place(&values_[i].elements, values_[i].elements.type(),
                            values_[i].dims,
                            !values_[i].is_flat && random_->OneIn(5)));
  }
  for (const int32_t output : outputs_) {
    const Value& value = values_[static_cast<size_t>(output)];
    places_.push_back(Place(nullptr, value.elements.type(), value.dims,
                            !value.is_flat && random_->OneIn(5)));
  }
  in_place_output_ = -1;
  if (!random_->OneIn(3)) return;
  in_place_output_ = static_cast<int>(random_->Below(outputs_.size()));
  in_place_input_ = random_->Below(input_count_);
  const Tensor& input = places_[in_place_input_].tensor;
  Tensor& output =
      places_[input_count_ + static_cast<size_t>(in_place_output_)].tensor;
  const auto value =
      static_cast<size_t>(outputs_[static_cast<size_t>(in_place_output_)]);
  if (input.dims != output.dims ||
      ElementSize(input.type) != ElementSize(output.type) ||
      (values_[value].is_flat && !input.strides.empty())) {
    in_place_output_ = -1;
    return;
  }
  output.data = input.data;
  output.strides = input.strides;
}

// Whether a chain may refuse an output over an input: a later step reads the
// input, or one of another shape, or a step reads a view, or results of two
// shapes need two passes.
bool RandomChain::MayOverlap() const {
  if (in_place_output_ < 0) return false;
  const Dims64& input = values_[in_place_input_].dims;
  const size_t first = input_count_ + constant_count_;
  const auto output =
      static_cast<size_t>(outputs_[static_cast<size_t>(in_place_output_)]);
  for (size_t s = 0; s < steps_.size(); ++s) {
    for (const int32_t value : steps_[s].operands) {
      if (value != static_cast<int32_t>(in_place_input_)) continue;
      if (steps_[s].entry->row->moves_only != 0) return true;
      if (first + s > output || values_[first + s].dims != input) return true;
    }
  }
  const auto differs = [&](int32_t other) {
    return values_[static_cast<size_t>(other)].dims != input;
  };
  for (size_t s = 0; s < steps_.size() && has_reductions_; ++s) {
    if (differs(static_cast<int32_t>(first + s))) return true;
  }
  return std::any_of(outputs_.begin(), outputs_.end(), differs);
}

bool RandomChain::HasAxes() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    const std::string name = step.entry->row->name;
    return step.entry->attributes.find("axis") != std::string::npos ||
           name == "GroupNormalization" ||
           (name == "PRelu" && step.entry->row->since_version < 7);
  });
}

void RandomChain::CheckStatus(lw_status status, const char* way) {
  ASSERT_STREQ(lw_status_name(status), lw_status_name(expected_))
      << way << ": " << lw_last_error();
  if (status != LW_DIVIDE_BY_ZERO) return;
  EXPECT_EQ(lw_last_zero_divisors().count, zeros_.count) << way;
  EXPECT_EQ(lw_last_zero_divisors().first, zeros_.first) << way;
}

// Each output holds what its operator gave, and no other byte has changed.
void RandomChain::CheckMemory(const char* way) {
  const bool complete = expected_ == LW_OK || expected_ == LW_DIVIDE_BY_ZERO;
  for (size_t k = 0; complete && k < outputs_.size(); ++k) {
    const Value& value = values_[static_cast<size_t>(outputs_[k])];
    const bool in_place = static_cast<int>(k) == in_place_output_;
    Placed& owner = places_[in_place ? in_place_input_ : input_count_ + k];
    const Tensor& tensor = places_[input_count_ + k].tensor;
    const lw_type type = value.elements.type();
    const auto size = static_cast<int64_t>(ElementSize(type));
    for (int64_t i = 0; i < Count(value.dims); ++i) {
      const int64_t offset =
          tensor.strides.empty() ? i : OffsetOf(value.dims, tensor.strides, i);
      uint8_t* at = static_cast<uint8_t*>(tensor.data) + offset * size;
      const uint8_t* wanted = value.elements.at(static_cast<size_t>(i));
      ASSERT_TRUE(SameElement(type, at, wanted))
          << way << ": output " << k << ", element " << i << " is "
          << BitsText(at, ElementSize(type)) << ", not "
          << BitsText(wanted, ElementSize(type));
      // What else has changed is seen below.
      std::memcpy(at, owner.before.data() + (at - owner.memory.data()),
                  static_cast<size_t>(size));
    }
  }
  for (size_t k = 0; k < places_.size(); ++k) {
    ASSERT_EQ(places_[k].memory, places_[k].before)
        << way << ": bytes around tensor " << k << " have changed";
  }
}

void RandomChain::RunChain() {
  std::vector<lw_tensor> views;
  for (const Placed& placed : places_) views.push_back(placed.tensor.view());
  const lw_tensor* outputs = views.data() + input_count_;
  std::vector<lw_shape> shapes(outputs_.size());
  lw_status status =
      lw_chain_infer(chain_.get(), views.data(), input_count_, shapes.data());
  const bool fails = expected_ != LW_OK && expected_ != LW_DIVIDE_BY_ZERO;
  ASSERT_EQ(status, fails ? expected_ : LW_OK) << lw_last_error();
  if (fails) return;
  for (size_t k = 0; k < outputs_.size(); ++k) {
    const Value& value = values_[static_cast<size_t>(outputs_[k])];
    ASSERT_EQ(Dims64(shapes[k].dims, shapes[k].dims + shapes[k].rank),
              value.dims);
    ASSERT_EQ(shapes[k].type, value.elements.type());
  }

  for (const char* way : {"run", "run by the plan that the chain keeps"}) {
    status = lw_chain_run(chain_.get(), nullptr, views.data(), input_count_,
                          outputs, outputs_.size());
    if (status == LW_OVERLAP && MayOverlap()) expected_ = LW_OVERLAP;
    // A value that is read along two axes does not fit one chain.
    if (status == LW_INVALID_SHAPE && HasAxes()) expected_ = LW_INVALID_SHAPE;
    CheckStatus(status, way);
    if (testing::Test::HasFatalFailure()) return;
    CheckMemory(way);
    if (testing::Test::HasFatalFailure()) return;
  }

  lw_call* made = nullptr;
  status = lw_chain_prepare(chain_.get(), views.data(), input_count_, outputs,
                            outputs_.size(), &made);
  const CallPtr call(made);
  ASSERT_EQ(status, expected_ == LW_INVALID_SHAPE ? expected_ : LW_OK)
      << lw_last_error();
  if (status != LW_OK) return;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (size_t k = 0; k < places_.size(); ++k) {
    void* data = places_[k].tensor.data;
    if (k < input_count_) {
      in.push_back(data);
    } else {
      out.push_back(data);
    }
  }
  CheckStatus(lw_call_run(call.get(), in.data(), out.data()), "prepared");
  if (!testing::Test::HasFatalFailure()) CheckMemory("prepared");
}

lw_status RandomChain::Check(const ChainOperators& operators, Random& random) {
  random_ = &random;
  operators_ = &operators;
  do {
    values_.clear();
    steps_.clear();
    outputs_.clear();
    tails_.clear();
    MakeInputs();
    MakeSteps();
  } while (!ChooseOutputs());
  RunOneByOne();
  if (testing::Test::HasFatalFailure()) return expected_;
  MakeChain();
  if (testing::Test::HasFatalFailure()) return expected_;
  PlaceTensors();
  RunChain();
  return expected_;
}

std::string RandomChain::Describe() const {
  std::ostringstream text;
  const size_t first = input_count_ + constant_count_;
  const auto describe = [&](size_t v) {
    const Value& value = values_[v];
    text << lw_type_name(value.elements.type()) << " [";
    for (const int64_t dim : value.dims) text << dim << " ";
    text << "]";
  };
  for (size_t v = 0; v < first; ++v) {
    text << "\n  " << v << (v < input_count_ ? " = input " : " = constant ");
    describe(v);
    const bool is_placed = v < places_.size() && v < input_count_;
    if (is_placed && !places_[v].tensor.strides.empty()) text << " strided";
  }
  for (size_t s = 0; s < steps_.size(); ++s) {
    const ChainOperators::Entry& entry = *steps_[s].entry;
    text << "\n  " << first + s << " = " << entry.row->name << "-"
         << entry.row->since_version << entry.attributes << "(";
    for (const int32_t value : steps_[s].operands) text << value << " ";
    text << ") ";
    describe(first + s);
  }
  text << "\n  outputs:";
  for (const int32_t output : outputs_) text << " " << output;
  text << "\n  in place: " << in_place_output_ << " over " << in_place_input_;
  return text.str();
}

}  // namespace lanewise::test
