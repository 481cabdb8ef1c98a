// SPDX-License-Identifier: Apache-2.0
//
// Bools of any byte: a host's true need not be 1.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_BYTES_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_BYTES_H_

#include <gtest/gtest.h>

#include "tests/support/isas.h"
#include "tests/support/subject.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {

/// Holds the kernels of all patterns against the oracle, for all bytes, or all
/// pairs of bytes.
inline void CheckAllBytes(const OperatorSpec& spec, const Isa& isa) {
  const OpPtr op = MakeOp(isa.engine, {spec.name, spec.newest_opset});
  const size_t inputs = spec.input_count();
  for (const int pattern : {LW_SAME, LW_SCALAR_A, LW_SCALAR_B}) {
    if (pattern != LW_SAME && inputs == 1) continue;
    const lw_kernel* kernel = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), LW_BOOL, pattern, &kernel), LW_OK);
    for (size_t scalar = 0; scalar < 256; ++scalar) {
      Arrays in(inputs, Array(LW_BOOL, 256));
      for (size_t k = 0; k < inputs; ++k) {
        const bool moves = pattern == 0 ? k == 0 : (pattern >> k & 1) == 0;
        for (size_t i = 0; i < 256; ++i) {
          *in[k].at(i) = static_cast<uint8_t>(moves ? i : scalar);
        }
      }
      const void* at[2] = {in[0].data(), in.back().data()};
      const Array expected = ExpectedOf(spec, LW_BOOL, in, 256);
      Array actual(LW_BOOL, 256);
      ASSERT_EQ(lw_kernel_run(kernel, at, actual.data(), 256), LW_OK);
      const size_t i = FirstOther(spec, actual, expected);
      ASSERT_EQ(i, 256u) << Complaint(spec, in, i, actual, expected);
      if (inputs == 1) break;
    }
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_BYTES_H_
