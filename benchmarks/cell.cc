// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/cell.h"

#include <algorithm>
#include <set>

#include "benchmarks/chains.h"
#include "benchmarks/quick.h"
#include "runtime/engine/types.h"
#include "runtime/node/registry.h"

namespace lanewise::bench {
namespace {

constexpr Pattern kBinaryPatterns[] = {
    Pattern::kSame,    Pattern::kScalarB, Pattern::kScalarA, Pattern::kRowB,
    Pattern::kColB,    Pattern::kRow8B,   Pattern::kCol8B,   Pattern::kStrided,
    Pattern::kInPlace, Pattern::kSpecial};
constexpr Pattern kUnaryPatterns[] = {Pattern::kSame, Pattern::kStrided,
                                      Pattern::kInPlace, Pattern::kSpecial};
constexpr Pattern kTernaryPatterns[] = {
    Pattern::kSame,    Pattern::kScalarB, Pattern::kScalarA, Pattern::kScalarC,
    Pattern::kRowB,    Pattern::kColB,    Pattern::kRow8B,   Pattern::kCol8B,
    Pattern::kStrided, Pattern::kInPlace, Pattern::kSpecial};
constexpr Pattern kProviderPatterns[] = {Pattern::kSame};
// One scale for all elements, or one for each column.
constexpr Pattern kAlignedPatterns[] = {Pattern::kSame, Pattern::kRowB};
// An operator that only moves elements has nothing to do in place, and treats
// no value as special.
constexpr Pattern kMovePatterns[] = {Pattern::kSame, Pattern::kStrided};
constexpr Pattern kReducedPatterns[] = {Pattern::kReduceRows,
                                        Pattern::kReduceColumns};

constexpr size_t kSizes[] = {1, 16, 64, 256, 2048, 65536, 1 << 20, 1 << 24};
constexpr size_t kQuickSizes[] = {2048, 65536, 1 << 24};
constexpr size_t kProviderSizes[] = {64, 2048, 65536, 1 << 24};
constexpr size_t kCopySizes[] = {64,      512,     2048,   8192,
                                 32768,   131072,  524288, 1 << 20,
                                 1 << 22, 1 << 24, 1 << 26};

const Form& NewestForm(const Operator& op) {
  return FormAt(op, op.versions.back());
}

// Whether a scale and a zero point align with the first input. Then the cell
// has the type of the integers, and the floats are float32.
bool IsAligned(const Form& form) {
  return form.shape_rule == ShapeRule::kAligned;
}

bool Reduces(const Form& form) {
  return form.shape_rule == ShapeRule::kReduced;
}

// Whether the output of an aligned form has the integers, not the first input.
bool Quantizes(const Form& form) { return form.inputs[2].told; }

int ElementInputs(const Form& form) {
  if (form.variadic) return 2;
  int inputs = 0;
  for (const OperandInfo& input : form.inputs) {
    inputs += input.role == Role::kElements;
  }
  return inputs;
}

std::span<const Pattern> PatternsOf(const Operator& op,
                                    const Selection& selection) {
  if (selection.provider) return kProviderPatterns;
  if (op.moves_only) return kMovePatterns;
  if (Reduces(NewestForm(op))) return kReducedPatterns;
  if (IsAligned(NewestForm(op))) return kAlignedPatterns;
  switch (ElementInputs(NewestForm(op))) {
    case 1:
      return kUnaryPatterns;
    case 2:
      return kBinaryPatterns;
    default:
      return kTernaryPatterns;
  }
}

// Integers of whole bytes.
std::vector<lw_type> AlignedTypesOf(const Operator& op) {
  const bool quantizes = Quantizes(NewestForm(op));
  std::vector<lw_type> types;
  for (int32_t type = 1; type < kTypeCount; ++type) {
    const int since =
        quantizes ? SinceVersionTo(op, type) : SinceVersion(op, type);
    if (IsInteger(type) && since != 0) types.push_back(lw_type(type));
  }
  return types;
}

// Types that share all their kernels are measured once, under the name of the
// first type: unless another library's kernels are measured.
std::vector<lw_type> TypesOf(const Operator& op, const Selection& selection) {
  if (IsAligned(NewestForm(op))) return AlignedTypesOf(op);
  std::vector<lw_type> types;
  std::set<std::set<const void*>> seen;
  for (int32_t type = 1; type < kTypeCount; ++type) {
    std::set<const void*> kernels;
    for (const KernelEntry& entry : op.kernels(HWY_STATIC_TARGET).entries) {
      if (entry.until < op.versions.back()) continue;
      if (entry.type != type) continue;
      for (const PatternKernel& kernel : entry.kernels) {
        kernels.insert(reinterpret_cast<const void*>(kernel.fn));
      }
      if (entry.reduction != nullptr) kernels.insert(entry.reduction);
    }
    if (kernels.empty() || type == LW_STRING) continue;
    if (seen.insert(kernels).second || selection.provider) {
      types.push_back(lw_type(type));
    }
  }
  return types;
}

bool MakesSense(const Cell& cell, const Selection& selection) {
  if (cell.n < cell.columns()) return false;  // less than one row
  const bool reduces = cell.results() != cell.n;
  if (reduces && cell.n % cell.columns() != 0) return false;
  if (selection.own_sizes) return true;  // the user asked for this size
  if (reduces && cell.n > (1 << 20)) return false;
  // One pattern shows what the smallest calls cost.
  if (cell.n < 2048 && cell.n != 64 && cell.pattern != Pattern::kSame) {
    return false;
  }
  // A call this small is not worth a second thread.
  if (cell.threads != 1 && cell.n < 65536) return false;
  // In place, the clock is read around each call. Reading the clock takes as
  // long as a smaller call.
  return cell.pattern != Pattern::kInPlace || cell.n >= 2048;
}

// Whether the operator needs an attribute, for which a cell has no name.
bool NeedsAttributes(const Operator& op) {
  const auto attributes = NewestForm(op).attributes;
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const AttributeInfo& it) { return it.required; });
}

