// SPDX-License-Identifier: Apache-2.0
//
// Compares the rules of runtime/plan/shape.h with naive ones, for every small
// shape.

#include "runtime/plan/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

constexpr Label kLabel = {"Op", 7};

Dims Of(const Dims64& dims) {
  return {dims.data(), static_cast<int32_t>(dims.size())};
}
Dims64 Of(const lw_shape& shape) {
  return {shape.dims, shape.dims + shape.rank};
}
std::string Text(const Dims64& dims) {
  return ShapeText(dims.data(), static_cast<int64_t>(dims.size())).c_str();
}

// Every shape of rank 0 to 3 with these dims.
std::vector<Dims64> SmallShapes(const Dims64& dims) {
  std::vector<Dims64> shapes = {{}};
  for (size_t i = 0; i < shapes.size() && shapes[i].size() < 3; ++i) {
    for (const int64_t dim : dims) {
      Dims64 longer = shapes[i];
      longer.push_back(dim);
      shapes.push_back(longer);
    }
  }
  return shapes;
}

TEST(Shape, CountsElements) {
  struct Case {
    Dims64 dims;
    std::optional<int64_t> count;  // nothing means overflow
  };
  constexpr int64_t kMost = INT64_MAX / 16;
  const Case cases[] = {
      {{}, 1},
      {{7}, 7},
      {{2, 3, 4}, 24},
      {{0}, 0},
      {{5, 0, 3}, 0},
      {{kMost}, kMost},
      {{kMost + 1}, std::nullopt},
      {{INT64_MAX}, std::nullopt},
      {{1, kMost, 1}, kMost},
      {{1 << 20, 1 << 20, 1 << 18}, int64_t{1} << 58},
      {{1 << 20, 1 << 20, 1 << 20}, std::nullopt},
      // 2^64 and 2^65: the product wraps to 0 or to a small number.
      {{int64_t{1} << 32, int64_t{1} << 32}, std::nullopt},
      {{int64_t{1} << 33, int64_t{1} << 32, 3}, std::nullopt},
      {{INT64_MAX, INT64_MAX, INT64_MAX}, std::nullopt},
      // No elements, no matter how large the other dims are.
      {{INT64_MAX, INT64_MAX, 0}, 0},
      {{0, INT64_MAX, INT64_MAX}, 0},
      {Dims64(64, 1), 1},
      {Dims64(59, 2), std::nullopt},
      {Dims64(58, 2), int64_t{1} << 58},
  };
  for (const Case& test : cases) {
    int64_t count = -1;
    EXPECT_EQ(CountElements(Of(test.dims), &count), test.count.has_value())
        << Text(test.dims);
    EXPECT_EQ(test.count.value_or(count), count) << Text(test.dims);
  }
}

// numpy's rule, dim by dim from the right.
std::optional<Dims64> NaiveBroadcast(Dims64 a, Dims64 b) {
  std::reverse(a.begin(), a.end());
  std::reverse(b.begin(), b.end());
  a.resize(std::max(a.size(), b.size()), 1);
  b.resize(a.size(), 1);
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || b[i] == 1) continue;
    if (a[i] != 1) return std::nullopt;
    a[i] = b[i];
  }
  std::reverse(a.begin(), a.end());
  return a;
}

TEST(Shape, BroadcastsAsNumpy) {
  const std::vector<Dims64> shapes = SmallShapes({0, 1, 2, 3});
  for (const Dims64& a : shapes) {
    for (const Dims64& b : shapes) {
      SCOPED_TRACE(Text(a) + " with " + Text(b));
      const std::optional<Dims64> expected = NaiveBroadcast(a, b);
      lw_shape shape = {};
      shape.rank = static_cast<int32_t>(a.size());
      std::copy(a.begin(), a.end(), shape.dims);
      const lw_status status = Broadcast(kLabel, Of(b), &shape);
      ASSERT_EQ(status, expected ? LW_OK : LW_INVALID_SHAPE);
      if (expected) {
        EXPECT_EQ(Of(shape), *expected);
      } else {
        const std::string message = lw_last_error();
        EXPECT_EQ(message.rfind("Op-7: ", 0), 0u) << message;
        EXPECT_NE(message.find(Text(a)), std::string::npos) << message;
        EXPECT_NE(message.find(Text(b)), std::string::npos) << message;
      }
    }
  }
}

