// SPDX-License-Identifier: Apache-2.0
//
// What is known of an operator apart from the library: its versions and types,
// written down by hand from its ONNX document, its oracle, and the range of its
// inputs. Each operator's spec stands at the top of its own test file,
// tests/kernels/<op>_test.cc. The tests of the registry and the benchmarks
// compile that file once more, with LANEWISE_SPEC_ONLY, and read the spec from
// there: no operator is registered, or timed, without one.

#ifndef LANEWISE_TESTS_SUPPORT_OPERATOR_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_OPERATOR_SPEC_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/element_size.h"

#ifndef LANEWISE_SPEC_ONLY
#define LANEWISE_SPEC_ONLY 0
#endif

namespace lanewise::test {

/// A set of types, each of which is an lw_type. The compiler makes the sets
/// below: on Windows, inline variables that the program makes when it starts
/// have no order among several files.
class Types {
 public:
  using iterator = const int32_t*;
  using const_iterator = iterator;

  constexpr Types() = default;
  constexpr Types(std::initializer_list<int32_t> types) {
    for (const int32_t type : types) Add(type);
  }
  template <class Iterator>
  Types(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) Add(*begin);
  }

  constexpr void Add(int32_t type) {
    if (count(type) == 0) types_[size_++] = type;
    std::sort(types_.begin(), types_.begin() + size_);
  }
  constexpr bool empty() const { return size_ == 0; }
  constexpr size_t size() const { return size_; }
  constexpr size_t count(int32_t type) const {
    return static_cast<size_t>(std::count(begin(), end(), type));
  }
  constexpr iterator begin() const { return types_.data(); }
  constexpr iterator end() const { return begin() + size_; }
  constexpr bool operator==(const Types&) const = default;

 private:
  std::array<int32_t, 32> types_ = {};
  size_t size_ = 0;
};

constexpr Types operator+(Types x, const Types& y) {
  for (const int32_t type : y) x.Add(type);
  return x;
}

// Sets of types that ONNX's documents share.
inline constexpr Types kF3 = {LW_FLOAT16, LW_FLOAT32, LW_FLOAT64};
inline constexpr Types kF4 = kF3 + Types{LW_BFLOAT16};
inline constexpr Types kI8 = {LW_INT8,  LW_INT16,  LW_INT32,  LW_INT64,
                              LW_UINT8, LW_UINT16, LW_UINT32, LW_UINT64};
inline constexpr Types kN7 =
    kF3 + Types{LW_INT32, LW_INT64, LW_UINT32, LW_UINT64};
inline constexpr Types kN8 = kN7 + Types{LW_BFLOAT16};
inline constexpr Types kN11 = kF3 + kI8;
inline constexpr Types kN12 = kF4 + kI8;
inline constexpr Types kFloat8 = {LW_FLOAT8E4M3FN, LW_FLOAT8E4M3FNUZ,
                                  LW_FLOAT8E5M2, LW_FLOAT8E5M2FNUZ};
/// Several elements of these types share a byte.
inline constexpr Types kPackedTypes = {LW_INT4, LW_UINT4, LW_FLOAT4E2M1,
                                       LW_INT2, LW_UINT2};
inline constexpr Types kA15 =
    kI8 + kF3 + Types{LW_STRING, LW_BOOL, LW_COMPLEX64, LW_COMPLEX128};
inline constexpr Types kA16 = kA15 + Types{LW_BFLOAT16};

/// An input or output, as one version's document describes it.
struct OperandSpec {
  std::string name;
  std::string parameter = "T";  ///< its type parameter
  Types types = {};             ///< none: those of T; one, or several
  bool optional = false;
  bool variadic = false;  ///< the one input, which may be given often
  /// An output whose type an attribute tells: the version lists all of T's, and
  /// `types` is the type that the spec's own attributes tell.
  bool told = false;
};

struct AttributeSpec {
  std::string name;
  int32_t kind;
  bool required = false;
  /// A value of a required STRING, and one of a required INT.
  std::string text = "";
  int64_t number = 1;
  /// No node can be made without it, although the document has a fallback.
  bool needed = false;
};

/// One version's document.
struct VersionSpec {
  int32_t version;
  Types types;  ///< of T
  std::vector<OperandSpec> inputs;
  std::vector<AttributeSpec> attributes = {};
  /// The output, where it differs from version to version.
  std::vector<OperandSpec> output = {};

