// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_function.h"

namespace lanewise::test {

void CheckKeepsNaN(const OpId& op) {
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    for (const lw_type type : kFloatTypes) {
      const Array in = FromPatterns(
          type,
          type == LW_FLOAT16    ? std::vector<uint64_t>{0x7E01, 0xFF03}
          : type == LW_BFLOAT16 ? std::vector<uint64_t>{0x7FC1, 0xFFE3}
          : type == LW_FLOAT32
              ? std::vector<uint64_t>{0x7FC00001, 0xFFE00003}
              : std::vector<uint64_t>{0x7FF8000000000001, 0xFFFC000000000003});
      EXPECT_TRUE(SameBits(Compute(KernelApi(isa.engine, op, type), in), in))
          << lw_type_name(type);
    }
    CheckByHand(isa.engine, op, LW_FLOAT64,
                {{DoubleOf(0x7FF0000000000001), DoubleOf(0x7FF8000000000001)}});
  }
}

void CheckKeepsSmall(const OpId& op) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, op, type, {{0.0, 0.0}, {-0.0, -0.0}});
    }
    CheckByHand(
        isa.engine, op, LW_FLOAT32,
        {{0x1p-149, 0x1p-149}, {-0x1.8p-127, -0x1.8p-127}, {0x1p-13, 0x1p-13}});
    CheckByHand(isa.engine, op, LW_FLOAT64,
                {{0x1p-1074, 0x1p-1074},
                 {-0x1.8p-1023, -0x1.8p-1023},
                 {0x1p-30, 0x1p-30}});
  }
}

void CheckFunction(const OpId& op, const std::vector<double>& ordinary) {
  CheckKeepsNaN(op);
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(op, AllValues(type));
  }
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    CheckAlwaysToNearest(isa.engine, op);
    CheckSameBits(isa.engine, op);
    for (const lw_type type : kFloatTypes) {
      CheckOnlyInexact(isa.engine, op, FromValues(type, ordinary));
    }
  }
}

}  // namespace lanewise::test
