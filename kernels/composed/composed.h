// SPDX-License-Identifier: Apache-2.0
//
// What the composed operators share: their types, and steps that several of
// them have.

#ifndef LANEWISE_KERNELS_COMPOSED_COMPOSED_H_
#define LANEWISE_KERNELS_COMPOSED_COMPOSED_H_

#include <cstdint>

#include "kernels/operator.h"
#include "kernels/recipe.h"

namespace lanewise {

/// Floats from a version on, and bfloat16 from a later one on.
template <int kSince, int kBfloat16Since = kSince>
inline constexpr KernelEntry kFloats[] = {
    {kSince, LW_FLOAT16, {}},
    {kSince, LW_FLOAT32, {}},
    {kSince, LW_FLOAT64, {}},
    {kBfloat16Since, LW_BFLOAT16, {}},
};

inline constexpr AttributeInfo kEpsilon = {"epsilon", LW_ATTRIBUTE_FLOAT,
                                           Meaning::kParameter, false, 1e-5f};

/// Where the dims behind batch and channels begin.
inline constexpr int64_t kSpatialDims = 2;

inline constexpr AttributeInfo kStashType = {"stash_type", LW_ATTRIBUTE_INT,
                                             Meaning::kParameter, false, 1};
inline int32_t StashType(const Recipe& r) {
  return static_cast<int32_t>(r.Int("stash_type"));
}
inline const char* RefusesStashType(const AttributeValues& attributes) {
  switch (attributes.Int("stash_type").value_or(LW_FLOAT32)) {
    case LW_FLOAT32:
    case LW_FLOAT16:
    case LW_FLOAT64:
    case LW_BFLOAT16:
      return nullptr;
    default:
      return "attribute \"stash_type\" is no float type";
  }
}

/// The dims from `number` on. `number` must outlive the axes.
inline Recipe::Axes From(const int64_t& number) { return {{&number, 1}, true}; }
Recipe::Axes From(int64_t&& number) = delete;

/// x - mean and 1 / sqrt(variance + epsilon), of which most normalizations are
/// made: the mean first, then the mean of the squares of differences.
struct Normalized {
  Normalized(Recipe& r, Recipe::Value x, const Recipe::Axes& axes)
      : mean(r.ReduceMean(x, axes)), difference(r.Sub(x, mean)) {
    const Recipe::Value variance =
        r.ReduceMean(r.Mul(difference, difference), axes);
    const Recipe::Value epsilon = r.Constant(r.Float("epsilon"), x.type);
    inverse = r.Reciprocal(r.Sqrt(r.Add(variance, epsilon)));
    value = r.Mul(difference, inverse);
  }
  Recipe::Value mean;
  Recipe::Value difference;
  Recipe::Value inverse;
  Recipe::Value value;
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_COMPOSED_COMPOSED_H_
