// SPDX-License-Identifier: Apache-2.0

#include "tests/support/reduction_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/support/bits.h"
#include "tests/support/check_values.h"
#include "tests/support/element_bits.h"
#include "tests/support/samples.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const VersionSpec& VersionOf(const OperatorSpec& spec,
                             const ReductionCase& call) {
  return call.version == 0 ? spec.versions.back()
                           : VersionOf(spec, call.version);
}

std::string TextOf(const Dims64& numbers) {
  std::string text = "[";
  for (const int64_t number : numbers) {
    if (text.size() > 1) text += ' ';
    text += std::to_string(number);
  }
  return text + "]";
}

/// The number as an element of a type, as a C++ cast would make it, but
/// saturated; NaN as the lowest.
void WriteTruncated(lw_type type, long double number, void* out) {
  const int bits = static_cast<int>(8 * ElementSize(type));
  const bool is_signed = IsSignedInteger(type);
  const long double most = std::ldexp(1.0L, is_signed ? bits - 1 : bits) - 1;
  const long double least = is_signed ? -most - 1 : 0;
  number = std::isnan(number) ? least : std::clamp(number, least, most);
  number = std::trunc(number);
  WriteInteger(type,
               is_signed ? static_cast<int64_t>(number)
                         : static_cast<int64_t>(static_cast<uint64_t>(number)),
               out);
}

void WriteBound(lw_type type, long double number, void* out) {
  if (IsFloat(type)) return WriteRounded(type, number, out);
  WriteTruncated(type, number, out);
}

bool IsBetween(lw_type type, const void* low, const void* high,
               const void* actual) {
  const long double number = ReadNumber(type, actual);
  const long double least = ReadNumber(type, low);
  const bool both_nan = std::isnan(number) && std::isnan(least);
  return both_nan || (least <= number && number <= ReadNumber(type, high));
}

bool IsSame(lw_type type, const void* expected, const void* actual) {
  const size_t size = ElementSize(type);
  if (std::memcmp(expected, actual, size) == 0) return true;
  return IsFloat(type) &&
         ExactOrNan(ReadBits(expected, size), ReadBits(actual, size), type);
}

/// A subnormal number as 0 without a sign; any other number as it is.
uint64_t WithoutSubnormal(lw_type type, const void* element) {
  const uint64_t bits = ReadBits(element, ElementSize(type));
  const uint64_t exponent = type == LW_FLOAT64   ? uint64_t{0x7FF} << 52
                            : type == LW_FLOAT32 ? uint64_t{0xFF} << 23
                                                 : ~uint64_t{0};
  return (bits & exponent) == 0 ? 0 : bits;
}

}  // namespace

std::string ReductionCase::Describe() const {
  std::string text = std::string(lw_type_name(type)) + " " + TextOf(dims);
  if (!in_strides.empty()) text += " by " + TextOf(in_strides);
  text += axes ? " axes " + TextOf(*axes) : " no axes";
  if (keepdims) text += " keepdims " + std::to_string(*keepdims);
  if (noop) text += " noop";
  if (takes_last) text += " last";
  if (!out_strides.empty()) text += " to " + TextOf(out_strides);
  if (version != 0) text += " version " + std::to_string(version);
  return text;
}

Array ElementsOf(lw_type type, size_t count, Data data, uint64_t seed) {
  std::mt19937_64 random(seed);
  if (data == Data::kMixed) return MixedElements(type, count, random);
  Array array(type, count);
  for (size_t i = 0; i < count; ++i) {
    if (data == Data::kRare && random() % 50 == 0) {
      const Array one = MixedElements(type, 1, random);
      std::memcpy(array.at(i), one.data(), one.bytes());
      continue;
    }
    const bool is_negative = data != Data::kPositive && random() % 2 == 0;
    if (type == LW_BOOL) {
      *array.at(i) = static_cast<uint8_t>(data == Data::kOnes || is_negative);
    } else if (!IsFloat(type)) {
      const auto magnitude = static_cast<int64_t>(random() % 100);
      const int64_t number = is_negative ? -magnitude : magnitude;
      WriteInteger(type, data == Data::kOnes ? 1 : number, array.at(i));
    } else {
      const double whole = 0.5 + static_cast<double>(random() >> 11) * 0x1p-53;
      const double number = is_negative ? -whole : whole;
      WriteRounded(type, data == Data::kOnes ? 1 : number, array.at(i));
    }
  }
  return array;
}