  /// Whether all inputs with several types may have `type`, as T has it: Pow-13
  /// has bfloat16 for X alone.
  bool TakesOnly(int32_t type) const {
    return types.count(type) != 0 &&
           std::all_of(inputs.begin(), inputs.end(), [&](const auto& input) {
             return input.types.size() < 2 || input.types.count(type) != 0;
           });
  }
};

/// Where typical floats lie: between two numbers, or of either sign with
/// exponents between two powers of two.
struct Range {
  enum Kind { kUniform, kExponents } kind = kUniform;
  double low = -10;
  double high = 10;
};

/// The types and attributes that decide the answer of an operator whose inputs
/// align at an axis.
struct AlignedTypes {
  int32_t x, scale, to;
  int32_t precision = LW_ABSENT;
  bool saturates = true;
};

/// What a reduction makes one element of.
struct Sequence {
  lw_type type;
  const uint8_t* elements;  ///< in row-major order, without gaps
  size_t count;
  bool along;  ///< the last dim of more than one element is reduced
  bool takes_last = false;  ///< select_last_index
};

/// Two numbers: every number between them, rounded to the output's type, is an
/// answer. NaN: only NaN is.
struct Bounds {
  long double low, high;
};
struct ComposedNode;  // composed_spec.h
struct Numbers;

struct OperatorSpec {
  const char* name;
  std::vector<VersionSpec> versions;  ///< ascending
  OperandSpec output;
  int32_t newest_opset = 28;  ///< the newest one whose document was read

  /// The exact result for float inputs, of which `in` has one each; rounded to
  /// the output's type it is the answer. nullptr: bits alone tell.
  long double (*exact)(lw_type type, const long double* in) = nullptr;
  /// The same for any number of inputs. nullptr: `exact` or `bits` of two
  /// inputs, applied from the left to the right.
  long double (*exact_of_all)(lw_type type, const long double* in,
                              size_t count) = nullptr;
  /// The answer for inputs of any other type, written to `out`: exact bits.
  void (*bits)(lw_type type, const void* const* in, void* out) = nullptr;
  /// How far a float32 or float64 result may be from `exact`, in units of the
  /// last place; narrower floats are correctly rounded.
  double allowed_ulp = 0.5;
  /// Results are rounded to nearest, whatever the caller's rounding mode is.
  bool to_nearest = false;
  /// Floats whose results are exact; none: small whole numbers.
  std::vector<double> exact_inputs = {};

  Range typical = {};
  /// The range over which benchmarks check answers: results may be subnormal or
  /// overflow.
  Range (*wide)(lw_type type) = nullptr;
  bool divides = false;  ///< the last input is a divisor: integers are not 0
  /// Whether a call reports these elements as a zero divisor; nullptr: where
  /// `divides`, an integer 0 in the last input.
  bool (*divides_by_zero)(const int32_t* types,
                          const void* const* in) = nullptr;
  /// In place of `bits`, for inputs with types of their own: `types` has one
  /// for each input.
  void (*of_types)(const int32_t* types, const void* const* in,
                   void* out) = nullptr;
  bool one_way = false;       ///< the output has the first input's shape
  bool last_is_type = false;  ///< nothing but the last input's type matters
  bool one_shape = false;     ///< all inputs have one shape
  /// In place of `bits`, where all inputs but the first align at an axis: calls
  /// and kernels that know nothing of this are left out. The third input, a
  /// zero point, may be nullptr.
  void (*aligned)(const AlignedTypes& types, const void* const* in,
                  void* out) = nullptr;
  /// In place of all these, for reductions: the answer's bits, or bounds of the
  /// answer.
  void (*reduced)(const Sequence& sequence, void* out) = nullptr;
  Bounds (*reduced_within)(const Sequence& sequence) = nullptr;
  /// In place of all these, for composed operators: all outputs. Errors may be
  /// `allowed_ulp` units of the last place of float32, of float64 where all
  /// operands are that; 16-bit results are rounded once more.
  std::vector<Numbers> (*composed)(
      const ComposedNode& node, const std::vector<Numbers>& inputs) = nullptr;
  /// Outputs behind the first one.
  std::vector<OperandSpec> more_outputs = {};
  /// Of a node of the newest version; for versions with attributes of the same
  /// names and kinds, too.
  std::vector<lw_attribute> attributes = {};
  /// The value of an input that is always one element: a bound of Clip.
  double (*scalar)(lw_type type, int input) = nullptr;

