// SPDX-License-Identifier: Apache-2.0
//
// An operator as its kernel file describes it. The runtime learns everything
// that it needs to know about an operator from here.

#ifndef LANEWISE_KERNELS_OPERATOR_H_
#define LANEWISE_KERNELS_OPERATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"

namespace lanewise {

class Recipe;  // recipe.h

/// How the output's shape follows from the inputs.
enum class ShapeRule : uint8_t {
  kSame,             ///< the shape of the first input
  kEqual,            ///< all inputs have one shape
  kBroadcast,        ///< numpy's: aligned at the right, a 1 stretches
  kOneWay,           ///< the first input's shape, to which the others stretch
  kChannel,          ///< the first input's shape; the second input is one
                     ///< element, or one for each index of dim 1
  kLegacyBroadcast,  ///< the first input's shape; the second one may be a part
                     ///< of that shape (Meaning::kBroadcast, kAxis)
  kAligned,          ///< the first input's shape, with Role::kAligned beside it
  kTarget,           ///< told by an attribute (Meaning::kTargetShape) or by the
                     ///< last input (Role::kShape)
  kReduced,  ///< the first input's shape without the reduced dims, which an
             ///< attribute (Meaning::kAxes, kReducedAxis) or the last input
             ///< (Role::kShape) names; with Meaning::kKeepDims they stay as 1
};

/// What a byte costs: selects the thresholds for threads and streaming. Types
/// whose bytes cost more say so in the table (KernelEntry::weight).
enum class CostClass : uint8_t { kMemory, kDivision, kTranscendental };

/// What an input is to the operator.
enum class Role : uint8_t {
  kElements,  ///< takes part in the shape rule
  kScalar,    ///< always one element: rank 0, or rank 1 with one element
  kShape,     ///< int64, rank 1: tells the output's shape, or the axes that
              ///< are reduced. Comes last.
  kType,      ///< tells the output's type (OperandInfo::told): its elements do
              ///< not matter. Comes second and last, with a type of its own.
  kAligned,   ///< the second and the third input of ShapeRule::kAligned: one
              ///< element, one for each index of the dim that "axis" names, or
              ///< one for each block of "block_size" indexes of that dim
};

/// An input or the output.
struct OperandInfo {
  const char* name;  ///< as the document names it
  Role role = Role::kElements;
  bool optional = false;
  const char* type_parameter = "T";  ///< as the document names it
  lw_type only = LW_ABSENT;  ///< the one type of this operand; LW_ABSENT: the
                             ///< type that a call binds to T
  bool told = false;         ///< an output whose type Meaning::kOutputType or
                             ///< Role::kType tells (KernelEntry::to), or an
                             ///< aligned input, which has the output's type
  bool own = false;  ///< the second input, with a type parameter of its own:
                     ///< the table lists pairs (KernelEntry::second)
};

/// What an attribute means to the runtime.
enum class Meaning : uint8_t {
  kNothing,      ///< accepted and ignored
  kParameter,    ///< for the operator's own Prepare function
  kBroadcast,    ///< 0 or 1: whether kLegacyBroadcast stretches
  kAxis,         ///< where the second input's dims start, -1: at the right
  kTargetShape,  ///< the target of kTarget
  kKeepZeros,    ///< 0 or 1: whether a 0 in the target means 0
  kOutputType,   ///< an lw_type, or a STRING whose choice is an lw_type
  kAxes,         ///< which dims are reduced; none given: all, but see kNoAxes
  kReducedAxis,  ///< the one dim that is reduced
  kKeepDims,     ///< 0 or 1: whether a reduced dim stays, as 1
  kNoAxes,       ///< 0 or 1: whether no axes mean that nothing is reduced
};

struct AttributeInfo {
  const char* name;
  lw_attribute_kind kind;
  Meaning meaning = Meaning::kParameter;
  bool required = false;
  std::optional<double> fallback = {};  ///< where a node has none: FLOAT, INT
  /// STRING: the values that the document lists. An empty one is no value.
  std::span<const char* const> choices = {};
};

/// The attributes of one node, as an operator's Prepare function reads them.
/// Returns the node's value, else the fallback, else nothing.
class AttributeValues {
 public:
  virtual std::optional<float> Float(std::string_view name) const = 0;
  virtual std::optional<int64_t> Int(std::string_view name) const = 0;
  /// The numbers of an INTS, none if there is none.
  virtual std::span<const int64_t> Ints(std::string_view name) const = 0;
  /// The index of a STRING among AttributeInfo::choices; 0 if there is none.
  virtual size_t Choice(std::string_view name) const = 0;

