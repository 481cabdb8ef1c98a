// SPDX-License-Identifier: Apache-2.0
//
// ArgMin: the suite, and places by hand.

#include <cstring>

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_arg_min = {
    .name = "ArgMin",
    .versions = IndexVersions(),
    .output = {"reduced", "tensor(int64)", {LW_INT64}},
    .reduced =
        [](const Sequence& sequence, void* out) {
          const int64_t place = PlaceOfWinner(
              sequence, [](auto x, auto best) { return x < best; });
          std::memcpy(out, &place, sizeof(place));
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/arg_cases.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_arg_min);
const ArgCases kCases(kSpec_arg_min, -1);

TEST(ArgMinByHand, FirstOrLast) { kCases.FirstOrLast(); }
TEST(ArgMinByHand, NanWins) { kCases.NanWins(); }
TEST(ArgMinByHand, PlacesFarAway) { kCases.PlacesFarAway(); }
TEST(ArgMinByHand, ADimWithoutElementsIsRefused) {
  kCases.ADimWithoutElementsIsRefused();
}

TEST(ArgMinByHand, EndsOfIntegers) {
  ExpectReduced(kSpec_arg_min, LW_UINT8, {0, 255, 128}, 0);
  ExpectReduced(kSpec_arg_min, LW_INT16, {-32768, 32767, 0}, 0);
  ExpectReduced(kSpec_arg_min, LW_UINT32, {1, 4294967295, 0}, 2);
  ExpectReduced(kSpec_arg_min, LW_UINT64, {0x1p63, 1}, 1);
  ExpectReduced(kSpec_arg_min, LW_INT64, {-0x1p63, 0x1p62}, 0);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