  const OperandSpec& Input(size_t k) const {
    const std::vector<OperandSpec>& inputs = versions.back().inputs;
    return inputs[inputs[0].variadic ? 0 : k];
  }
  bool is_variadic() const { return Input(0).variadic; }
  bool is_aligned() const { return aligned != nullptr; }
  bool is_reduction() const {
    return reduced != nullptr || reduced_within != nullptr;
  }
  bool is_composed() const { return composed != nullptr; }
  /// How many inputs a kernel has.
  size_t input_count() const {
    return is_variadic() ? 2 : versions.back().inputs.size();
  }
};

/// Every operator of this build, by name.
const std::map<std::string, const OperatorSpec*>& AllSpecs();

// ---- What several specs are made of ----------------------------------------

inline std::vector<OperandSpec> InputsAB() { return {{"A"}, {"B"}}; }

/// The version that an opset has.
const VersionSpec& VersionOf(const OperatorSpec& spec, int32_t opset);

inline AttributeSpec ConsumedInputsSpec() {
  return {"consumed_inputs", LW_ATTRIBUTE_INTS};
}
/// broadcast and axis, as operators had them before opset 7.
inline std::vector<AttributeSpec> LegacyAttributes(bool consumed_inputs) {
  std::vector<AttributeSpec> attributes = {{"axis", LW_ATTRIBUTE_INT},
                                           {"broadcast", LW_ATTRIBUTE_INT}};
  if (consumed_inputs) attributes.push_back(ConsumedInputsSpec());
  return attributes;
}

/// Max, Min, Sum, Mean.
inline std::vector<OperandSpec> AnyInputs() {
  return {{"data_0", "T", {}, false, true}};
}
/// Max, Min.
inline std::vector<VersionSpec> VariadicVersions() {
  const std::vector<OperandSpec> inputs = AnyInputs();
  return {{1, kF3, inputs, {ConsumedInputsSpec()}},
          {6, kF3, inputs},
          {8, kF3, inputs},
          {12, kN11, inputs},
          {13, kN12, inputs}};
}

/// Add, Sub, Mul, Div.
inline std::vector<VersionSpec> ArithmeticVersions() {
  return {{1, kF3, InputsAB(), LegacyAttributes(true)},
          {6, kN7, InputsAB(), LegacyAttributes(false)},
          {7, kN7, InputsAB()},
          {13, kN8, InputsAB()},
          {14, kN12, InputsAB()}};
}

/// Normal numbers of all exponents but the highest, because rounding could turn
/// a number of the highest exponent into infinity. The quotient or product of
/// two such numbers may be subnormal, or overflow.
inline Range AnyExponent(lw_type type) {
  const double least = type == LW_FLOAT16   ? -14
                       : type == LW_FLOAT64 ? -1022
                                            : -126;
  return {Range::kExponents, least, 1 - least};
}

inline bool IsSignedInteger(int32_t type) {
  return type == LW_INT8 || type == LW_INT16 || type == LW_INT32 ||
         type == LW_INT64;
}

/// fn(a, b) computed in the type itself for float32 and float64, as scalar code
/// under the current floating-point environment, and in double for 16-bit
/// floats: not rounded, or rounded once.
template <class Fn>
long double InTypeOf(lw_type type, const long double* in, const Fn& fn) {
  if (type == LW_FLOAT32) {
    return fn(static_cast<float>(in[0]), static_cast<float>(in[1]));
  }
  return fn(static_cast<double>(in[0]), static_cast<double>(in[1]));
}

/// An integer or bool of whole bytes, sign-extended.
int64_t ReadInteger(lw_type type, const void* element);
/// The low bits of `value`.
void WriteInteger(lw_type type, int64_t value, void* element);
/// A float of any type as a number, exactly.
long double ReadFloat(lw_type type, const void* element);
/// The same for integers, too.
long double ReadNumber(lw_type type, const void* element);

/// fn(a, b) of two elements as numbers of their own type: floats as scalar code
/// compares them, which obeys the current floating-point environment.
template <class Fn>
bool Compare(lw_type type, const void* const* in, const Fn& fn) {
  if (type == LW_FLOAT32) {
    return fn(static_cast<float>(ReadFloat(type, in[0])),
              static_cast<float>(ReadFloat(type, in[1])));
  }
  if (kF4.count(type) != 0) {
    return fn(static_cast<double>(ReadFloat(type, in[0])),
              static_cast<double>(ReadFloat(type, in[1])));
  }
  const int64_t a = ReadInteger(type, in[0]);
  const int64_t b = ReadInteger(type, in[1]);
  return IsSignedInteger(type)
             ? fn(a, b)
             : fn(static_cast<uint64_t>(a), static_cast<uint64_t>(b));
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_OPERATOR_SPEC_H_
