// SPDX-License-Identifier: Apache-2.0

#include "tests/support/naive_call.h"

#include <array>
#include <cstring>
#include <vector>

#include "tests/support/element_bits.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

using Dims = std::vector<int64_t>;

Dims DimsOf(const lw_tensor& tensor) {
  return tensor.rank == 0 ? Dims()
                          : Dims(tensor.dims, tensor.dims + tensor.rank);
}

int64_t Product(const Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    if (dim == 0) return 0;  // the others may be of any size
  }
  for (const int64_t dim : dims) product *= dim;
  return product;
}

/// The index of row-major element `number`.
Dims IndexOf(const Dims& dims, int64_t number) {
  Dims index(dims.size());
  for (size_t i = dims.size(); i-- > 0; number /= dims[i]) {
    index[i] = number % dims[i];
  }
  return index;
}

/// How many elements lie before the element at `index` in memory.
int64_t PlaceOf(const lw_tensor& tensor, const Dims& index) {
  int64_t place = 0;
  int64_t step = 1;
  for (size_t i = index.size(); i-- > 0; step *= tensor.dims[i]) {
    place += index[i] * (tensor.strides != nullptr ? tensor.strides[i] : step);
  }
  return place;
}

/// The index into an input under an index into the output. The input's dim 0 is
/// the output's dim `begin`.
Dims Under(const lw_tensor& input, const Dims& index, int64_t begin) {
  Dims own(static_cast<size_t>(input.rank));
  for (size_t i = 0; i < own.size(); ++i) {
    const auto at = static_cast<int64_t>(i) + begin;
    if (input.dims[i] != 1) own[i] = index[static_cast<size_t>(at)];
  }
  return own;
}

/// A byte with element `number` of a packed type, which is in *byte: oracles
/// know such bytes only.
uint8_t Unpacked(int32_t type, const void* byte, int64_t number) {
  const size_t bits = ElementBits(type);
  const size_t at = static_cast<size_t>(number) * bits % 8;
  const int whole = *static_cast<const uint8_t*>(byte);
  return static_cast<uint8_t>(whole >> at & ((1 << bits) - 1));
}

/// A bound that no number of the type is beyond.
uint64_t LooseBound(lw_type type, bool is_upper) {
  switch (type) {
    case LW_FLOAT16:
      return is_upper ? 0x7C00 : 0xFC00;
    case LW_BFLOAT16:
      return is_upper ? 0x7F80 : 0xFF80;
    case LW_FLOAT32:
      return is_upper ? 0x7F800000 : 0xFF800000;
    case LW_FLOAT64:
      return is_upper ? 0x7FF0000000000000 : 0xFFF0000000000000;
    default:
      break;
  }
  const uint64_t sign = uint64_t{1} << (8 * ElementSize(type) - 1);
  if (IsSignedInteger(type)) return is_upper ? sign - 1 : sign;
  return is_upper ? ~uint64_t{0} : 0;
}

class Checker {
 public:
  Checker(const RandomOperator& op, const RandomCall& call,
          const uint8_t* after)
      : op_(op),
        call_(call),
        after_(after),
        spec_(*AllSpecs().at(op.row->name)),
        out_(call.outputs()[0]),
        dims_(DimsOf(out_)) {}

  std::string Check(const lw_zero_divisors& zeros) {
    if (op_.row->moves_only != 0) return CheckMoved();
    if (op_.reduction) return CheckReduced();
    if (!HasOracle()) return {};
    if (WholeDims() != dims_) return "the output has other dims";
    lw_zero_divisors found = {0, 0};
    for (int64_t i = 0; i < Product(dims_); ++i) {
      std::string complaint = CheckElement(i, &found);
      if (!complaint.empty()) return complaint;
    }
    if (found.count != zeros.count || found.first != zeros.first) {
      return std::to_string(found.count) + " zero divisors from " +
             std::to_string(found.first) + " were to be reported";
    }
    return {};
  }

 private:
  // The spec's oracle is for the newest version, and for its own attributes.
  bool HasOracle() const {
    if (op_.aligned) return true;
    const Types& to = spec_.output.types;
    const auto has = [&](const char* word) {
      return op_.attributes.find(word) != std::string::npos;
    };
    for (const char* other :
         {"alpha", "beta", "bias", "gamma", "lambd", "RIGHT", "tanh", "fmod 1",
          "detect_negative 0", "detect_positive 0", "saturate 0"}) {
      if (has(other)) return false;
    }
    // Selu's attributes had other values by default.
    if (op_.attributes.empty() && !spec_.attributes.empty() &&
        op_.row->since_version < spec_.versions.back().version) {
      return false;
    }
    return op_.row->input_count == spec_.versions.back().inputs.size() &&
           (op_.to == LW_ABSENT || to.count(op_.to) != 0);
  }

