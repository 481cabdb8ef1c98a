// SPDX-License-Identifier: Apache-2.0

#include "runtime/node/registry.h"

#include <algorithm>
#include <cstring>

#include "runtime/engine/status.h"

namespace lanewise {

// One declaration and one entry for each word in kernels/CMakeLists.txt. No
// static constructors register anything: a static library would drop them.
#define LANEWISE_OPERATOR(name)      \
  namespace op_##name {              \
    extern const Operator kOperator; \
  }
#include "lanewise_operators.inc"
#undef LANEWISE_OPERATOR

namespace {

constexpr const Operator* kOperators[] = {
#define LANEWISE_OPERATOR(name) &op_##name::kOperator,
#include "lanewise_operators.inc"
#undef LANEWISE_OPERATOR
};

}  // namespace

std::span<const Operator* const> Operators() { return kOperators; }

const Operator* FindOperator(const char* name) {
  for (const Operator* op : kOperators) {
    if (std::strcmp(op->name, name) == 0) return op;
  }
  return nullptr;
}

int VersionAt(const Operator& op, int64_t opset) {
  int newest = 0;
  for (const int version : op.versions) {
    if (version <= opset) newest = version;
  }
  return newest;
}

const Form& FormAt(const Operator& op, int version) {
  const Form* newest = &op.forms.front();
  for (const Form& form : op.forms) {
    if (form.since <= version) newest = &form;
  }
  return *newest;
}

lw_status ResolveOperator(const char* name, int64_t opset, bool strict,
                          const Operator** op, int* version) {
  if (name == nullptr) {
    return Fail(LW_INVALID_ARGUMENT, "the operator's name is NULL");
  }
  *op = FindOperator(name);
  if (*op == nullptr) {
    return Fail(LW_UNKNOWN_OPERATOR, "\"%s\" is not an operator of lanewise",
                name);
  }
  *version = VersionAt(**op, opset);
  if (*version == 0) {
    return Fail(LW_UNSUPPORTED_VERSION,
                "%s has no version at opset %lld; its first is %d", name,
                static_cast<long long>(opset), (*op)->versions.front());
  }
  if (strict && opset > (*op)->verified_opset) {
    return Fail({name, *version}, LW_UNSUPPORTED_VERSION,
                "opset %lld is newer than %d, the newest one that the operator "
                "was verified against",
                static_cast<long long>(opset), (*op)->verified_opset);
  }
  return LW_OK;
}

int BasePattern(const Form& form) {
  int pattern = LW_SAME;
  for (size_t k = 0; k < form.inputs.size(); ++k) {
    const Role role = form.inputs[k].role;
    if (role == Role::kScalar || role == Role::kAligned) pattern |= 1 << k;
  }
  return pattern;
}

int KernelInputs(const Form& form) {
  if (form.variadic) return 2;
  int inputs = 0;
  for (const OperandInfo& input : form.inputs) {
    inputs += input.role != Role::kShape && input.role != Role::kType;
  }
  return inputs;
}

