// SPDX-License-Identifier: Apache-2.0
//
// The example in kernels/README.md, compiled as it stands there, is an
// operator.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "runtime/engine.h"
#include "runtime/node.h"
#include "runtime/operation.h"
#include "tests/support/isas.h"

namespace lanewise {

extern const Operator kOperator_neg;

namespace {

TEST(ReadmeKernel, Negates) {
  LANEWISE_SKIP_IF_EXACT();
  for (const test::Isa& isa : test::AllIsas()) {
    lw_engine_options options = {};
    options.max_isa = isa.name;
    std::shared_ptr<const Engine> engine;
    ASSERT_EQ(MakeEngine(options, &engine), LW_OK);
    const Node neg(engine, kOperator_neg, 13, Attributes());
    std::vector<float> x = {1.5f, -2.0f, 0.0f};
    x.resize(100, 3.0f);
    const auto n = static_cast<int64_t>(x.size());
    const lw_tensor tensor = {x.data(), LW_FLOAT32, 1, &n, nullptr, 0};
    ASSERT_EQ(RunTensors(neg, nullptr, &tensor, 1, &tensor, 1), LW_OK);
    EXPECT_EQ(x[0], -1.5f);
    EXPECT_EQ(x[1], 2.0f);
    EXPECT_TRUE(std::signbit(x[2]));
    EXPECT_EQ(x[99], -3.0f);
  }
}

}  // namespace
}  // namespace lanewise