// The dim of A that B's first dim aligns with, if the pair is legal: a direct
// implementation of ONNX's text for operators before opset 7.
std::optional<int64_t> NaiveLegacy(const Dims64& a, Dims64 b, int64_t axis) {
  const auto room =
      static_cast<int64_t>(a.size()) - static_cast<int64_t>(b.size());
  const bool one = Count(b) == 1;
  if (one && (axis == -1 || axis == 0)) return 0;
  const int64_t at = axis == -1 ? room : axis;
  if (at < 0 || at > room) return std::nullopt;
  if (one) return at;
  for (size_t i = 0; i < b.size(); ++i) {
    // Dims of 1 may stretch only before and after the run of A's dims.
    const auto is_one = [](int64_t dim) { return dim == 1; };
    const auto here = b.begin() + static_cast<ptrdiff_t>(i);
    const bool leads = std::all_of(b.begin(), here + 1, is_one);
    const bool trails = std::all_of(here, b.end(), is_one);
    if (leads || trails) continue;
    if (b[i] != a[static_cast<size_t>(at) + i]) return std::nullopt;
  }
  return at;
}

TEST(Shape, BroadcastsAsDivBeforeVersion7) {
  const std::vector<Dims64> shapes = SmallShapes({0, 1, 2, 3});
  for (const Dims64& a : shapes) {
    for (const Dims64& b : shapes) {
      for (int64_t axis = -1; axis <= 4; ++axis) {
        SCOPED_TRACE(Text(a) + ", " + Text(b) + ", axis " +
                     std::to_string(axis));
        const std::optional<int64_t> expected = NaiveLegacy(a, b, axis);
        int32_t offset = -1;
        const lw_status status =
            LegacyBroadcast(kLabel, Of(a), Of(b), axis, &offset);
        ASSERT_EQ(status, expected ? LW_OK : LW_INVALID_SHAPE);
        if (expected && Count(b) != 1) {
          EXPECT_EQ(offset, *expected);
        }
      }
    }
  }
}

// The target shape. Finds the size of the -1 by trying every number.
std::optional<Dims64> NaiveReshape(const Dims64& in, Dims64 target,
                                   bool allow_zero) {
  if (std::count(target.begin(), target.end(), -1) > 1) return std::nullopt;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] < -1) return std::nullopt;
    if (target[i] != 0 || allow_zero) continue;
    if (i >= in.size()) return std::nullopt;
    target[i] = in[i];
  }
  const auto inferred = std::find(target.begin(), target.end(), -1);
  if (inferred == target.end()) {
    return Count(target) == Count(in) ? std::optional(target) : std::nullopt;
  }
  if (std::count(target.begin(), target.end(), 0) > 0) return std::nullopt;
  for (*inferred = 0; *inferred <= Count(in); ++*inferred) {
    if (Count(target) == Count(in)) return target;
  }
  return std::nullopt;
}

TEST(Shape, ReshapesEverySmallTarget) {
  for (const Dims64& in : SmallShapes({0, 1, 2, 3})) {
    for (const Dims64& target : SmallShapes({-2, -1, 0, 1, 2, 3, 4, 6})) {
      for (const bool allow_zero : {false, true}) {
        SCOPED_TRACE(Text(in) + " to " + Text(target));
        const std::optional<Dims64> expected =
            NaiveReshape(in, target, allow_zero);
        lw_shape shape;
        const lw_status status =
            ResolveTarget(kLabel, Of(in), Of(target), allow_zero, &shape);
        ASSERT_EQ(status, expected ? LW_OK : LW_INVALID_SHAPE);
        if (expected) {
          EXPECT_EQ(Of(shape), *expected);
        }
      }
    }
  }
}

TEST(Shape, ReshapeTargetsThatOverflow) {
  lw_shape shape;
  const Dims64 in = {2, 3};
  for (const Dims64& target :
       {Dims64{INT64_MAX, 2}, Dims64{int64_t{1} << 32, int64_t{1} << 32},
        Dims64{int64_t{1} << 62, 4, -1}}) {
    EXPECT_EQ(ResolveTarget(kLabel, Of(in), Of(target), true, &shape),
              LW_SIZE_OVERFLOW);
  }
  const Dims64 too_long(LW_MAX_RANK + 1, 1);
  EXPECT_EQ(ResolveTarget(kLabel, Of(in), Of(too_long), true, &shape),
            LW_INVALID_SHAPE);
}

TEST(Shape, LongShapesInMessagesAreCutShort) {
  const Dims64 dims(LW_MAX_RANK, INT64_MIN);
  const std::string text = Text(dims);
  EXPECT_LT(text.size(), 200u);
  EXPECT_EQ(text.substr(text.size() - 5), ",...]");
  EXPECT_EQ(Text({}), "[]");
  EXPECT_EQ(Text({-1, 0, 2}), "[-1,0,2]");
}

}  // namespace
}  // namespace lanewise::test
