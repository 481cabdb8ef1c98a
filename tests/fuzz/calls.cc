// SPDX-License-Identifier: Apache-2.0
//
// Calls of the tensor API and prepared calls: any operator, version, types,
// shapes, strides, attributes, overlaps and faults. Each call goes every way,
// the ways must agree, and a naive oracle must agree with them.

#include "tests/fuzz/fuzz.h"
#include "tests/support/every_way.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lanewise::test;
  static const auto& operators = *new Operators;
  static auto& call = *new RandomCall;
  Random random(data, size);
  const Ways& ways = operators.all()[random.Below(operators.all().size())];
  call.Make(ways.random, random);
  SCOPED_TRACE(call.Describe());
  RunEveryWay(ways, &call);
  return 0;
}