 protected:
  ~AttributeValues() = default;
};

/// What an operator keeps from its attributes for its kernels (Setup::params).
struct Params {
  alignas(16) unsigned char bytes[32] = {};

  template <class T>
  T& As() {
    static_assert(sizeof(T) <= sizeof(bytes) && alignof(T) <= 16);
    return *reinterpret_cast<T*>(bytes);
  }
};

/// The form of an operator from one version on, up to the next form.
struct Form {
  int since;
  std::span<const OperandInfo> inputs;
  ShapeRule shape_rule;
  std::span<const AttributeInfo> attributes = {};
  /// The one input may be given any number of times, at least once. The kernels
  /// for patterns take two.
  bool variadic = false;

  /// Input `k` of a call.
  const OperandInfo& Input(size_t k) const { return inputs[variadic ? 0 : k]; }
};

/// Which of the host's string functions the kernels of LW_STRING need.
enum class StringUse : uint8_t { kCopies, kCompares };

struct Operator {
  const char* name;               ///< as ONNX spells it
  std::span<const int> versions;  ///< ascending
  std::span<const Form> forms;    ///< ascending
  OperandInfo output;
  int verified_opset;  ///< the newest opset whose document was read
  CostClass cost;
  /// The table of the best of `targets`, as bits, that the file has code for.
  TargetKernels (*kernels)(int64_t targets);
  /// The elements keep their bits and their row-major order: if input and
  /// output share an address, a call does nothing.
  bool moves_only = false;
  /// Integer kernels report zero divisors, by their row-major position: such
  /// calls visit elements in row-major order.
  bool reports_zero_divisors = false;
  /// Which elements these are, from the types of both inputs; nullptr: those
  /// whose second input is 0.
  bool (*divides_by_zero)(const int32_t* types, const void* a,
                          const void* b) = nullptr;
  StringUse strings = StringUse::kCopies;
  /// Whether all results of the usual kernels are correctly rounded. An exact
  /// engine takes other operators only in the types that have Way::kExact.
  bool exact = false;
  void (*prepare)(const AttributeValues& attributes, Params* params) = nullptr;
  /// The output's types, where inputs are aligned. An attribute tells the type,
  /// else a third input that is `told`, which is LW_UINT8 if left out, else the
  /// second input. Every entry of the table has the same kernel, and names its
  /// second type.
  std::span<const ListedType> outputs = {};
  /// Why a node cannot have these attributes; nullptr if it can.
  const char* (*refuses)(const AttributeValues& attributes) = nullptr;
  /// Whether the kernels of Way::kExact are proven for these attributes. Exact
  /// engines refuse others. nullptr: they are for all.
  bool (*proven)(const AttributeValues& attributes) = nullptr;
  /// Of a composed operator: writes the steps that compute it. The table then
  /// lists types without kernels, the shape rule only tells whether the output
  /// has the first input's shape, and operands with one type parameter have one
  /// type.
  void (*recipe)(Recipe& recipe) = nullptr;
  /// Outputs behind the first one; only composed operators have any.
  std::span<const OperandInfo> more_outputs = {};

