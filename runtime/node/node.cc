// SPDX-License-Identifier: Apache-2.0
//
// An input that has a type parameter of its own (Pow's Y) makes the kernels
// depend on two types: there is a table for each type of that input, as Cast
// has one for each output type. Where the second input tells the output's
// type (CastLike), these tables are Cast's, and nothing else of the input is
// looked at. The kernel API and plain_call know calls of one type only.

#include "runtime/node/node.h"

#include <algorithm>
#include <utility>

#include "runtime/engine/isa.h"
#include "runtime/engine/types.h"

namespace lanewise {
namespace {

size_t LeastInputs(const Form& form) {
  size_t count = form.inputs.size();
  while (count > 0 && form.inputs[count - 1].optional) --count;
  return count;
}

size_t BindingInput(const Form& form) {
  size_t k = 0;
  while (form.inputs[k].only != LW_ABSENT) ++k;
  return k;
}

// A call takes the short way as long as its work would stay on one thread and
// would be stored as usual. A longer call gains nothing.
void SetPlainBytes(const Node& node, int32_t type, BoundTypes* types) {
  // The short way does not know inputs that stretch from an axis on.
  const ShapeRule rule = node.form.shape_rule;
  const bool has_axis =
      rule == ShapeRule::kChannel ||
      (rule == ShapeRule::kLegacyBroadcast && node.attributes.broadcasts());
  if (node.engine->trace.exec() || has_axis || node.second_tells) return;
  const Tuning::PerCostClass tuning = node.TuningOf(type);
  // With 2^32 bytes at most, no product of sizes exceeds 64 bits.
  types->plain_bytes = static_cast<uint32_t>(std::min(
      {tuning.serial_bytes - 1, tuning.stream_bytes, size_t{UINT32_MAX}}));
}

}  // namespace

Node::Node(std::shared_ptr<const Engine> engine_, const Operator& op_,
           int version_, Attributes attributes_, const Label& label_,
           const StepRule& rule_)
    : engine(std::move(engine_)),
      op(op_),
      form(FormAt(op_, version_)),
      version(version_),
      label(label_),
      rule(rule_),
      attributes(std::move(attributes_)),
      kernels(op_, version, engine->targets, engine->ways,
              is_composed() ? int32_t{LW_ABSENT} : attributes.output_type()),
      base_pattern(BasePattern(form)),
      input_count(form.variadic ? size_t{kMaxInputs} : form.inputs.size()),
      least_inputs(LeastInputs(form)),
      kernel_inputs(static_cast<size_t>(KernelInputs(form))),
      plain_inputs(is_composed()   ? 0
                   : form.variadic ? kernel_inputs
                                   : input_count),
      least_plain(is_composed()   ? 1
                  : form.variadic ? kernel_inputs
                                  : least_inputs),
      binding_input(BindingInput(form)),
      second_is_own(form.inputs.size() > 1 && form.inputs[1].own),
      second_tells(second_is_own && form.inputs[1].role == Role::kType),
      is_aligned(form.shape_rule == ShapeRule::kAligned),
      is_reduction(!is_composed() && form.shape_rule == ShapeRule::kReduced) {
  if (op.prepare != nullptr) op.prepare(attributes, &params);
  setup = {};
  setup.rows = 1;
  setup.inputs = kernel_inputs;
  setup.params = &params;
  setup.strings = &engine->string_type;
  if (is_aligned) {
    BindAllAligned();
    return;
  }
  BindTypes();
  if (second_is_own) BindPairs();
}

ElementLayout Node::LayoutOf(int32_t type) const {
  const TypeInfo& info = *FindType(type);
  if (type != LW_STRING) return {info.bits, info.alignment};
  const lw_string_type& host = engine->string_type;
  return {
      8 * (host.copy != nullptr ? host.element_size : sizeof(lw_string)),
      host.element_alignment != 0 ? host.element_alignment : info.alignment};
}

lw_status Node::CheckType(int32_t type) const {
  if (is_aligned && ListsType(op, version, type)) return LW_OK;
  if (kernels.Find(type) == nullptr) {
    return second_is_own ? CheckPair(type, type)
                         : FailType(op, version, label, type);
  }
  const lw_string_type& host = engine->string_type;
  if (type == LW_STRING && op.strings == StringUse::kCompares &&
      host.copy != nullptr && host.equal == nullptr) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "string is not supported, as the engine's string_type has no "
                "function equal");
  }
  return LW_OK;
}

