// SPDX-License-Identifier: Apache-2.0
//
// The tests that every composed operator must pass, made from its spec and from
// cases: answers against the oracle, and the same bits for any strides, in
// place, prepared, by any number of threads, with some outputs, and in a chain.
//
// An operator's test file includes this header and names its spec and cases:
//
//   const ComposedSuiteOf kSuite(kSpec_softmax, kCases);

#ifndef LANEWISE_TESTS_SUPPORT_COMPOSED_SUITE_H_
#define LANEWISE_TESTS_SUPPORT_COMPOSED_SUITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/composed_spec.h"
#include "tests/support/isas.h"
#include "tests/support/strided.h"

namespace lanewise::test {

struct ComposedAttribute {
  const char* name;
  lw_attribute_kind kind;
  std::vector<double> values;
};

/// Attributes of one number.
inline ComposedAttribute IntOf(const char* name, int64_t value) {
  return {name, LW_ATTRIBUTE_INT, {static_cast<double>(value)}};
}
inline ComposedAttribute FloatOf(const char* name, double value) {
  return {name, LW_ATTRIBUTE_FLOAT, {value}};
}

struct ComposedCase {
  int32_t opset;
  std::vector<ComposedAttribute> attributes;
  /// The dims of the inputs. Fewer than the operator has: the last ones are
  /// left out.
  std::vector<Dims64> inputs;
  /// The least value of an input: -3 if none, the largest one is 3.
  std::vector<double> least = {};
};

struct ComposedSuiteOf {
  ComposedSuiteOf(const OperatorSpec& spec, std::vector<ComposedCase> cases);
};

/// The call must fail with a message that begins with the operator and its
/// version, and has `text`. Types are `type` if `types` has none for an input.
struct WrongCall {
  ComposedCase call;
  lw_status status;
  const char* text;
  lw_type type = LW_FLOAT32;
  std::vector<int32_t> types = {};
  size_t outputs = 1;
  std::vector<Dims64> out = {};  ///< the first output's dims, if not right
};
void ExpectWrong(const OperatorSpec& spec, const WrongCall& wrong);

/// Node creation must fail with LW_INVALID_ATTRIBUTE and this text.
void ExpectRefused(const OperatorSpec& spec, int32_t opset,
                   const std::vector<ComposedAttribute>& attributes,
                   const char* text);

/// The first output for elements of one type, of shape `dims`.
std::vector<double> ComposedOutput(
    const OperatorSpec& spec, const Isa& isa, const ComposedCase& node,
    lw_type type, const std::vector<std::vector<double>>& inputs);

class ComposedSuite : public OnEveryIsa {};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_COMPOSED_SUITE_H_
