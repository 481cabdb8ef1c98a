// SPDX-License-Identifier: Apache-2.0
//
// Chains of any operators, types, shapes and strides, against the same
// operators called one by one.

#include "tests/fuzz/fuzz.h"
#include "tests/support/random_chains.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lanewise::test;
  Random random(data, size);
  const auto& engines = AllChainOperators();
  RandomChain chain;
  chain.Check(*engines[random.Below(engines.size())], random);
  return 0;
}