std::vector<bool> ReducedDims(const OperatorSpec& spec,
                              const ReductionCase& call) {
  std::vector<bool> reduced(call.dims.size());
  if (reduced.empty()) return reduced;
  Dims64 axes = call.axes.value_or(Dims64());
  if (HasOneAxis(spec)) {
    if (!call.axes) axes = {0};
  } else if (axes.empty() && !call.noop) {
    reduced.assign(call.dims.size(), true);
  }
  const auto rank = static_cast<int64_t>(call.dims.size());
  for (const int64_t axis : axes) {
    reduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return reduced;
}

Dims64 DimsOfOutput(const OperatorSpec& spec, const ReductionCase& call) {
  const std::vector<bool> reduced = ReducedDims(spec, call);
  Dims64 dims;
  for (size_t i = 0; i < call.dims.size(); ++i) {
    if (!reduced[i]) {
      dims.push_back(call.dims[i]);
    } else if (call.keepdims.value_or(1) != 0) {
      dims.push_back(1);
    }
  }
  return dims;
}

// ---- Answers ----------------------------------------------------------------

namespace {

/// The elements of all sequences, one sequence after the other.
struct Sequences {
  Array elements;
  size_t sequence_count = 1;
  size_t element_count = 1;  ///< of each
  bool along = true;

  Sequences(const OperatorSpec& spec, const ReductionCase& call,
            const Array& data)
      : elements(data.type(), data.size()) {
    const std::vector<bool> reduced = ReducedDims(spec, call);
    const Dims64& dims = call.dims;
    for (size_t i = 0; i < dims.size(); ++i) {
      (reduced[i] ? element_count : sequence_count) *=
          static_cast<size_t>(dims[i]);
      if (dims[i] > 1) along = reduced[i];
    }
    std::vector<size_t> next(data.size() == 0 ? 0 : sequence_count);
    for (size_t flat = 0; flat < data.size(); ++flat) {
      size_t sequence = 0;
      size_t step = 1;
      for (size_t i = dims.size(), rest = flat; i-- > 0;) {
        const auto dim = static_cast<size_t>(dims[i]);
        if (!reduced[i]) {
          sequence += rest % dim * step;
          step *= dim;
        }
        rest /= dim;
      }
      std::memcpy(elements.at(sequence * element_count + next[sequence]++),
                  data.at(flat), data.element_size());
    }
  }
};

}  // namespace

ReductionAnswers::ReductionAnswers(const OperatorSpec& spec,
                                   const ReductionCase& call, const Array& data)
    : is_range_(spec.reduced == nullptr) {
  const Sequences all(spec, call, data);
  const lw_type out = OutputTypeOf(spec, call.type);
  low_ = high_ = Array(out, all.sequence_count);
  for (size_t i = 0; i < all.sequence_count; ++i) {
    const Sequence sequence = {call.type,
                               all.elements.at(i * all.element_count),
                               all.element_count, all.along, call.takes_last};
    if (!is_range_) {
      spec.reduced(sequence, low_.at(i));
      continue;
    }
    const Bounds bounds = spec.reduced_within(sequence);
    WriteBound(out, bounds.low, low_.at(i));
    WriteBound(out, bounds.high, high_.at(i));
  }
}

bool ReductionAnswers::IsAnswer(size_t i, const uint8_t* actual,
                                bool flushes) const {
  const lw_type type = low_.type();
  if (is_range_) return IsBetween(type, low_.at(i), high_.at(i), actual);
  if (IsSame(type, low_.at(i), actual)) return true;
  return flushes &&
         WithoutSubnormal(type, low_.at(i)) == WithoutSubnormal(type, actual);
}

std::string ReductionAnswers::Complaint(const Array& actual,
                                        bool flushes) const {
  if (actual.type() != low_.type() || actual.size() != low_.size()) {
    return "another type or number of elements";
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    if (IsAnswer(i, actual.at(i), flushes)) continue;
    const size_t size = actual.element_size();
    return "element " + std::to_string(i) + " of " +
           std::to_string(actual.size()) + " is " +
           BitsText(actual.at(i), size) + ", not " +
           BitsText(low_.at(i), size) +
           (is_range_ ? " to " + BitsText(high_.at(i), size) : "");
  }
  return {};
}

bool IsReduced(const OperatorSpec& spec, const Sequence& sequence,
               const void* actual) {
  const lw_type out = OutputTypeOf(spec, sequence.type);
  uint64_t low = 0;
  uint64_t high = 0;
  if (spec.reduced != nullptr) {
    spec.reduced(sequence, &low);
    return IsSame(out, &low, actual);
  }
  const Bounds bounds = spec.reduced_within(sequence);
  WriteBound(out, bounds.low, &low);
  WriteBound(out, bounds.high, &high);
  return IsBetween(out, &low, &high, actual);
}

// ---- Runs -------------------------------------------------------------------

ReductionRun::ReductionRun(const OperatorSpec& spec, const ReductionCase& call,
                           Data data, uint64_t seed, Side side)
    : spec_(spec),
      call_(call),
      by_input_(VersionOf(spec, call).inputs.size() == 2),
      axes_(call.axes.value_or(Dims64())),
      axis_count_(static_cast<int64_t>(axes_.size())),
      in_(call.type, call.dims, call.in_strides, side),
      out_(OutputTypeOf(spec, call.type), DimsOfOutput(spec, call),
           call.out_strides, side),
      data_([&] {
        const auto count = static_cast<size_t>(Count(call.dims));
        in_.Fill(ElementsOf(call.type, count, data, seed));
        return in_.Read();  // a stride may be 0
      }()),
      output_(out_.view()),
      answers_(spec, call, data_) {
  inputs_.push_back(in_.view());
  if (by_input_ && call.axes) {
    inputs_.push_back({axes_.data(), LW_INT64, 1, &axis_count_, nullptr,
                       axes_.size() * sizeof(int64_t)});
  }
}

OpPtr ReductionRun::MakeNode(const lw_engine* engine) const {
  const VersionSpec& version = VersionOf(spec_, call_);
  const int64_t noop = call_.noop ? 1 : 0;
  const int64_t last = call_.takes_last ? 1 : 0;
  std::vector<lw_attribute> attributes;
  if (call_.keepdims) {
    attributes.push_back(IntAttribute("keepdims", &*call_.keepdims));
  }
  if (call_.noop) {
    attributes.push_back(IntAttribute("noop_with_empty_axes", &noop));
  }
  if (call_.takes_last) {
    attributes.push_back(IntAttribute("select_last_index", &last));
  }
  if (call_.axes && HasOneAxis(spec_)) {
    attributes.push_back(IntAttribute("axis", axes_.data()));
  } else if (call_.axes && !by_input_) {
    attributes.push_back(IntsAttribute("axes", axes_.data(), axes_.size()));
  }
  return MakeOp(engine, {spec_.name, version.version}, attributes);
}

void ReductionRun::ClearOutput() const {
  Untouch(const_cast<uint8_t*>(out_.base()), out_.bytes());
}

void ReductionRun::Check(const lw_op* op) const {
  lw_shape shape;
  ASSERT_EQ(lw_op_infer(op, inputs_.data(), inputs_.size(), &shape), LW_OK)
      << lw_last_error();
  EXPECT_EQ(shape.type, output_.type);
  ASSERT_EQ(Dims64(shape.dims, shape.dims + shape.rank),
            DimsOfOutput(spec_, call_));
  ClearOutput();
  ASSERT_EQ(lw_op_run(op, inputs_.data(), inputs_.size(), &output_, 1), LW_OK)
      << lw_last_error();
  CheckMemory();
}

void ReductionRun::CheckMemory() const {
  const Array actual = out_.Read();
  ASSERT_EQ(answers_.Complaint(actual), "");
  ASSERT_TRUE(SameBits(in_.Read(), data_)) << "an input was written to";
  // What lies between the output's elements.
  const std::vector<uint8_t> whole(out_.base(), out_.base() + out_.bytes());
  ClearOutput();
  out_.Fill(actual);
  EXPECT_EQ(FirstDifference(out_.base(), whole.data(), whole.size(), 1),
            whole.size())
      << "a gap between elements was written to";
}

void CheckReduction(const OperatorSpec& spec, const lw_engine* engine,
                    const ReductionCase& call, Data data, uint64_t seed) {
  SCOPED_TRACE(call.Describe() + ", data " +
               std::to_string(static_cast<int>(data)) + ", seed " +
               std::to_string(seed));
  const ReductionRun run(spec, call, data, seed);
  const OpPtr op = run.MakeNode(engine);
  ASSERT_NE(op, nullptr);
  run.Check(op.get());
}

}  // namespace lanewise::test
