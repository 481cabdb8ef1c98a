// SPDX-License-Identifier: Apache-2.0
//
// Div-1 and Div-6: broadcasting by the attributes `broadcast` and `axis`. B has
// one element, or matches A's dims from `axis` on, or A's last dims. Leading
// and trailing dims of B that are 1 stretch.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/kernels/division/div_tensors.h"

namespace lanewise::test {
namespace {

using Axis = std::optional<int64_t>;

std::vector<lw_attribute> Attributes(const Axis& axis,
                                     const int64_t* broadcast) {
  std::vector<lw_attribute> attributes;
  if (broadcast != nullptr) {
    attributes.push_back(IntAttribute("broadcast", broadcast));
  }
  if (axis) attributes.push_back(IntAttribute("axis", &*axis));
  return attributes;
}

/// The dim of A that B's first dim aligns with, or nothing if B does not fit:
/// an independent implementation of the rule.
std::optional<int64_t> PlaceByOracle(const Dims64& a, const Dims64& b,
                                     const Axis& axis) {
  const auto spare =
      static_cast<int64_t>(a.size()) - static_cast<int64_t>(b.size());
  const bool suffix = !axis || *axis == -1;
  if (!suffix && (*axis < 0 || *axis > std::max<int64_t>(spare, 0))) return {};
  if (Count(b) == 1) return 0;  // stretches over all of A
  if (spare < 0) return {};
  const int64_t place = suffix ? spare : *axis;
  size_t first = 0;
  size_t last = b.size();
  while (b[first] == 1) ++first;
  while (b[last - 1] == 1) --last;
  for (size_t i = first; i < last; ++i) {
    if (b[i] != a[static_cast<size_t>(place) + i]) return {};
  }
  return place;
}

testing::AssertionResult CheckLegacy(lw_type type, int32_t opset,
                                     const Dims64& a_dims, const Dims64& b_dims,
                                     const Axis& axis, uint64_t seed) {
  const auto failure = [&] {
    return testing::AssertionFailure()
           << "Div-" << opset << " " << DimsText(a_dims) << " / "
           << DimsText(b_dims) << " at axis " << (axis ? *axis : -99) << ": ";
  };
  const int64_t broadcast = 1;
  const OpPtr op =
      MakeOp(nullptr, {"Div", opset, 2}, Attributes(axis, &broadcast));
  Array a = Dividends(type, static_cast<size_t>(Count(a_dims)), seed);
  Array b = Divisors(type, static_cast<size_t>(Count(b_dims)), seed);
  Array out(type, a.size() + 8);
  Untouch(out.data(), out.bytes());
  const Tensor views[] = {TensorOf(a, a_dims), TensorOf(b, b_dims),
                          TensorOf(out, a_dims)};
  const lw_tensor in[] = {views[0].view(), views[1].view()};
  const lw_tensor result = views[2].view();

  const std::optional<int64_t> place = PlaceByOracle(a_dims, b_dims, axis);
  lw_shape shape = {};
  const lw_status inferred = lw_op_infer(op.get(), in, 2, &shape);
  const lw_status status = lw_op_run(op.get(), in, 2, &result, 1);
  if (!place) {
    if (inferred != LW_INVALID_SHAPE || status != LW_INVALID_SHAPE) {
      return failure() << lw_status_name(inferred) << ", "
                       << lw_status_name(status) << " instead of an error";
    }
    return IsUntouched(out.data(), out.bytes())
               ? testing::AssertionSuccess()
               : failure() << "the output was written to";
  }
  if (inferred != LW_OK ||
      Dims64(shape.dims, shape.dims + shape.rank) != a_dims) {
    return failure() << "inferred " << lw_status_name(inferred);
  }
  // A B of one element may have more dims than A, all of them 1.
  const Answer expected = Expect(a, Stretch(b, b_dims, *place, a_dims));
  const testing::AssertionResult told = TellsZeros(status, expected);
  if (!told) return failure() << told.message();
  if (FirstDifference(out.data(), expected.values.data(), a.size(),
                      a.element_size()) != a.size()) {
    return failure() << "wrong values";
  }
  return IsUntouched(out.at(a.size()), 8 * out.element_size())
             ? testing::AssertionSuccess()
             : failure() << "wrote past the end of the output";
}

std::vector<Dims64> Shapes(size_t max_rank, const Dims64& dims) {
  std::vector<Dims64> shapes = {{}};
  for (size_t i = 0; i < shapes.size() && shapes[i].size() < max_rank; ++i) {
    for (const int64_t dim : dims) {
      shapes.push_back(shapes[i]);
      shapes.back().push_back(dim);
    }
  }
  return shapes;
}

// Every B up to rank 3 at every axis of every A up to rank 4, with these dims.
// This includes shapes that do not fit, and ones at the start, at the end and
// in between.
TEST(DivLegacy, EveryAxisOfEveryShape) {
  uint64_t seed = 0;
  for (const Dims64& a : Shapes(4, {1, 2, 3})) {
    for (const Dims64& b : Shapes(3, {1, 2, 3})) {
      for (const Axis& axis : {Axis(), Axis(-2), Axis(-1), Axis(0), Axis(1),
                               Axis(2), Axis(3), Axis(4), Axis(5)}) {
        ++seed;
        ASSERT_TRUE(CheckLegacy(LW_FLOAT32, 1, a, b, axis, seed));
        ASSERT_TRUE(CheckLegacy(LW_INT32, 6, a, b, axis, seed));
      }
    }
  }
}

TEST(DivLegacy, NoElements) {
  uint64_t seed = 0;
  for (const Dims64& a : Shapes(3, {0, 1, 2})) {
    for (const Dims64& b : Shapes(3, {0, 1, 2})) {
      for (const Axis& axis : {Axis(), Axis(-1), Axis(0), Axis(1), Axis(2)}) {
        ASSERT_TRUE(CheckLegacy(LW_INT64, 6, a, b, axis, ++seed));
      }
    }
  }
}

TEST(DivLegacy, LongRows) {
  const Dims64 a = {5, 7, 300};
  for (const Dims64& b :
       {Dims64{300}, Dims64{7, 300}, Dims64{5, 7, 300}, Dims64{7, 1},
        Dims64{5, 1, 1}, Dims64{1, 7, 1}, Dims64{1}, Dims64{}}) {
    for (const lw_type type : {LW_FLOAT16, LW_FLOAT32, LW_FLOAT64}) {
      EXPECT_TRUE(CheckLegacy(type, 1, a, b, {}, 3));
    }
    for (const lw_type type : {LW_INT32, LW_INT64, LW_UINT32, LW_UINT64}) {
      EXPECT_TRUE(CheckLegacy(type, 6, a, b, {}, 3));
    }
  }
  EXPECT_TRUE(CheckLegacy(LW_INT32, 6, a, {5, 7}, 0, 5));
  EXPECT_TRUE(CheckLegacy(LW_INT32, 6, a, {5}, 0, 5));
  EXPECT_TRUE(CheckLegacy(LW_INT32, 6, a, {7}, 1, 5));
}

// Without broadcast=1 the shapes must be identical: even a dim of 1 does not
// stretch.
TEST(DivLegacy, WithoutBroadcastShapesAreTheSame) {
  const int64_t zero = 0;
  for (const int32_t opset : {1, 5, 6}) {
    for (const int64_t* broadcast :
         {static_cast<const int64_t*>(nullptr), &zero}) {
      const OpPtr op =
          MakeOp(nullptr, {"Div", opset, 2}, Attributes({}, broadcast));
      for (const Dims64& a : Shapes(3, {1, 2, 3})) {
        for (const Dims64& b : Shapes(3, {1, 2, 3})) {
          Array values(LW_FLOAT32, std::vector<float>(27, 6));
          Array out(LW_FLOAT32, 27);
          Untouch(out.data(), out.bytes());
          const Tensor views[] = {TensorOf(values, a), TensorOf(values, b),
                                  TensorOf(out, a)};
          const lw_tensor in[] = {views[0].view(), views[1].view()};
          const lw_tensor result = views[2].view();
          ASSERT_EQ(lw_op_run(op.get(), in, 2, &result, 1),
                    a == b ? LW_OK : LW_INVALID_SHAPE)
              << DimsText(a) << " / " << DimsText(b);
          const auto written = static_cast<size_t>(a == b ? Count(a) : 0);
          for (size_t i = 0; i < written; ++i) {
            ASSERT_EQ(out.as<float>()[i], 1);
          }
          ASSERT_TRUE(IsUntouched(out.at(written), 4 * (27 - written)));
        }
      }
    }
  }
}

TEST(DivLegacy, BadAttributes) {
  const int64_t zero = 0, one = 1, two = 2;
  const auto create = [](int32_t opset,
                         const std::vector<lw_attribute>& attributes) {
    lw_op* op = nullptr;
    const lw_status status = lw_op_create(
        nullptr, "Div", opset, attributes.data(), attributes.size(), &op);
    lw_op_destroy(op);
    return status;
  };
  for (const int32_t opset : {1, 6}) {
    EXPECT_EQ(create(opset, {IntAttribute("axis", &zero)}),
              LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(create(opset, {IntAttribute("axis", &one),
                             IntAttribute("broadcast", &zero)}),
              LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(create(opset, {IntAttribute("axis", &one),
                             IntAttribute("broadcast", &one)}),
              LW_OK);
    EXPECT_EQ(create(opset, {IntAttribute("broadcast", &two)}),
              LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(create(opset, {{"broadcast", LW_ATTRIBUTE_INT, 0, &one}}),
              LW_INVALID_ATTRIBUTE);
  }
  EXPECT_EQ(create(1, {IntsAttribute("consumed_inputs", &zero, 1)}), LW_OK);
  for (const int32_t opset : {7, 13, 14}) {
    EXPECT_EQ(create(opset, {IntAttribute("broadcast", &one)}),
              LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(create(opset, {IntAttribute("axis", &one)}),
              LW_INVALID_ATTRIBUTE);
  }
}

}  // namespace
}  // namespace lanewise::test
