// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_signs.h"

namespace lanewise::test {

void CheckByHand(const OpId& op, lw_type type,
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

void CheckNoFloatEnv(const OpId& op) {
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