// Whether an input is only a type, for which a cell has no name: CastLike has
// the kernels of Cast, whose cells are chains.
bool HasTypeInput(const Form& form) {
  return std::any_of(
      form.inputs.begin(), form.inputs.end(),
      [](const OperandInfo& it) { return it.role == Role::kType; });
}

// Whether inputs may have the shapes of the pattern.
bool Stretches(ShapeRule rule, Pattern pattern) {
  switch (pattern) {
    case Pattern::kSame:
    case Pattern::kStrided:
    case Pattern::kInPlace:
    case Pattern::kSpecial:
      return true;
    case Pattern::kScalarA:
      return rule != ShapeRule::kOneWay && rule != ShapeRule::kEqual;
    default:
      return rule != ShapeRule::kEqual;
  }
}

void AddOperator(const Operator& op, const Selection& selection,
                 std::vector<Cell>* cells) {
  const Form& form = NewestForm(op);
  if (NeedsAttributes(op) || HasTypeInput(form)) return;
  // The provider leaves aligned operators to ONNX Runtime, and
  // models/time_reductions.py times reductions.
  if (selection.provider && (IsAligned(form) || Reduces(form))) return;
  for (const lw_type type : TypesOf(op, selection)) {
    for (const Pattern pattern : PatternsOf(op, selection)) {
      if (!Stretches(form.shape_rule, pattern)) continue;
      // Packed types have no strides.
      if (pattern == Pattern::kStrided && FindType(type)->bits < 8) continue;
      if (pattern == Pattern::kInPlace &&
          Cell{op.name, type, pattern, 1, 1}.in_place_input() < 0) {
        continue;
      }
      for (const size_t n : selection.sizes) {
        for (const int threads : selection.threads) {
          const Cell cell = {op.name, type, pattern, n, threads};
          if (!MakesSense(cell, selection)) continue;
          if (!selection.quick || IsQuick(cell)) cells->push_back(cell);
        }
      }
    }
  }
}

// Whether this build has all operators of a chain.
bool IsBuilt(const BenchChain& chain) {
  return std::all_of(
      chain.steps.begin(), chain.steps.end(),
      [](const ChainStep& step) { return FindOperator(step.op) != nullptr; });
}

void AddChains(const Selection& selection, std::vector<Cell>* cells) {
  for (const BenchChain& chain : AllChains()) {
    if (!IsBuilt(chain)) continue;
    for (const lw_type type : chain.types) {
      for (const size_t n : selection.sizes) {
        for (const int threads : selection.threads) {
          const Cell cell = {chain.name, type, Pattern::kSame, n, threads};
          if (!MakesSense(cell, selection)) continue;
          if (!selection.quick || IsQuick(cell)) cells->push_back(cell);
        }
      }
    }
  }
}

}  // namespace

const char* PatternName(Pattern pattern) {
  constexpr const char* kNames[] = {
      "same",   "scalar_b", "scalar_a", "scalar_c", "row_b", "col_b",  "row8_b",
      "col8_b", "strided",  "in_place", "special",  "rows",  "columns"};
  return kNames[static_cast<int>(pattern)];
}

std::string Cell::Group() const {
  return op + "/" + FindType(type)->short_name + "/" + PatternName(pattern);
}

std::string Cell::Name(const std::string& impl) const {
  return Group() + "/" + impl + "/n:" + std::to_string(n) +
         "/threads:" + std::to_string(threads);
}