  const lw_tensor& input(size_t k) const { return call_.inputs()[k]; }

  /// An element as it was before the call, or as the call left it.
  const uint8_t* Before(const lw_tensor& tensor, int64_t place) const {
    return call_.start() + OffsetOf(tensor, place);
  }
  const uint8_t* After(int64_t place) const {
    return after_ + OffsetOf(out_, place);
  }
  int64_t OffsetOf(const lw_tensor& tensor, int64_t place) const {
    const auto bits = static_cast<int64_t>(ElementBits(tensor.type));
    return static_cast<const uint8_t*>(tensor.data) - call_.memory() +
           place * bits / 8;
  }

  Dims WholeDims() const {
    if (op_.is_legacy || op_.one_way) return DimsOf(input(0));
    Dims whole;
    for (size_t k = 0; k < call_.input_count(); ++k) {
      if (call_.IsAbsent(k) || op_.IsScalar(k)) continue;
      const Dims dims = DimsOf(input(k));
      if (dims.size() > whole.size()) {
        whole.insert(whole.begin(), dims.size() - whole.size(), 1);
      }
      for (size_t i = 0; i < dims.size(); ++i) {
        int64_t& dim = whole[whole.size() - dims.size() + i];
        if (dims[i] != 1) dim = dims[i];
      }
    }
    return whole;
  }

  /// The output's dim that stands over dim 0 of an input.
  int64_t BeginOf(size_t k) const {
    if (op_.is_legacy && k == 1 && op_.axis >= 0) return op_.axis;
    if (op_.by_channel && k == 1 && Product(DimsOf(input(1))) != 1) return 1;
    return out_.rank - input(k).rank;
  }

  /// The index into input k, which aligns at an axis, under an index into x.
  Dims AlignedUnder(size_t k, const Dims& index) const {
    const Dims dims = DimsOf(input(k));
    if (dims.size() <= 1 && Product(dims) == 1) return Dims(dims.size());
    const int64_t block = op_.aligned->block_size;
    const auto axis = static_cast<size_t>(op_.aligned->AxisOf(out_.rank));
    if (block == 0) return {index[axis]};
    Dims own = index;
    own[axis] /= block;
    return own;
  }

  /// The type of the operator's parameter T.
  lw_type MainType() const {
    size_t k = 0;
    while (!spec_.Input(k).types.empty()) ++k;
    return static_cast<lw_type>(input(k).type);
  }

  bool DividesByZero(lw_type type, const void* const* elements) const {
    if (spec_.divides_by_zero != nullptr) {
      const std::array<int32_t, 2> types = {input(0).type, input(1).type};
      return spec_.divides_by_zero(types.data(), elements);
    }
    return spec_.divides && spec_.exact != nullptr && kI8.count(type) != 0 &&
           ReadInteger(type, elements[1]) == 0;
  }