  size_t OutputCount() const { return 1 + more_outputs.size(); }
  const OperandInfo& Output(size_t k) const {
    return k == 0 ? output : more_outputs[k - 1];
  }
};

/// Operator::kernels of a composed operator.
template <auto& kEntries>
TargetKernels OnlyTypes(int64_t) {
  return {0, kEntries};
}

/// Operator::kernels of the operator whose namespace is `space`.
#define LANEWISE_KERNELS(space)                            \
  [](int64_t targets) -> TargetKernels {                   \
    LANEWISE_KERNELS_APART(space)                          \
    HWY_EXPORT_T(Kernels, space::Kernels);                 \
    return OnTarget(HWY_DISPATCH_TABLE(Kernels), targets); \
  }

// ---- Forms that several operators share ------------------------------------

inline constexpr AttributeInfo kConsumedInputs = {
    "consumed_inputs", LW_ATTRIBUTE_INTS, Meaning::kNothing};
inline constexpr AttributeInfo kOnlyConsumedInputs[] = {kConsumedInputs};
inline constexpr AttributeInfo kLegacyAttributes[] = {
    {"broadcast", LW_ATTRIBUTE_INT, Meaning::kBroadcast},
    {"axis", LW_ATTRIBUTE_INT, Meaning::kAxis},
    kConsumedInputs};
inline constexpr std::span<const AttributeInfo> kLegacyBroadcastAttributes(
    kLegacyAttributes, 2);

inline constexpr OperandInfo kInputsAB[] = {{"A"}, {"B"}};
inline constexpr OperandInfo kInputX[] = {{"X"}};
inline constexpr OperandInfo kInputLowercase[] = {{"input"}};

/// Add, Sub, Mul, Div.
inline constexpr Form kArithmeticForms[] = {
    {1, kInputsAB, ShapeRule::kLegacyBroadcast, kLegacyAttributes},
    {6, kInputsAB, ShapeRule::kLegacyBroadcast, kLegacyBroadcastAttributes},
    {7, kInputsAB, ShapeRule::kBroadcast}};

/// Max, Min.
inline constexpr OperandInfo kAnyInputs[] = {{"data_0"}};
inline constexpr Form kVariadicForms[] = {
    {1, kAnyInputs, ShapeRule::kEqual, kOnlyConsumedInputs, true},
    {6, kAnyInputs, ShapeRule::kEqual, {}, true},
    {8, kAnyInputs, ShapeRule::kBroadcast, {}, true}};

/// Greater and Less, Equal, And, Or, Xor.
inline constexpr Form kComparisonForms[] = {
    {1, kInputsAB, ShapeRule::kLegacyBroadcast, kLegacyBroadcastAttributes},
    {7, kInputsAB, ShapeRule::kBroadcast}};
inline constexpr OperandInfo kBoolOutputC = {"C", Role::kElements, false, "T1",
                                             LW_BOOL};

/// IsNaN, IsInf.
inline constexpr OperandInfo kTestedX[] = {{"X", Role::kElements, false, "T1"}};
inline constexpr OperandInfo kBoolOutputY = {"Y", Role::kElements, false, "T2",
                                             LW_BOOL};

/// The reductions.
inline constexpr OperandInfo kInputData[] = {{"data"}};
inline constexpr OperandInfo kInputDataAxes[] = {
    {"data"}, {"axes", Role::kShape, true, "tensor(int64)", LW_INT64}};
inline constexpr OperandInfo kOutputReduced = {"reduced"};
inline constexpr AttributeInfo kKeepDims = {"keepdims", LW_ATTRIBUTE_INT,
                                            Meaning::kKeepDims};
inline constexpr AttributeInfo kAxesAttributes[] = {
    {"axes", LW_ATTRIBUTE_INTS, Meaning::kAxes}, kKeepDims};
inline constexpr AttributeInfo kAxesInputAttributes[] = {
    kKeepDims, {"noop_with_empty_axes", LW_ATTRIBUTE_INT, Meaning::kNoAxes}};
/// `kSince`: the version whose axes are an input.
template <int kSince>
inline constexpr Form kReductionForms[] = {
    {1, kInputData, ShapeRule::kReduced, kAxesAttributes},
    {kSince, kInputDataAxes, ShapeRule::kReduced, kAxesInputAttributes}};

/// ArgMax, ArgMin.
inline constexpr OperandInfo kOutputIndexes = {
    "reduced", Role::kElements, false, "tensor(int64)", LW_INT64};
inline constexpr AttributeInfo kAxisAttributes[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kReducedAxis},
    kKeepDims,
    {"select_last_index", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 0}};
inline constexpr Form kIndexForms[] = {
    {1, kInputData, ShapeRule::kReduced, std::span(kAxisAttributes).first(2)},
    {12, kInputData, ShapeRule::kReduced, kAxisAttributes}};

/// Relu, Reciprocal, Neg, Abs.
inline constexpr Form kUnaryFormsX[] = {
    {1, kInputX, ShapeRule::kSame, kOnlyConsumedInputs},
    {6, kInputX, ShapeRule::kSame}};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_OPERATOR_H_