lw_status Node::CheckPair(int32_t type, int32_t second) const {
  if (BindPair(type, second) != nullptr) return LW_OK;
  if (!ListsType(op, version, type) || ListsPair(op, version, type, second)) {
    return FailType(op, version, label, type);
  }
  return Fail(label, LW_UNSUPPORTED_TYPE, "input 1 (%s) cannot be %s",
              InputInfo(1).name, lw_type_name(second));
}

const BoundTypes* Node::BindPair(int32_t type, int32_t second) const {
  if (type == second) return Bind(type);
  for (const Pair& pair : pairs) {
    if (pair.type == type && pair.second == second) return &bound[pair.index];
  }
  return nullptr;
}

const BoundTypes* Node::BindAligned(int32_t type, int32_t second,
                                    int32_t to) const {
  for (const Pair& pair : pairs) {
    if (pair.type == type && pair.second == second && pair.to == to) {
      return &bound[pair.index];
    }
  }
  return nullptr;
}

int32_t Node::OutputOf(int32_t second, int32_t third) const {
  const int32_t to = attributes.output_type();
  if (to != LW_ABSENT) return to;
  if (!form.inputs[2].told) return second;
  return third != LW_ABSENT ? third : int32_t{LW_UINT8};
}

lw_status Node::FailAligned(int32_t type, int32_t second, int32_t to) const {
  if (!ListsType(op, version, type)) {
    return FailType(op, version, label, type);
  }
  if (!ListsPair(op, version, type, second)) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "input 1 (%s) cannot be %s beside %s", InputInfo(1).name,
                lw_type_name(second), lw_type_name(type));
  }
  return Fail(label, LW_UNSUPPORTED_TYPE,
              "the output cannot be %s in this version", lw_type_name(to));
}

void Node::AddBound(const KernelTable& table, int32_t of, int32_t type,
                    int32_t second, int32_t to) {
  BoundTypes types = {table.Find(of), table.ReductionOf(of), {}, {}, false, 0};
  types.has_plain_bytes = type != LW_STRING && !is_reduction && !is_composed();
  SetPlainBytes(*this, type, &types);
  const auto bind = [&](size_t k, const OperandInfo& info) {
    types.types[k] = info.told ? to : info.own ? second : TypeOf(info, type);
    types.layouts[k] = LayoutOf(types.types[k]);
    if (types.layouts[k].bits < 8) types.has_plain_bytes = false;
  };
  for (size_t k = 0; k < KernelInputsOf(input_count); ++k) {
    bind(k, InputInfo(k));
  }
  bind(BoundTypes::kOutput, op.output);
  bound.push_back(types);
}

void Node::BindPairs() {
  pair_kernels.reserve(kTypeCount);
  for (int32_t second = 1; second < kTypeCount; ++second) {
    if (!ListsSecond(op, version, second)) continue;
    const int32_t to = second_tells ? second : int32_t{LW_ABSENT};
    const KernelTable& table = pair_kernels.emplace_back(
        op, version, engine->targets, engine->ways, to,
        second_tells ? int32_t{LW_ABSENT} : second);
    for (int32_t type = 1; type < kTypeCount; ++type) {
      if (table.Find(type) == nullptr) continue;
      if (type == second) {
        BindType(table, type);
      } else {
        AddBound(table, type, type, second,
                 second_tells ? second : attributes.output_type());
        pairs.push_back({type, second, LW_ABSENT, bound.size() - 1});
      }
    }
  }
}

void Node::BindAllAligned() {
  const auto entries = op.kernels(engine->targets).entries;
  const KernelEntry& any = entries.front();
  const KernelTable& table = pair_kernels.emplace_back(
      op, any.since, engine->targets, engine->ways, any.to, any.second);
  for (const KernelEntry& entry : entries) {
    if (entry.since > version || entry.until < version) continue;
    for (const ListedType& listed : op.outputs) {
      if (listed.since > version) continue;
      // What the attribute and the second input leave open, the third tells.
      const int32_t to = OutputOf(entry.second, listed.type);
      if (to != listed.type) continue;
      AddBound(table, any.type, entry.type, entry.second, to);
      pairs.push_back({entry.type, entry.second, to, bound.size() - 1});
    }
  }
}

void Node::BindTypes() {
  for (int32_t type = 1; type < kTypeCount; ++type) {
    if (kernels.Find(type) != nullptr) BindType(kernels, type);
  }
}

void Node::BindType(const KernelTable& table, int32_t type) {
  AddBound(table, type, type, type,
           second_tells ? type : attributes.output_type());
  bound_index[type] = static_cast<uint16_t>(bound.size());
  if (engine->trace.dispatch() && !is_composed()) {
    engine->trace.Dispatch(op.name, version, type, TargetName(table.target()),
                           table.WayOf(type));
  }
  MakeKernelHandles(bound.back());
}