KernelTable::KernelTable(const Operator& op, int version, int64_t targets,
                         const PreferredWays& preferred, int32_t to,
                         int32_t second) {
  const TargetKernels found = op.kernels(targets);
  target_ = found.target;
  const auto base = static_cast<size_t>(BasePattern(FormAt(op, version)));
  Way ways[kTypeCount][kKernelCount] = {};
  for (const KernelEntry& entry : found.entries) {
    if (entry.since > version || entry.until < version) continue;
    if (entry.to != to || entry.second != second) continue;
    const bool is_preferred = preferred.Have(entry.way);
    if (entry.way != Way::kUsual && !is_preferred) continue;
    if (preferred.accuracy == Way::kExact && entry.way != Way::kExact &&
        !op.exact && op.recipe == nullptr) {
      continue;
    }
    uint8_t& slot = slots_[entry.type];
    if (slot == 0) {
      kernels_.emplace_back();
      slot = static_cast<uint8_t>(kernels_.size());
    }
    const Reduction*& reduction = reductions_[entry.type];
    if (entry.reduction != nullptr &&
        (reduction == nullptr ||
         (is_preferred && !preferred.Have(ways_[entry.type])))) {
      reduction = entry.reduction;
      ways_[entry.type] = entry.way;
      weights_[entry.type] = entry.weight;
    }
    for (const PatternKernel& kernel : entry.kernels) {
      const auto own = static_cast<size_t>(kernel.pattern);
      const size_t pattern = kernel.pattern == kAnyStride ? own : own | base;
      KernelFn& known = kernels_[slot - 1u][pattern];
      Way& way = ways[entry.type][pattern];
      // A kernel of the preferred way replaces another. Otherwise the first
      // kernel in the table stays.
      if (known != nullptr && (!is_preferred || preferred.Have(way))) continue;
      known = kernel.fn;
      way = entry.way;
      if (pattern != base) continue;
      ways_[entry.type] = way;
      weights_[entry.type] = entry.weight;
    }
  }
  for (int32_t type = 1; type < kTypeCount; ++type) {
    uint8_t& slot = slots_[type];
    const bool is_empty = op.recipe == nullptr &&
                          reductions_[type] == nullptr && slot != 0 &&
                          kernels_[slot - 1u][base] == nullptr;
    if (is_empty) slot = 0;
  }
}

namespace {

int FirstSince(const Operator& op, lw_type KernelEntry::*of, int32_t type) {
  // Every target lists the same types.
  int since = 0;
  for (const KernelEntry& entry : op.kernels(HWY_STATIC_TARGET).entries) {
    if (entry.*of == type && (since == 0 || entry.since < since)) {
      since = entry.since;
    }
  }
  return since;
}

}  // namespace

int SinceVersion(const Operator& op, int32_t type) {
  return FirstSince(op, &KernelEntry::type, type);
}

namespace {

template <class Fn>
bool Lists(const Operator& op, int version, const Fn& is_wanted) {
  const auto entries = op.kernels(HWY_STATIC_TARGET).entries;
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return entry.since <= version && version <= entry.until && is_wanted(entry);
  });
}

lw_type SecondOf(const Operator& op, const KernelEntry& entry) {
  if (op.output.told && entry.to != LW_ABSENT) return entry.to;
  return entry.second != LW_ABSENT ? entry.second : entry.type;
}

}  // namespace

bool ListsType(const Operator& op, int version, int32_t type) {
  return Lists(op, version,
               [&](const KernelEntry& entry) { return entry.type == type; });
}

bool ListsSecond(const Operator& op, int version, int32_t type) {
  return Lists(op, version, [&](const KernelEntry& entry) {
    return SecondOf(op, entry) == type;
  });
}

bool ListsPair(const Operator& op, int version, int32_t type, int32_t second) {
  return Lists(op, version, [&](const KernelEntry& entry) {
    return entry.type == type && SecondOf(op, entry) == second;
  });
}

int SinceVersionTo(const Operator& op, int32_t type) {
  for (const ListedType& listed : op.outputs) {
    if (listed.type == type) return listed.since;
  }
  return FirstSince(op, &KernelEntry::to, type);
}

lw_status FailType(const Operator& op, int version, const Label& label,
                   int32_t type) {
  const TypeInfo* info = FindType(type);
  if (info == nullptr) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "%d is not the code of an ONNX type", type);
  }
  if (ListsType(op, version, type)) {
    return Fail(label, LW_NOT_EXACT,
                "the engine is exact, and %s is not proven to be", info->name);
  }
  const int since = SinceVersion(op, type);
  if (since > version) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "%s is supported from version %d on", info->name, since);
  }
  return Fail(label, LW_UNSUPPORTED_TYPE, "%s is not supported", info->name);
}

}  // namespace lanewise
