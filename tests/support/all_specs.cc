// SPDX-License-Identifier: Apache-2.0

#include "tests/support/operator_spec.h"

namespace lanewise::test {

#define LANEWISE_OPERATOR(word) extern const OperatorSpec kSpec_##word;
#include "lanewise_operators.inc"
#undef LANEWISE_OPERATOR

const std::map<std::string, const OperatorSpec*>& AllSpecs() {
  static const auto& specs = *new std::map<std::string, const OperatorSpec*>{
#define LANEWISE_OPERATOR(word) {kSpec_##word.name, &kSpec_##word},
#include "lanewise_operators.inc"
#undef LANEWISE_OPERATOR
  };
  return specs;
}

}  // namespace lanewise::test
