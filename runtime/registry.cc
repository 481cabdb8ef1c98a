// SPDX-License-Identifier: Apache-2.0

#include "runtime/registry.h"

#include <cstring>
#include <forward_list>
#include <mutex>

#include "runtime/status.h"

namespace lanewise {

// One declaration and one entry for each word in kernels/CMakeLists.txt. No
// static constructors register anything: a static library would drop them.
#define LANEWISE_OPERATOR(name) extern const Operator kOperator_##name;
#include "lanewise_operators.inc"
#undef LANEWISE_OPERATOR

namespace {

constexpr const Operator* kOperators[] = {
#define LANEWISE_OPERATOR(name) &kOperator_##name,
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

lw_status ResolveOperator(const char* name, int64_t opset, const Operator** op,
                          int* version) {
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
  return LW_OK;
}

KernelTable::KernelTable(const Operator& op, int version, int64_t target) {
  for (const KernelRow& row : op.rows(target)) {
    if (row.since <= version) kernels_[row.type][row.run] = row.fn;
  }
}

lw_status FindKernel(const Operator& op, int version, int64_t target,
                     bool allow_zero_divisor, int32_t type, int32_t run,
                     const lw_kernel** kernel) {
  // Few, never moved, never destroyed: callers keep them to the end.
  static std::mutex& mutex = *new std::mutex;
  static auto& handles = *new std::forward_list<lw_kernel>;

  for (const KernelRow& row : op.rows(target)) {
    if (row.type != type || row.run != run || row.since > version) continue;
    const std::lock_guard<std::mutex> lock(mutex);
    for (const lw_kernel& known : handles) {
      if (known.op == &op && known.version == version &&
          known.allow_zero_divisor == allow_zero_divisor &&
          known.row.type == row.type && known.row.fn == row.fn) {
        *kernel = &known;
        return LW_OK;
      }
    }
    const TypeInfo& info = *FindType(type);
    const size_t bits = info.bits != 0 ? info.bits : 8 * sizeof(lw_string);
    *kernel = &handles.emplace_front(lw_kernel{&op, version, allow_zero_divisor,
                                               row, bits, info.alignment - 1u,
                                               op.form == Form::kBinary});
    return LW_OK;
  }
  const int since = SinceVersion(op, type);
  if (since != 0 && since <= version) {
    return Fail({op.name, version}, LW_INVALID_ARGUMENT,
                "there is no kernel for run %d", run);
  }
  return FailType(op, version, type);
}

int SinceVersion(const Operator& op, int32_t type) {
  // Every target has the same rows.
  for (const KernelRow& row : op.rows(HWY_STATIC_TARGET)) {
    if (row.type == type) return row.since;
  }
  return 0;
}

lw_status FailType(const Operator& op, int version, int32_t type) {
  const TypeInfo* info = FindType(type);
  if (info == nullptr) {
    return Fail({op.name, version}, LW_UNSUPPORTED_TYPE,
                "%d is not the code of an ONNX type", type);
  }
  const int since = SinceVersion(op, type);
  if (since > version) {
    return Fail({op.name, version}, LW_UNSUPPORTED_TYPE,
                "%s is supported from version %d on", info->name, since);
  }
  return Fail({op.name, version}, LW_UNSUPPORTED_TYPE, "%s is not supported",
              info->name);
}

}  // namespace lanewise
