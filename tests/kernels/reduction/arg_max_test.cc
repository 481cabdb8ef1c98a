// SPDX-License-Identifier: Apache-2.0
//
// ArgMax: the suite, and places by hand.

#include <cstring>

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_arg_max = {
    .name = "ArgMax",
    .versions = IndexVersions(),
    .output = {"reduced", "tensor(int64)", {LW_INT64}},
    .reduced =
        [](const Sequence& sequence, void* out) {
          const int64_t place = PlaceOfWinner(
              sequence, [](auto x, auto best) { return x > best; });
          std::memcpy(out, &place, sizeof(place));
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/arg_cases.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_arg_max);
const ArgCases kCases(kSpec_arg_max, 1);

TEST(ArgMaxByHand, FirstOrLast) { kCases.FirstOrLast(); }
TEST(ArgMaxByHand, NanWins) { kCases.NanWins(); }
TEST(ArgMaxByHand, PlacesFarAway) { kCases.PlacesFarAway(); }
TEST(ArgMaxByHand, ADimWithoutElementsIsRefused) {
  kCases.ADimWithoutElementsIsRefused();
}

TEST(ArgMaxByHand, EndsOfIntegers) {
  ExpectReduced(kSpec_arg_max, LW_UINT8, {0, 255, 128}, 1);
  ExpectReduced(kSpec_arg_max, LW_INT16, {-32768, 32767, 0}, 1);
  ExpectReduced(kSpec_arg_max, LW_UINT32, {1, 4294967295, 0}, 1);
  ExpectReduced(kSpec_arg_max, LW_UINT64, {0x1p63, 1}, 0);
  ExpectReduced(kSpec_arg_max, LW_INT64, {-0x1p63, 0x1p62}, 1);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
