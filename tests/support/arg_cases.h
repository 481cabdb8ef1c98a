// SPDX-License-Identifier: Apache-2.0
//
// Cases by hand of ArgMax (a sign of 1) and of ArgMin (a sign of -1, with which
// all numbers are multiplied).

#ifndef LANEWISE_TESTS_SUPPORT_ARG_CASES_H_
#define LANEWISE_TESTS_SUPPORT_ARG_CASES_H_

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {

inline constexpr lw_type kArgFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32,
                                         LW_FLOAT64};

class ArgCases {
 public:
  ArgCases(const OperatorSpec& spec, double sign) : spec_(spec), sign_(sign) {}

  void FirstOrLast() const {
    for (const lw_type type :
         {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64, LW_INT8, LW_INT64}) {
      Expect(type, {1, 3, -2, 3, -2, 1}, 1);
      Expect(type, {1, 3, -2, 3, -2, 1}, 3, 1);
      Expect(type, {7}, 0, 1);
    }
    for (const lw_type type : kArgFloats) {  // zeros are equal
      Expect(type, {-0.0, 0.0, -0.0}, 0);
      Expect(type, {0.0, -0.0, 0.0}, 0);
      Expect(type, {0.0, -0.0, -0.0}, 2, 1);
    }
  }

  void NanWins() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const lw_type type : kArgFloats) {
      Expect(type, {1, kInfinity, kNan, -kInfinity, kNan}, 2);
      Expect(type, {1, kNan, kInfinity, kNan, -kInfinity}, 3, 1);
      Expect(type, {kNan, 1}, 0);
      Expect(type, {kNan, 1}, 0, 1);
      Expect(type, {-kInfinity, -kInfinity}, 0);
      Expect(type, {-kInfinity, -kInfinity}, 1, 1);
    }
  }

  // A place that no 16-bit number can tell.
  void PlacesFarAway() const {
    std::vector<double> elements(70'001, 1 - (sign_ > 0));
    elements.back() = sign_ > 0;
    for (const lw_type type : {LW_FLOAT16, LW_UINT8, LW_FLOAT64}) {
      ExpectReduced(spec_, type, elements, 70'000);
    }
  }

  void ADimWithoutElementsIsRefused() const {
    for (const int32_t version : {1, 11, 12, 13}) {
      const OpPtr op = MakeOp(nullptr, {spec_.name, version});
      const int64_t dims[] = {0, 3}, out_dims[] = {1, 3};
      int64_t places[3] = {7, 7, 7};
      const lw_tensor in = {nullptr, LW_FLOAT32, 2, dims, nullptr, 0};
      const lw_tensor out = {places, LW_INT64, 2, out_dims, nullptr, 0};
      lw_shape shape;
      EXPECT_EQ(lw_op_infer(op.get(), &in, 1, &shape), LW_INVALID_SHAPE);
      EXPECT_EQ(lw_op_run(op.get(), &in, 1, &out, 1), LW_INVALID_SHAPE);
      const std::string message = lw_last_error();
      const std::string label =
          std::string(spec_.name) + "-" + std::to_string(version) + ": ";
      EXPECT_EQ(message.rfind(label, 0), 0u) << message;
      EXPECT_NE(message.find("[0,3]"), std::string::npos) << message;
      EXPECT_EQ(places[0], 7);
    }
  }

 private:
  template <class... Last>
  void Expect(lw_type type, std::vector<double> elements, double place,
              Last... last) const {
    for (double& element : elements) element *= sign_;
    ExpectReduced(spec_, type, elements, place, last...);
  }

  const OperatorSpec& spec_;
  const double sign_;
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ARG_CASES_H_
