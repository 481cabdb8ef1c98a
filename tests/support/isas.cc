// SPDX-License-Identifier: Apache-2.0

#include "tests/support/isas.h"

namespace lanewise::test {

Isas* MakeIsas(lw_accuracy accuracy) {
  auto* made = new Isas;
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    lw_engine_options options = {};
    options.struct_size = sizeof(options);
    options.max_isa = lw_isa_name(i);
    options.threading = LW_THREADING_SERIAL;
    options.accuracy = accuracy;
    lw_engine* engine = nullptr;
    EXPECT_EQ(lw_engine_create(&options, &engine), LW_OK) << lw_last_error();
    const char* way = accuracy == LW_ACCURACY_FAST    ? "fast"
                      : accuracy == LW_ACCURACY_EXACT ? "exact"
                                                      : "";
    made->push_back({lw_isa_name(i), engine, way});
  }
  return made;
}

}  // namespace lanewise::test
