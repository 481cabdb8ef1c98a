// SPDX-License-Identifier: Apache-2.0
//
// A chain in the making, for tests by hand.

#ifndef LANEWISE_TESTS_SUPPORT_CHAIN_PARTS_H_
#define LANEWISE_TESTS_SUPPORT_CHAIN_PARTS_H_

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_chains.h"

namespace lanewise::test {

using Types64 = std::vector<int32_t>;

/// A chain in the making: inputs by type, constants, steps, outputs.
struct Parts {
  Types64 inputs;
  std::vector<lw_tensor> constants = {};
  struct Step {
    const lw_op* op;
    Types64 operands;
  };
  std::vector<Step> steps = {};
  Types64 outputs = {};

  lw_status Make(ChainPtr* chain, const lw_engine* engine = nullptr) const {
    std::vector<lw_step> list;
    for (const Step& step : steps) {
      list.push_back({step.op, step.operands.data(), step.operands.size()});
    }
    lw_chain* made = nullptr;
    const lw_status status =
        lw_chain_create(engine, inputs.data(), inputs.size(), constants.data(),
                        constants.size(), list.data(), list.size(),
                        outputs.data(), outputs.size(), &made);
    EXPECT_EQ(made != nullptr, status == LW_OK);
    chain->reset(made);
    return status;
  }
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHAIN_PARTS_H_