int Cell::inputs() const {
  const Operator* found = FindOperator(op.c_str());
  return found == nullptr ? 1 : KernelInputs(NewestForm(*found));
}

lw_type Cell::input_type(int input) const {
  const Operator* found = FindOperator(op.c_str());
  if (found == nullptr) return type;
  const Form& form = NewestForm(*found);
  if (IsAligned(form)) {
    return input == 2 || (input == 0 && !Quantizes(form)) ? type : LW_FLOAT32;
  }
  const lw_type only = form.Input(static_cast<size_t>(input)).only;
  return only != LW_ABSENT ? only : type;
}

lw_type Cell::output_type() const {
  const BenchChain* chain = FindChain(op);
  if (chain != nullptr && chain->output_type != LW_ABSENT) {
    return chain->output_type;
  }
  const Operator* found = FindOperator(op.c_str());
  if (found != nullptr && IsAligned(NewestForm(*found))) {
    return Quantizes(NewestForm(*found)) ? type : LW_FLOAT32;
  }
  return found == nullptr || found->output.only == LW_ABSENT
             ? type
             : found->output.only;
}

int Cell::in_place_input() const {
  const Operator* found = FindOperator(op.c_str());
  for (int i = inputs() - 1; i >= 0 && found != nullptr; --i) {
    const Role role = NewestForm(*found).Input(static_cast<size_t>(i)).role;
    if (role == Role::kElements &&
        FindType(input_type(i))->bits == FindType(output_type())->bits) {
      return i;
    }
  }
  return -1;
}

size_t Cell::columns() const {
  switch (pattern) {
    case Pattern::kRowB:
    case Pattern::kColB:
      return kColumns;
    case Pattern::kRow8B:
    case Pattern::kCol8B:
      return 8;
    case Pattern::kReduceRows:
    case Pattern::kReduceColumns:
      return kReducedColumns;
    default:
      return n;
  }
}

size_t Cell::results() const { return ResultsOf(pattern, n, columns()); }

Extent Cell::InputExtent(int input) const {
  const size_t columns = this->columns();
  const Operator* found = FindOperator(op.c_str());
  const Role role =
      found == nullptr
          ? Role::kElements
          : NewestForm(*found).Input(static_cast<size_t>(input)).role;
  if (role == Role::kScalar) return {1, 1};
  if (role == Role::kAligned) {
    const size_t count = pattern == Pattern::kRowB ? columns : 1;
    return {count, count};
  }
  switch (pattern) {
    case Pattern::kScalarA:
      return input == 0 ? Extent{1, 1} : Extent{n, n};
    case Pattern::kScalarB:
      return input == 1 ? Extent{1, 1} : Extent{n, n};
    case Pattern::kScalarC:
      return input == 2 ? Extent{1, 1} : Extent{n, n};
    case Pattern::kRowB:
    case Pattern::kRow8B:
      return input == 1 ? Extent{columns, columns} : Extent{n, n};
    case Pattern::kColB:
    case Pattern::kCol8B:
      return input == 1 ? Extent{n / columns, n / columns} : Extent{n, n};
    case Pattern::kStrided:
      return {n, 2 * n};
    default:
      return {n, n};
  }
}

size_t Cell::bytes() const {
  size_t bytes = BytesFor(results(), FindType(output_type())->bits);
  for (int i = 0; i < inputs(); ++i) {
    bytes += BytesFor(InputExtent(i).used, FindType(input_type(i))->bits);
  }
  return bytes;
}

std::vector<Cell> AllCells(const Selection& given) {
  Selection selection = given;
  selection.own_sizes = !selection.sizes.empty();
  if (!selection.own_sizes) {
    selection.sizes.assign(std::begin(kSizes), std::end(kSizes));
    if (selection.quick) {
      selection.sizes.assign(std::begin(kQuickSizes), std::end(kQuickSizes));
      selection.sizes.insert(selection.sizes.begin(), 64);
    }
    if (selection.provider) {
      selection.sizes.assign(std::begin(kProviderSizes),
                             std::end(kProviderSizes));
    }
  }
  std::vector<Cell> cells;
  std::vector<size_t> copies = selection.sizes;
  if (!selection.own_sizes && !selection.quick) {
    copies.assign(std::begin(kCopySizes), std::end(kCopySizes));
  }
  if (selection.provider) copies.clear();
  for (const size_t n : copies) {
    for (const int threads : selection.threads) {
      const Cell copy = {"Copy", LW_FLOAT32, Pattern::kSame, n, threads};
      if (MakesSense(copy, selection)) cells.push_back(copy);
    }
  }
  for (const Operator* op : Operators()) {
    AddOperator(*op, selection, &cells);
  }
  if (!selection.provider) AddChains(selection, &cells);
  return cells;
}

}  // namespace lanewise::bench
