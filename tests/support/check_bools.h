// SPDX-License-Identifier: Apache-2.0
//
// Operators that tell something of each float, as a bool.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_BOOLS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_BOOLS_H_

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_values.h"

namespace lanewise::test {

/// Holds an operator against tells(x) for all 2^32 float32, on the best and the
/// lowest instruction set.
template <class Tells>
void CheckBoolsOfAllFloats(const OpId& op, const Tells& tells) {
  constexpr size_t kBlock = 1 << 13;
  std::vector<Subject> subjects;
  for (const Isa& isa : BestAndLowest(AllIsas())) {
    subjects.push_back(KernelApi(isa.engine, op, LW_FLOAT32));
  }
  std::atomic<bool> failed{false};
  OnEveryCore((uint64_t{1} << 32) / kBlock, [&](const auto& next) {
    std::vector<float> in(kBlock);
    std::vector<uint8_t> out(kBlock);
    for (uint64_t block = 0; !failed && next(&block);) {
      for (size_t i = 0; i < kBlock; ++i) {
        in[i] = FloatOf(static_cast<uint32_t>(block * kBlock + i));
      }
      for (const Subject& subject : subjects) {
        ASSERT_EQ(subject.compute(in.data(), nullptr, out.data(), kBlock),
                  LW_OK);
        for (size_t i = 0; i < kBlock; ++i) {
          if (out[i] == uint8_t{tells(in[i])}) continue;
          failed = true;
          ADD_FAILURE() << BitsText(&in[i], 4) << " gives " << int{out[i]};
          break;
        }
      }
    }
  });
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_BOOLS_H_
