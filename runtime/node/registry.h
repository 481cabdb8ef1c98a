// SPDX-License-Identifier: Apache-2.0
//
// The operators that this build holds, and their kernels on each target.

#ifndef LANEWISE_RUNTIME_NODE_REGISTRY_H_
#define LANEWISE_RUNTIME_NODE_REGISTRY_H_

#include <array>
#include <span>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "runtime/engine/status.h"
#include "runtime/engine/types.h"

namespace lanewise {

/// Every operator, as listed in LANEWISE_OPERATORS.
std::span<const Operator* const> Operators();

/// nullptr if there is none of that name.
const Operator* FindOperator(const char* name);

/// The newest version not above `opset`; 0 if the operator is younger.
int VersionAt(const Operator& op, int64_t opset);

/// The form of a version.
const Form& FormAt(const Operator& op, int version);

/// Finds the operator of a name and its version at an opset, or fails.
/// `strict` refuses opsets that are newer than the verified one.
lw_status ResolveOperator(const char* name, int64_t opset, bool strict,
                          const Operator** op, int* version);

/// The pattern in which only the inputs of Role::kScalar are scalars: every
/// type has a kernel for this pattern.
int BasePattern(const Form& form);

/// How many inputs the kernels of a form take: all but shapes and types; two of
/// a variadic one.
int KernelInputs(const Form& form);

/// An operator's kernels at one version on the best of some targets, by type
/// and pattern. The one place that chooses among kernels.
class KernelTable {
 public:
  /// `preferred`: the ways to take where a type and pattern has several. `to`:
  /// the output's type, where an attribute tells it. `second`: the second
  /// input's type, where it is not T.
  KernelTable(const Operator& op, int version, int64_t targets,
              const PreferredWays& preferred, int32_t to = LW_ABSENT,
              int32_t second = LW_ABSENT);

  /// The kernels of a type, by pattern; nullptr where the version does not list
  /// the type, or where Way::kExact is preferred and the type has none of it.
  /// Patterns without a kernel of their own have nullptr, the base pattern
  /// never.
  bool empty() const { return kernels_.empty(); }
  /// The target that the kernels were compiled for.
  int64_t target() const { return target_; }
  const KernelFn* Find(int32_t type) const {
    if (type <= 0 || type >= kTypeCount || slots_[type] == 0) return nullptr;
    return kernels_[slots_[type] - 1u].data();
  }

  /// The kernels of a type, where the operator is a reduction; else nullptr.
  const Reduction* ReductionOf(int32_t type) const { return reductions_[type]; }

  /// The way of the kernel for a type's base pattern, or of the reduction.
  Way WayOf(int32_t type) const { return ways_[type]; }
  /// KernelEntry::weight of that kernel.
  size_t WeightOf(int32_t type) const { return weights_[type]; }

 private:
  int64_t target_;
  uint8_t slots_[kTypeCount] = {};  // 1 + the index below; 0: none
  Way ways_[kTypeCount] = {};
  uint8_t weights_[kTypeCount] = {};
  const Reduction* reductions_[kTypeCount] = {};
  std::vector<std::array<KernelFn, kKernelCount>> kernels_;
};

/// The first version that lists the type; 0 if none does.
int SinceVersion(const Operator& op, int32_t type);
/// Whether a version lists the type.
bool ListsType(const Operator& op, int version, int32_t type);
/// Whether a version lists the type for an input with a type parameter of its
/// own.
bool ListsSecond(const Operator& op, int version, int32_t type);
/// Whether a version lists the two types of T and such an input together.
bool ListsPair(const Operator& op, int version, int32_t type, int32_t second);
/// SinceVersion for the type of an output that an attribute tells.
int SinceVersionTo(const Operator& op, int32_t type);

/// The failure for a type of which KernelTable has no kernel: the version does
/// not list it, or only with kernels that are not exact.
lw_status FailType(const Operator& op, int version, const Label& label,
                   int32_t type);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_NODE_REGISTRY_H_
