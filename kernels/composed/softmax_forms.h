// SPDX-License-Identifier: Apache-2.0
//
// What Softmax, LogSoftmax and Hardmax share. Versions 1 and 11 look at the
// input as a matrix whose rows are the dims from `axis` on; version 13 works
// along `axis`.

#ifndef LANEWISE_KERNELS_COMPOSED_SOFTMAX_FORMS_H_
#define LANEWISE_KERNELS_COMPOSED_SOFTMAX_FORMS_H_

#include <cstdint>

#include "kernels/composed/composed.h"

namespace lanewise {

inline constexpr int kSoftmaxVersions[] = {1, 11, 13};
inline constexpr AttributeInfo kAxisOfRows[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 1}};
inline constexpr AttributeInfo kAxis[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kParameter, false, -1}};
inline constexpr Form kSoftmaxForms[] = {
    {1, kInputLowercase, ShapeRule::kSame, kAxisOfRows},
    {13, kInputLowercase, ShapeRule::kSame, kAxis}};

struct SoftmaxAxes {
  explicit SoftmaxAxes(const Recipe& r)
      : axis(r.Int("axis")), axes{{&axis, 1}, r.version() < 13} {}
  int64_t axis;
  Recipe::Axes axes;
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_COMPOSED_SOFTMAX_FORMS_H_
