// SPDX-License-Identifier: Apache-2.0

#include "tests/support/suite_data.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>

#include "tests/support/bits.h"
#include "tests/support/check_values.h"
#include "tests/support/element_bits.h"
#include "tests/support/samples.h"

namespace lanewise::test {
namespace {

// Strings of which some are equal without being in one place, and some are the
// start of the memory of others.
const lw_string& AnyString(uint64_t number) {
  static const char* const kTexts[] = {
      "", "a", "b", "ab", "a longer text", "a longer texT"};
  static const std::vector<std::string>& copies = *[] {
    auto* made = new std::vector<std::string>;
    for (int copy = 0; copy < 2; ++copy) {
      for (const char* text : kTexts) made->emplace_back(text);
    }
    return made;
  }();
  static const std::vector<lw_string>& strings = *[] {
    auto* made = new std::vector<lw_string>;
    for (const std::string& text : copies) {
      made->push_back({text.data(), text.size()});
      made->push_back({text.data(), text.size() / 2});
    }
    return made;
  }();
  return strings[number % strings.size()];
}

const Array& LatticeOf(lw_type type) {
  static auto& lattices = *new std::map<lw_type, Array>;
  const auto [at, is_new] = lattices.try_emplace(type);
  if (is_new) at->second = Lattice(type);
  return at->second;
}

bool HasLattice(lw_type type) { return kN12.count(type) != 0; }

}  // namespace

std::vector<lw_type> SuiteTypes(const OperatorSpec& spec) {
  std::vector<lw_type> types;
  for (const int32_t type : spec.versions.back().types) {
    if (kPackedTypes.count(type) != 0) continue;
    types.push_back(static_cast<lw_type>(type));
  }
  return types;
}

lw_type InputTypeOf(const OperatorSpec& spec, size_t k, lw_type type) {
  const Types& own = spec.Input(k).types;
  return own.empty() || own.count(type) != 0
             ? type
             : static_cast<lw_type>(*own.begin());
}

lw_type OutputTypeOf(const OperatorSpec& spec, lw_type type) {
  return spec.output.types.empty()
             ? type
             : static_cast<lw_type>(*spec.output.types.begin());
}

bool IsScalarInput(const OperatorSpec& spec, size_t k) {
  return spec.scalar != nullptr && k > 0;
}

Array MixedElements(lw_type type, size_t count, std::mt19937_64& random) {
  Array array = RandomBits(type, count, random());
  for (size_t i = 0; i < count; ++i) {
    if (type == LW_STRING) {
      std::memcpy(array.at(i), &AnyString(random()), sizeof(lw_string));
    } else if (type == LW_BOOL) {
      *array.at(i) = static_cast<uint8_t>(random() & 1);
    } else if (HasLattice(type) && random() % 2 == 0) {
      const Array& lattice = LatticeOf(type);
      std::memcpy(array.at(i), lattice.at(random() % lattice.size()),
                  array.element_size());
    }
  }
  return array;
}

Arrays MixedInputs(const OperatorSpec& spec, lw_type type, size_t count,
                   int pattern, uint64_t seed) {
  std::mt19937_64 random(seed);
  Arrays inputs;
  for (size_t k = 0; k < spec.input_count(); ++k) {
    const bool one = (pattern >> k & 1) != 0 || IsScalarInput(spec, k);
    inputs.push_back(
        MixedElements(InputTypeOf(spec, k, type), one ? 1 : count, random));
    if (k == 0 || inputs[0].type() != inputs[k].type()) continue;
    // Every fifth operand is the first one, or differs in its last or its sign
    // bit.
    for (size_t i = 0; i < std::min(inputs[0].size(), inputs[k].size()); ++i) {
      if (random() % 5 != 0) continue;
      std::memcpy(inputs[k].at(i), inputs[0].at(i), inputs[0].element_size());
      if (type == LW_STRING || type == LW_BOOL) continue;
      *inputs[k].at(i) ^= random() & 1;
      uint8_t* last = inputs[k].at(i) + inputs[k].element_size() - 1;
      *last ^= random() % 2 == 0 ? 0x80 : 0;
    }
  }
  return inputs;
}

void WriteRounded(lw_type type, long double exact, void* out) {
  if (type == LW_FLOAT32) {
    const auto rounded = static_cast<float>(exact);
    std::memcpy(out, &rounded, sizeof(rounded));
  } else if (type == LW_FLOAT64) {
    const auto rounded = static_cast<double>(exact);
    std::memcpy(out, &rounded, sizeof(rounded));
  } else {
    const Format& format = type == LW_FLOAT16 ? kHalf : kBfloat;
    const auto bits = static_cast<uint16_t>(Narrow(ToOddDouble(exact), format));
    std::memcpy(out, &bits, sizeof(bits));
  }
}

namespace {

// Out of line, so that nothing is rounded before the rounding mode is set.
[[gnu::noinline]] void AskOracleInThisMode(const OperatorSpec& spec,
                                           lw_type type, const void* const* in,
                                           void* out) {
  const lw_type result = OutputTypeOf(spec, type);
  if (!IsFloat(result) || spec.exact == nullptr) {
    const int32_t types[] = {type, type};
    if (spec.of_types != nullptr) return spec.of_types(types, in, out);
    return spec.bits(type, in, out);
  }
  long double numbers[4] = {};
  for (size_t k = 0; k < spec.input_count(); ++k) {
    numbers[k] = ReadFloat(type, in[k]);
  }
  WriteRounded(result, spec.exact(type, numbers), out);
}

}  // namespace

void AskOracle(const OperatorSpec& spec, lw_type type, const void* const* in,
               void* out) {
  const int mode = std::fegetround();
  const bool changes = spec.to_nearest && mode != FE_TONEAREST;
  if (changes) std::fesetround(FE_TONEAREST);
  AskOracleInThisMode(spec, type, in, out);
  if (changes) std::fesetround(mode);
}

void AskOracleOfTypes(const OperatorSpec& spec, const int32_t* types,
                      const void* const* in, void* out) {
  const auto result = static_cast<lw_type>(types[0]);
  if (spec.exact == nullptr || !IsFloat(result)) {
    return spec.of_types(types, in, out);
  }
  const long double numbers[] = {
      ReadNumber(result, in[0]),
      ReadNumber(static_cast<lw_type>(types[1]), in[1])};
  WriteRounded(result, spec.exact(result, numbers), out);
}

void AskOracleOfAny(const OperatorSpec& spec, lw_type type,
                    const void* const* in, size_t count, void* out) {
  const size_t size = ElementSize(type);
  uint8_t folded[16];
  std::memcpy(folded, in[0], size);
  if (spec.exact_of_all != nullptr && count > 1) {
    std::vector<long double> numbers;
    for (size_t k = 0; k < count; ++k) {
      numbers.push_back(ReadFloat(type, in[k]));
    }
    return WriteRounded(type, spec.exact_of_all(type, numbers.data(), count),
                        out);
  }
  for (size_t k = 1; k < count; ++k) {
    const void* const two[] = {folded, in[k]};
    AskOracle(spec, type, two, out);
    std::memcpy(folded, out, size);
  }
  std::memcpy(out, folded, size);
}

Array ExpectedOf(const OperatorSpec& spec, lw_type type, const Arrays& in,
                 size_t count) {
  Array expected(OutputTypeOf(spec, type), count);
  for (size_t i = 0; i < count; ++i) {
    const void* elements[4] = {};
    for (size_t k = 0; k < in.size(); ++k) {
      elements[k] = in[k].at(in[k].size() == 1 ? 0 : i);
    }
    AskOracle(spec, type, elements, expected.at(i));
  }
  return expected;
}

bool SameResult(const OperatorSpec& spec, lw_type out, const void* x,
                const void* y) {
  const size_t size = ElementSize(out);
  if (std::memcmp(x, y, size) == 0) return true;
  const bool computes = spec.exact != nullptr || spec.is_aligned();
  if (!IsFloat(out) || !computes) return false;
  return ExactOrNan(ReadBits(x, size), ReadBits(y, size), out);
}

namespace {

/// Whether integers that are doubles, as Pow's with a float exponent, were
/// neighbours as such: from 2^52 on, no number lies between two doubles.
bool AreDoublesSideBySide(const void* expected, const void* actual) {
  int64_t bits[2];
  for (const void* integer : {expected, actual}) {
    int64_t value;
    std::memcpy(&value, integer, sizeof(value));
    const auto number = static_cast<double>(value);
    if (std::abs(number) < 0x1p52) return false;
    std::memcpy(&bits[integer == actual], &number, sizeof(number));
  }
  return std::abs(bits[0] - bits[1]) <= 1;
}

}  // namespace

bool IsAnswer(const OperatorSpec& spec, lw_type out, const void* expected,
              const void* actual) {
  if (SameResult(spec, out, expected, actual)) return true;
  if (spec.allowed_ulp <= 0.5) return false;
  if (out == LW_INT64) return AreDoublesSideBySide(expected, actual);
  if (out != LW_FLOAT32 && out != LW_FLOAT64) return false;
  // Within 1 ULP are the numbers on both sides of the exact result. The
  // expected number is one of them, and its neighbour may be the other.
  const size_t size = ElementSize(out);
  return std::abs(static_cast<int64_t>(ReadBits(expected, size)) -
                  static_cast<int64_t>(ReadBits(actual, size))) <= 1;
}

size_t FirstOther(const OperatorSpec& spec, const Array& actual,
                  const Array& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!IsAnswer(spec, expected.type(), expected.at(i), actual.at(i))) {
      return i;
    }
  }
  return expected.size();
}

std::string Complaint(const OperatorSpec& spec, const Arrays& in, size_t i,
                      const Array& actual, const Array& expected) {
  std::string text = std::string(spec.name) + " of";
  for (const Array& input : in) {
    text += std::string(" ") + lw_type_name(input.type()) + " " +
            BitsText(input.at(input.size() == 1 ? 0 : i), input.element_size());
  }
  return text + " at element " + std::to_string(i) + " gives " +
         BitsText(actual.at(i), actual.element_size()) + ", not " +
         BitsText(expected.at(i), expected.element_size());
}

}  // namespace lanewise::test
