// SPDX-License-Identifier: Apache-2.0
//
// Every instruction set that this machine can run, each with an engine. A test
// that runs on all of them takes the instruction set as its parameter:
//
//   class Relu : public OnEveryIsa {};
//   TEST_P(Relu, Works) { ... isa().engine ... }
//   INSTANTIATE_TEST_SUITE_P(Isa, Relu, testing::ValuesIn(AllIsas()),
//                            testing::PrintToStringParamName());

#ifndef LANEWISE_TESTS_SUPPORT_ISAS_H_
#define LANEWISE_TESTS_SUPPORT_ISAS_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/not_run.h"

namespace lanewise::test {

struct Isa {
  const char* name;
  const lw_engine* engine;  ///< serial
  const char* way = "";     ///< the engine's preferred way, if a test chose it

  friend std::ostream& operator<<(std::ostream& out, const Isa& isa) {
    return out << isa.name << (*isa.way != '\0' ? "_" : "") << isa.way;
  }
};

using Isas = std::vector<Isa>;

Isas* MakeIsas(lw_accuracy accuracy);

/// Sorted from best to worst. The engines live until the program ends.
inline const Isas& AllIsas() {
  static const Isas& isas = *MakeIsas(LW_ACCURACY_TIGHT);
  return isas;
}
/// The same with fast engines.
inline const Isas& AllFastIsas() {
  static const Isas& isas = *MakeIsas(LW_ACCURACY_FAST);
  return isas;
}
/// The same with exact engines.
inline const Isas& AllExactIsas() {
  static const Isas& isas = *MakeIsas(LW_ACCURACY_EXACT);
  return isas;
}

/// Whether LANEWISE_TEST_ALL_ISAS=1 asks for all inputs on every instruction
/// set, as scripts/test --long exhaustive does.
inline bool AllIsasWanted() {
  const char* value = std::getenv("LANEWISE_TEST_ALL_ISAS");
  return value != nullptr && *value != '\0' && *value != '0';
}
/// The best and the lowest of them, for tests of all 2^32 inputs.
inline Isas BestAndLowest(const Isas& isas) {
  if (AllIsasWanted() || isas.size() < 3) return isas;
  return {isas.front(), isas.back()};
}

/// For tests of the caller's floating-point environment, and of operators that
/// nobody has proven exact. LANEWISE_ACCURACY=exact makes all engines exact.
#define LANEWISE_SKIP_IF_EXACT()                            \
  do {                                                      \
    if (lw_engine_accuracy(nullptr) == LW_ACCURACY_EXACT) { \
      LANEWISE_NOT_RUN("LANEWISE_ACCURACY=exact is set");   \
    }                                                       \
  } while (false)

class OnEveryIsa : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    // If the engine used a lower instruction set, this one would not be tested.
    ASSERT_NE(isa().engine, nullptr);
    ASSERT_STREQ(lw_engine_isa(isa().engine), isa().name);
  }
  static const Isa& isa() { return GetParam(); }
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ISAS_H_
