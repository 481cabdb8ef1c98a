// SPDX-License-Identifier: Apache-2.0
//
// A table of the worst errors. Tests record what they measure. At exit the
// program prints a line for each operator, type and instruction set, with the
// error in ULP and the input:
//
//   worst-error Exp f32 AVX2 0.928 at 0x1.8p+3
//
// Each directed rounding mode has a line of its own:
//
//   worst-error Exp f32 AVX2 1.93 at 0x1.8p+3 rounding upward

#ifndef LANEWISE_TESTS_SUPPORT_WORST_ERRORS_H_
#define LANEWISE_TESTS_SUPPORT_WORST_ERRORS_H_

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::test {

struct RoundingMode {
  int mode;
  const char* name;
};
inline constexpr RoundingMode kToNearest = {FE_TONEAREST, "to nearest"};
inline constexpr RoundingMode kDirected[] = {{FE_UPWARD, "upward"},
                                             {FE_DOWNWARD, "downward"},
                                             {FE_TOWARDZERO, "toward zero"}};

/// The largest error of some results, and the input with that error.
struct WorstError {
  double ulps = 0;
  double input = 0;

  void Add(const WorstError& other) {
    // An error of NaN counts as the largest.
    if (!(other.ulps <= ulps)) *this = other;
  }
};

/// The short name that the documentation uses, such as "f32".
inline const char* ShortTypeName(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
      return "f16";
    case LW_BFLOAT16:
      return "bf16";
    case LW_FLOAT32:
      return "f32";
    case LW_FLOAT64:
      return "f64";
    default:
      return lw_type_name(type);
  }
}

class WorstErrorTable : public testing::Environment {
 public:
  /// Call it on the test's own thread only.
  void Note(const char* op, lw_type type, const char* isa,
            const WorstError& worst,
            const RoundingMode& rounding = kToNearest) {
    std::string row = std::string(op) + ' ' + ShortTypeName(type) + ' ' + isa;
    std::string mode;
    if (rounding.mode != FE_TONEAREST) {
      mode = std::string(" rounding ") + rounding.name;
    }
    char value[80];
    std::snprintf(value, sizeof(value), "%.4g at %a", worst.ulps, worst.input);
    testing::Test::RecordProperty("worst-error " + row + mode, value);
    for (Row& known : rows_) {
      if (known.row != row || known.mode != mode) continue;
      known.worst.Add(worst);
      return;
    }
    rows_.push_back({std::move(row), std::move(mode), worst});
  }

  void TearDown() override {
    for (const Row& row : rows_) {
      std::printf("worst-error %s %.4g at %a%s\n", row.row.c_str(),
                  row.worst.ulps, row.worst.input, row.mode.c_str());
    }
  }

 private:
  struct Row {
    std::string row;
    std::string mode;
    WorstError worst;
  };
  std::vector<Row> rows_;
};

/// GoogleTest owns this object.
inline WorstErrorTable& worst_errors = *[] {
  auto* table = new WorstErrorTable;
  testing::AddGlobalTestEnvironment(table);
  return table;
}();

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_WORST_ERRORS_H_
