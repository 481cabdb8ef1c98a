// SPDX-License-Identifier: Apache-2.0
//
// Every instruction set, and both ways on instruction sets whose kernels have
// two (kernels/kernel.h). Operators with such kernels are tested on all of
// them.

#ifndef LANEWISE_TESTS_SUPPORT_WAYS_H_
#define LANEWISE_TESTS_SUPPORT_WAYS_H_

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/isas.h"

namespace lanewise::test {

/// AllIsas(), but with an engine for each way of AVX2. Whichever of the two is
/// this machine's own is thus tested, and so is the other.
inline const std::vector<Isa>& AllWays() {
  static const std::vector<Isa>& ways = *[] {
    auto* made = new std::vector<Isa>;
    for (const Isa& isa : AllIsas()) {
      if (std::strcmp(isa.name, "AVX2") != 0) {
        made->push_back(isa);
        continue;
      }
      lw_engine_options options = Options();
      options.threading = LW_THREADING_SERIAL;
      for (const char* way : {"usual", "divider"}) {
        EnginePtr engine = MakeTunedEngine(options, isa.name,
                                           std::string("way ") + way + "\n");
        made->push_back({isa.name, engine.release(), way});
      }
    }
    return made;
  }();
  return ways;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_WAYS_H_