  std::string CheckElement(int64_t number, lw_zero_divisors* zeros) const {
    const lw_type type = MainType();
    const Dims index = IndexOf(dims_, number);
    const void* elements[RandomCall::kMaxTensors] = {};
    uint64_t bounds[4] = {};
    uint8_t unpacked[RandomCall::kMaxTensors] = {};
    const size_t inputs =
        spec_.is_variadic()
            ? call_.input_count()
            : spec_.input_count() - (spec_.last_is_type ? 1 : 0);
    for (size_t k = 0; k < inputs; ++k) {
      if (call_.IsAbsent(k) && op_.aligned) {
        elements[k] = nullptr;
      } else if (call_.IsAbsent(k)) {
        WriteBits(LooseBound(type, k == 2), &bounds[k], ElementSize(type));
        elements[k] = &bounds[k];
      } else {
        const Dims own =
            op_.IsScalar(k)        ? Dims(static_cast<size_t>(input(k).rank))
            : op_.aligned && k > 0 ? AlignedUnder(k, index)
                                   : Under(input(k), index, BeginOf(k));
        const int64_t place = PlaceOf(input(k), own);
        elements[k] = Before(input(k), place);
        if (ElementBits(input(k).type) >= 8) continue;
        unpacked[k] = Unpacked(input(k).type, elements[k], place);
        elements[k] = &unpacked[k];
      }
    }
    if (DividesByZero(type, elements)) {
      if (zeros->count++ == 0) zeros->first = static_cast<uint64_t>(number);
    }
    uint64_t expected[2] = {};
    if (op_.aligned) {
      const AlignedTypes types = {input(0).type, input(1).type, out_.type,
                                  op_.aligned->precision,
                                  op_.aligned->saturates};
      spec_.aligned(types, elements, expected);
    } else if (spec_.of_types != nullptr) {
      const std::array<int32_t, 2> types = {input(0).type, input(1).type};
      AskOracleOfTypes(spec_, types.data(), elements, expected);
    } else if (spec_.is_variadic()) {
      AskOracleOfAny(spec_, type, elements, inputs, expected);
    } else {
      AskOracle(spec_, type, elements, expected);
    }
    const auto out = static_cast<lw_type>(out_.type);
    const uint8_t* actual = After(PlaceOf(out_, index));
    if (ElementBits(out) < 8) {
      unpacked[0] = Unpacked(out, actual, number);
      actual = &unpacked[0];
    }
    if (IsAnswer(spec_, out, expected, actual)) return {};
    return "element " + std::to_string(number) + " is " +
           BitsText(actual, ElementSize(out)) + ", not " +
           BitsText(expected, ElementSize(out));
  }

  /// The elements of sequences, which are told by attributes or an input.
  std::string CheckReduced() const {
    ReductionCase call = *op_.reduction;
    call.type = static_cast<lw_type>(input(0).type);
    call.dims = DimsOf(input(0));
    if (op_.row->input_count > 1 && !call_.IsAbsent(1)) {
      call.axes = Dims();
      for (int64_t i = 0; i < input(1).dims[0]; ++i) {
        int64_t axis;
        std::memcpy(&axis, Before(input(1), PlaceOf(input(1), {i})), 8);
        call.axes->push_back(axis);
      }
    }
    if (DimsOfOutput(spec_, call) != dims_) return "the output has other dims";
    const Array data = Gathered(input(0), call_.start());
    return ReductionAnswers(spec_, call, data)
        .Complaint(Gathered(out_, after_));
  }

  /// A tensor's elements in row-major order, from a copy of the memory.
  Array Gathered(const lw_tensor& tensor, const uint8_t* memory) const {
    const Dims dims = DimsOf(tensor);
    Array array(static_cast<lw_type>(tensor.type),
                static_cast<size_t>(Product(dims)));
    for (size_t i = 0; i < array.size(); ++i) {
      const Dims index = IndexOf(dims, static_cast<int64_t>(i));
      std::memcpy(array.at(i),
                  memory + OffsetOf(tensor, PlaceOf(tensor, index)),
                  array.element_size());
    }
    return array;
  }

  /// The elements of the first input, in their order.
  std::string CheckMoved() const {
    const lw_tensor& in = input(0);
    const Dims in_dims = DimsOf(in);
    const int64_t count = Product(dims_);
    if (Product(in_dims) != count) return "another number of elements";
    if (count == 0) return {};
    const size_t bits = ElementBits(in.type);
    if (bits < 8) {
      const auto bytes = static_cast<size_t>(count) * bits / 8;
      return std::memcmp(After(0), Before(in, 0), bytes) == 0
                 ? std::string()
                 : "packed elements differ";
    }
    for (int64_t i = 0; i < count; ++i) {
      if (std::memcmp(After(PlaceOf(out_, IndexOf(dims_, i))),
                      Before(in, PlaceOf(in, IndexOf(in_dims, i))),
                      bits / 8) != 0) {
        return "element " + std::to_string(i) + " differs";
      }
    }
    return {};
  }

  const RandomOperator& op_;
  const RandomCall& call_;
  const uint8_t* after_;
  const OperatorSpec& spec_;
  const lw_tensor& out_;
  Dims dims_;
};

}  // namespace

std::string ComplaintAboutCall(const RandomOperator& op, const RandomCall& call,
                               const uint8_t* after,
                               const lw_zero_divisors& zeros) {
  return Checker(op, call, after).Check(zeros);
}

}  // namespace lanewise::test
