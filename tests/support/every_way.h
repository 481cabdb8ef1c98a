// SPDX-License-Identifier: Apache-2.0
//
// A random call, made in every way that the library has: the short way for
// small contiguous calls, the general way, with options, and prepared. The ways
// must agree on everything that a host can see: status, message, zero divisors,
// and each byte of the memory. What they agree on must be the right answer, and
// must be nothing at all where the status is an error.

#ifndef LANEWISE_TESTS_SUPPORT_EVERY_WAY_H_
#define LANEWISE_TESTS_SUPPORT_EVERY_WAY_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/random_calls.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// One operator at one version with some attributes, on several engines.
struct Ways {
  OpPtr quick;    ///< takes the short way where it can
  OpPtr general;  ///< never does
  OpPtr tasks;    ///< uses tasks and streaming stores wherever it can
  RandomOperator random;
};

/// Nodes of every row of the support table, so that operators that are added
/// later are taken along.
class Operators {
 public:
  Operators();
  const std::vector<Ways>& all() const { return all_; }

 private:
  void AddRow(const lw_signature& row);
  void AddBroadcasts(const lw_signature& row, const char* name);
  void AddReductions(const lw_signature& row);
  void AddReduction(const lw_signature& row, const ReductionCase& node);
  void AddAlignedNodes(const lw_signature& row);
  void AddAligned(const lw_signature& row, const AlignedNode& node, int32_t to);
  void AddTargets(const lw_signature& row, const lw_attribute_info& info);
  void AddOutputTypes(const lw_signature& row, const lw_attribute_info& info);
  void Add(const lw_signature& row, const class Attributes& attributes,
           bool is_legacy = false, int64_t axis = -1, int32_t to = LW_ABSENT);

  EnginePtr quick_;
  EnginePtr general_;
  EnginePtr tasks_;
  std::vector<Ways> all_;
};

/// Makes the call every way; the status of all of them. Fails where they do not
/// agree, or where the answer is wrong.
lw_status RunEveryWay(const Ways& ways, RandomCall* call);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_EVERY_WAY_H_
