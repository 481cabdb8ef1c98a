// SPDX-License-Identifier: Apache-2.0
//
// The operators that this build holds, and their kernels on each target.

#ifndef LANEWISE_RUNTIME_REGISTRY_H_
#define LANEWISE_RUNTIME_REGISTRY_H_

#include <span>

#include "kernels/kernel.h"
#include "runtime/types.h"

/// The opaque handle of the direct door.
struct lw_kernel {
  const lanewise::Operator* op;
  int version;              ///< the operator's version that was asked for
  bool allow_zero_divisor;  ///< the engine's option
  lanewise::KernelRow row;
  size_t element_bits;
  uintptr_t misaligned;  ///< the bits of an address that must not be set
  bool binary;
};

namespace lanewise {

/// Every operator, as listed in kernels/CMakeLists.txt.
std::span<const Operator* const> Operators();

/// nullptr if there is none of that name.
const Operator* FindOperator(const char* name);

/// The newest version not above `opset`; 0 if the operator is younger.
int VersionAt(const Operator& op, int64_t opset);

/// The operator's name, or the failure for a name or opset that has none.
lw_status ResolveOperator(const char* name, int64_t opset, const Operator** op,
                          int* version);

/// An operator's kernels at one version on one target, by type and run.
class KernelTable {
 public:
  KernelTable(const Operator& op, int version, int64_t target);

  /// nullptr where the version has no such kernel.
  KernelFn Find(int32_t type, lw_run run) const {
    return type > 0 && type < kTypeCount ? kernels_[type][run] : nullptr;
  }

 private:
  KernelFn kernels_[kTypeCount][3] = {};
};

/// The direct door's handle, made on first use and kept for good.
lw_status FindKernel(const Operator& op, int version, int64_t target,
                     bool allow_zero_divisor, int32_t type, int32_t run,
                     const lw_kernel** kernel);

/// The first version that lists the type; 0 if none does.
int SinceVersion(const Operator& op, int32_t type);

/// The failure for a type that a version does not list.
lw_status FailType(const Operator& op, int version, int32_t type);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REGISTRY_H_
