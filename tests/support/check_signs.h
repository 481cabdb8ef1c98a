// SPDX-License-Identifier: Apache-2.0
//
// Checks for Neg, Abs and Sign, which compute floats as bits.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

struct InOut {
  uint64_t in;
  uint64_t out;
};

/// Values by hand, because the oracle might be wrong, too. Short and long jobs
/// may go different ways.
inline void CheckByHand(const OpId& op, lw_type type,
                        const std::vector<InOut>& values) {
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    const Subject subject = KernelApi(isa.engine, op, type);
    for (const InOut& value : values) {
      for (const size_t length : {1, 300}) {
        const std::vector<uint64_t> in(length, value.in);
        const std::vector<uint64_t> out(length, value.out);
        EXPECT_TRUE(SameBits(Compute(subject, FromPatterns(type, in)),
                             FromPatterns(type, out)));
      }
    }
  }
}

/// Rounding modes and FTZ change nothing, and nothing is raised.
inline void CheckNoFloatEnv(const OpId& op) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type :
         {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
      const Array in = Lattice(type);
      CheckFloatEnvIgnored(KernelApi(isa.engine, op, type), in);
      CheckFloatEnvIgnored(TensorApi(isa.engine, op, type), in);
    }
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_
