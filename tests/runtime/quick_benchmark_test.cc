// SPDX-License-Identifier: Apache-2.0
//
// Which operators `scripts/bench --quick` measures: a list by hand, which must
// not miss a kind of operator.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "benchmarks/quick.h"
#include "runtime/node/registry.h"

namespace lanewise {
namespace {

// The cost of an operator, and the form of the newest version: how many inputs
// have many elements, and whether the results are of one type.
using Kind = std::tuple<CostClass, size_t, bool>;

Kind KindOf(const Operator& op) {
  const Form& form = FormAt(op, op.versions.back());
  size_t inputs = form.variadic ? 2 : 0;
  for (const OperandInfo& input : form.inputs) {
    if (!form.variadic) inputs += input.role == Role::kElements;
  }
  return {op.cost, inputs, op.output.only != LW_ABSENT};
}

bool IsSmallBuild() {
  return Operators().size() < std::size(bench::kQuickOperators);
}

TEST(QuickBenchmark, ListHasNamesOfTheRegistry) {
  if (IsSmallBuild()) GTEST_SKIP() << "a build of few operators";
  for (const char* name : bench::kQuickOperators) {
    EXPECT_NE(FindOperator(name), nullptr) << name;
    EXPECT_EQ(std::count_if(std::begin(bench::kQuickOperators),
                            std::end(bench::kQuickOperators),
                            [&](const char* other) {
                              return std::string(name) == other;
                            }),
              1)
        << name << " is listed twice";
  }
}

TEST(QuickBenchmark, ListHasAnOperatorOfEachKind) {
  if (IsSmallBuild()) GTEST_SKIP() << "a build of few operators";
  for (const Operator* op : Operators()) {
    if (op->recipe != nullptr) continue;  // has no cells
    const bool found = std::any_of(
        std::begin(bench::kQuickOperators), std::end(bench::kQuickOperators),
        [&](const char* name) {
          const Operator* listed = FindOperator(name);
          return listed != nullptr && KindOf(*listed) == KindOf(*op);
        });
    EXPECT_TRUE(found) << "no operator of " << op->name << "'s kind";
  }
}

}  // namespace
}  // namespace lanewise
