// SPDX-License-Identifier: Apache-2.0
//
// Inputs for the operator suite, and the answers of a spec's oracle.

#ifndef LANEWISE_TESTS_SUPPORT_SUITE_DATA_H_
#define LANEWISE_TESTS_SUPPORT_SUITE_DATA_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

using Arrays = std::vector<Array>;

/// The newest version's types, without those that are no whole bytes.
std::vector<lw_type> SuiteTypes(const OperatorSpec& spec);

/// The type of input `k` of the newest version where T is `type`.
lw_type InputTypeOf(const OperatorSpec& spec, size_t k, lw_type type);
lw_type OutputTypeOf(const OperatorSpec& spec, lw_type type);
/// Whether input `k` is always one element.
bool IsScalarInput(const OperatorSpec& spec, size_t k);

/// `count` elements of a type: edges of the type and random bits, mixed.
Array MixedElements(lw_type type, size_t count, std::mt19937_64& random);
/// Inputs of `count` elements each, or one where `pattern` says so. Operands
/// are often equal, or nearly, and bounds are in order now and then.
Arrays MixedInputs(const OperatorSpec& spec, lw_type type, size_t count,
                   int pattern, uint64_t seed);

/// A number as a float of any type: 16-bit floats are rounded to nearest even.
void WriteRounded(lw_type type, long double exact, void* out);

/// The oracle's answer for one element of each input, which is written to
/// `out`.
void AskOracle(const OperatorSpec& spec, lw_type type, const void* const* in,
               void* out);
/// The same for inputs of two types.
void AskOracleOfTypes(const OperatorSpec& spec, const int32_t* types,
                      const void* const* in, void* out);
/// The oracle's answer for one element of each of `count` inputs.
void AskOracleOfAny(const OperatorSpec& spec, lw_type type,
                    const void* const* in, size_t count, void* out);
/// The oracle's answers for whole arrays; arrays of one element repeat.
Array ExpectedOf(const OperatorSpec& spec, lw_type type, const Arrays& in,
                 size_t count);

/// Whether two results are the same: bits, but for NaNs that were computed.
bool SameResult(const OperatorSpec& spec, lw_type out, const void* x,
                const void* y);
/// Whether a result is right: the same, or as near as the spec allows.
bool IsAnswer(const OperatorSpec& spec, lw_type out, const void* expected,
              const void* actual);
/// The first element that differs; the count if none does.
size_t FirstOther(const OperatorSpec& spec, const Array& actual,
                  const Array& expected);
/// For messages: the inputs at an element, what they gave, and what not.
std::string Complaint(const OperatorSpec& spec, const Arrays& in, size_t i,
                      const Array& actual, const Array& expected);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SUITE_DATA_H_