void Node::MakeKernelHandles(const BoundTypes& types) {
  const int32_t type = types.types[binding_input];
  const bool reports_zeros = op.reports_zero_divisors && IsInteger(type);
  for (int pattern = 0; pattern < kPatternCount; ++pattern) {
    if (types.kernels[pattern] == nullptr) continue;
    const size_t bits = types.layouts[BoundTypes::kOutput].bits;
    lw_kernel kernel = {this,
                        types.kernels[pattern],
                        &setup,
                        type,
                        pattern,
                        engine->is_exact(),
                        !engine->is_exact() && !reports_zeros,
                        kernel_inputs - 1,
                        0,
                        0,
                        {},
                        {}};
    const auto operand = [&](size_t k, bool is_scalar, bool optional) {
      const ElementLayout& layout = types.layouts[k];
      const size_t bytes = layout.bits / 8;
      return lw_kernel::Operand{is_scalar ? 0 : bytes,
                                bytes,
                                layout.alignment - 1,
                                layout.bits < 8 ? layout.bits : 0,
                                optional,
                                layout.bits == bits};
    };
    kernel.out = operand(BoundTypes::kOutput, false, false);
    kernel.alignment_mask = kernel.out.alignment_mask;
    kernel.most_bytes = std::max(kernel.out.bytes, size_t{1});
    for (size_t k = 0; k < kernel_inputs; ++k) {
      kernel.in[k] = operand(k, (pattern >> k & 1) != 0, InputInfo(k).optional);
      kernel.alignment_mask |= kernel.in[k].alignment_mask;
      kernel.most_bytes = std::max(kernel.most_bytes, kernel.in[k].bytes);
    }
    kernel_handles.push_back(kernel);
  }
}

lw_status Node::FindKernel(int32_t type, int32_t pattern,
                           const lw_kernel** kernel) const {
  const lw_status status = CheckType(type);
  if (status != LW_OK) return status;
  if (pattern >= 0 && pattern < kPatternCount) {
    for (const lw_kernel& known : kernel_handles) {
      if (known.type == type && known.pattern == (pattern | base_pattern)) {
        *kernel = &known;
        return LW_OK;
      }
    }
  }
  if (is_reduction || is_composed()) {
    return Fail(label, LW_INVALID_ARGUMENT,
                "only elementwise operators have kernels to call");
  }
  return Fail(label, LW_INVALID_ARGUMENT, "there is no kernel for pattern %d",
              pattern);
}

lw_status MakeNode(std::shared_ptr<const Engine> engine, const char* name,
                   int32_t opset, const lw_attribute* attributes, size_t count,
                   std::shared_ptr<const Node>* node) {
  const Operator* op = nullptr;
  int version = 0;
  const lw_status status =
      ResolveOperator(name, opset, engine->strict_opset, &op, &version);
  if (status != LW_OK) return status;
  return MakeNode(std::move(engine), *op, version, attributes, count, node);
}

lw_status MakeNode(std::shared_ptr<const Engine> engine, const Operator& op,
                   int version, const lw_attribute* attributes, size_t count,
                   std::shared_ptr<const Node>* node, const Label* label,
                   const StepRule& rule) {
  Attributes parsed;
  const Label own = {op.name, version};
  const lw_status status =
      Attributes::Parse(own, FormAt(op, version), attributes, count, &parsed);
  if (status != LW_OK) return status;
  if (op.refuses != nullptr) {
    const char* why = op.refuses(parsed);
    if (why != nullptr) {
      return Fail({op.name, version}, LW_INVALID_ATTRIBUTE, "%s", why);
    }
  }
  if (engine->is_exact() && op.proven != nullptr && !op.proven(parsed)) {
    return Fail({op.name, version}, LW_NOT_EXACT,
                "the engine is exact, and the operator is proven to be for "
                "default attributes only");
  }
  auto made = std::make_shared<const Node>(
      std::move(engine), op, version, std::move(parsed),
      label != nullptr ? *label : own, rule);
  const int32_t to = made->attributes.output_type();
  const bool may_tell = !made->is_aligned || to != LW_ABSENT;
  const bool is_told = op.output.told && !made->second_tells && may_tell;
  const int since = is_told ? SinceVersionTo(op, to) : version;
  if (since == 0 || since > version) {
    return Fail(made->label, LW_UNSUPPORTED_TYPE,
                "the output cannot be %s in this version", lw_type_name(to));
  }
  if (made->bound.empty()) {
    return Fail(made->label, LW_NOT_EXACT,
                "the engine is exact, and the operator is not proven to be");
  }
  *node = std::move(made);
  return LW_OK;
}

}  // namespace lanewise
