// SPDX-License-Identifier: Apache-2.0

#include "tests/support/reduction_suite.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "tests/support/element_bits.h"
#include "tests/support/samples.h"
#include "tests/support/suite_calls.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

/// ArgMax and ArgMin reduce one dim.
Dims64 FirstAxes(const OperatorSpec& spec, Dims64 axes) {
  if (HasOneAxis(spec)) axes.resize(1);
  return axes;
}

}  // namespace

// Rows of every length, alone and several at once.
void CheckReductionLengths(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    std::vector<int64_t> lengths(200);
    std::iota(lengths.begin(), lengths.end(), 1);
    lengths.insert(lengths.end(),
                   {255, 256, 257, 511, 513, 1000, 1024, 4095, 4097, 10'007});
    for (const int64_t n : lengths) {
      for (const Data data : kAllData) {
        for (const int64_t rows : {1, 3}) {
          CheckReduction(spec, isa.engine,
                         {.type = type, .dims = {rows, n}, .axes = Dims64{1}},
                         data, static_cast<uint64_t>(n));
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  });
}

// Columns: rows of every length whose elements belong to sequences of their
// own.
void CheckReductionColumns(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    std::vector<int64_t> lengths(70);
    std::iota(lengths.begin(), lengths.end(), 1);
    lengths.insert(lengths.end(), {127, 128, 129, 256, 300, 1025});
    for (const int64_t n : lengths) {
      for (const int64_t rows : {1, 2, 3, 5, 8, 17, 64}) {
        const uint64_t seed = static_cast<uint64_t>(n * 100 + rows);
        CheckReduction(spec, isa.engine,
                       {.type = type, .dims = {rows, n}, .axes = Dims64{0}},
                       kAllData[seed % std::size(kAllData)], seed);
        if (testing::Test::HasFailure()) return;
      }
    }
    // Sequences whose elements lie in pieces of 256.
    for (const int64_t rows : {255, 256, 257, 511, 512, 513, 1025, 2000}) {
      for (const int64_t n : {2, 3, 16, 37}) {
        CheckReduction(spec, isa.engine,
                       {.type = type, .dims = {rows, n}, .axes = Dims64{0}},
                       Data::kModerate, static_cast<uint64_t>(rows));
        CheckReduction(spec, isa.engine,
                       {.type = type, .dims = {2, rows, n}, .axes = Dims64{1}},
                       Data::kRare, static_cast<uint64_t>(rows));
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

// Each set of axes of some shapes, with dims of 1 and of 0.
void CheckReductionAxes(const OperatorSpec& spec, const Isa& isa) {
  const std::vector<Dims64> shapes = {
      {5},          {1},           {4, 6},        {4, 1},
      {1, 7},       {3, 4, 5},     {3, 1, 5},     {1, 3, 1},
      {2, 3, 4, 5}, {2, 70, 3, 1}, {3, 2, 1, 70}, {2, 1, 3, 2, 4}};
  const lw_type type = static_cast<lw_type>(SuiteTypes(spec).front());
  std::minstd_rand random(3);
  for (const Dims64& dims : shapes) {
    const size_t rank = dims.size();
    for (size_t set = 1; set < size_t{1} << rank; ++set) {
      Dims64 axes;
      for (size_t i = 0; i < rank; ++i) {
        if ((set >> i & 1) != 0) axes.push_back(static_cast<int64_t>(i));
      }
      if (HasOneAxis(spec) && axes.size() > 1) continue;
      // In any order, some of them counted from the end.
      std::shuffle(axes.begin(), axes.end(), random);
      for (const int turn : {0, 1, 2}) {
        Dims64 given = axes;
        for (size_t i = 0; i < given.size(); ++i) {
          const bool turns = turn == 1 || (turn == 2 && i % 2 == 1);
          if (turns) given[i] -= static_cast<int64_t>(rank);
        }
        for (const int64_t keepdims : {0, 1}) {
          CheckReduction(spec, isa.engine,
                         {.type = type,
                          .dims = dims,
                          .axes = given,
                          .keepdims = keepdims});
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

// No axes in every way to have none, rank 0, dims of 0.
void CheckReductionEdges(const OperatorSpec& spec, const Isa& isa) {
  const auto check = [&](const ReductionCase& call) {
    CheckReduction(spec, isa.engine, call);
  };
  ForEachType(spec, [&](lw_type type) {
    for (const Dims64& dims : {Dims64{3, 4}, Dims64{130}, Dims64{2, 1, 3}}) {
      check({.type = type, .dims = dims});
      check({.type = type, .dims = dims, .keepdims = 0});
      if (HasOneAxis(spec)) continue;
      check({.type = type, .dims = dims, .axes = Dims64{}});
      for (const int64_t keepdims : {0, 1}) {
        check({.type = type, .dims = dims, .keepdims = keepdims, .noop = true});
        check({.type = type,
               .dims = dims,
               .axes = Dims64{},
               .keepdims = keepdims,
               .noop = true});
        check({.type = type,
               .dims = dims,
               .axes = Dims64{-1},
               .keepdims = keepdims,
               .noop = true});
      }
    }
    // Outputs of no elements.
    for (const Dims64& dims : {Dims64{0, 3}, Dims64{2, 0, 3}}) {
      const auto last = static_cast<int64_t>(dims.size()) - 1;
      for (const int64_t keepdims : {0, 1}) {
        check({.type = type,
               .dims = dims,
               .axes = Dims64{last},
               .keepdims = keepdims});
      }
    }
    if (HasOneAxis(spec)) return;
    // Sequences of no elements.
    for (const int64_t keepdims : {0, 1}) {
      for (const Dims64& dims : {Dims64{0}, Dims64{0, 0}, Dims64{4, 0}}) {
        check({.type = type, .dims = dims, .keepdims = keepdims});
      }
      const Dims64 second = {1}, first = {0}, both = {2, 0};
      check(
          {.type = type, .dims = {4, 0}, .axes = second, .keepdims = keepdims});
      check(
          {.type = type, .dims = {0, 70}, .axes = first, .keepdims = keepdims});
      check({.type = type,
             .dims = {2, 5, 0},
             .axes = both,
             .keepdims = keepdims});
      check({.type = type,
             .dims = {2, 0, 3},
             .axes = second,
             .keepdims = keepdims});
      for (const bool noop : {false, true}) {
        check({.type = type, .dims = {}, .keepdims = keepdims, .noop = noop});
        check({.type = type,
               .dims = {},
               .axes = Dims64{},
               .keepdims = keepdims,
               .noop = noop});
        // A scalar has the axis 0, as in NumPy.
        check({.type = type,
               .dims = {},
               .axes = Dims64{-1},
               .keepdims = keepdims,
               .noop = noop});
      }
    }
  });
}

// Sequences of several pieces.
void CheckReductionPieces(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    const auto check = [&](const Dims64& dims, const Dims64& axes, Data data) {
      if (testing::Test::HasFailure()) return;
      CheckReduction(
          spec, isa.engine,
          {.type = type, .dims = dims, .axes = FirstAxes(spec, axes)}, data,
          17);
    };
    std::vector<int64_t> lengths = {65'536, 65'537, 200'001};
    // Trees of pieces of every shape.
    if (type == LW_FLOAT32) lengths = {65'535, 131'072, 262'145, 458'759};
    for (const int64_t n : lengths) check({n}, {0}, Data::kModerate);
    check({200'001}, {0}, Data::kRare);
    check({2, 70'000}, {1}, Data::kModerate);
    check({300, 2, 500}, {2, 0}, Data::kModerate);  // rows of one sequence
    check({3, 1000, 100}, {2, 1}, Data::kModerate);
    check({3'000, 70}, {0}, Data::kModerate);
    check({50, 3, 40, 5}, {2, 0}, Data::kModerate);
    check({700, 33, 2}, {0}, Data::kRare);
  });
}

namespace {

/// A random shape of up to eight dims, axes, attributes and strides.
class RandomReduction {
 public:
  RandomReduction(const OperatorSpec& spec, lw_type type, uint64_t seed)
      : spec_(spec), random_(seed) {
    call_.type = type;
    call_.dims.resize(random_() % 9);
    if (HasOneAxis(spec) && call_.dims.empty()) call_.dims.resize(1);
    for (int64_t& dim : call_.dims) dim = Below(4) == 0 ? 1 : 1 + Below(5);
    while (Count(call_.dims) > 3000) call_.dims[Below(call_.dims.size())] = 1;
    if (!call_.dims.empty() && Below(2) == 0) {
      call_.dims[Below(call_.dims.size())] = 1 + Below(150);
    }
    while (Count(call_.dims) > 40'000) call_.dims[Below(call_.dims.size())] = 1;
    ChooseAxes();
    if (Below(3) != 0) call_.keepdims = Below(2);
    if (Below(2) == 0) call_.in_strides = AnyStrides(call_.dims, true);
    if (Below(2) == 0) {
      call_.out_strides = AnyStrides(DimsOfOutput(spec, call_), false);
    }
  }
  const ReductionCase& call() const { return call_; }

 private:
  template <typename N>
  int64_t Below(N n) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(n));
  }

  void ChooseAxes() {
    const auto rank = static_cast<int64_t>(call_.dims.size());
    if (HasOneAxis(spec_)) {
      if (Below(6) != 0) call_.axes = Dims64{Below(rank)};
      call_.takes_last = Below(2) == 0;
    } else {
      if (Below(6) != 0) call_.axes = Dims64();
      for (int64_t i = 0; i < rank && call_.axes; ++i) {
        if (Below(2) == 0) call_.axes->push_back(i);
      }
      call_.noop = Below(3) == 0;
    }
    if (!call_.axes) return;
    std::shuffle(call_.axes->begin(), call_.axes->end(), random_);
    for (int64_t& axis : *call_.axes) axis -= Below(2) * rank;
  }

  // Transposed, negative, with gaps; of inputs, 0 now and then.
  Dims64 AnyStrides(const Dims64& dims, bool is_input) {
    std::vector<size_t> order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    if (Below(2) == 0) std::shuffle(order.begin(), order.end(), random_);
    Dims64 strides(dims.size());
    int64_t stride = 1 + (Below(3) == 0 ? Below(3) : 0);
    for (size_t i = dims.size(); i-- > 0;) {
      const size_t k = order[i];
      strides[k] = Below(4) == 0 ? -stride : stride;
      if (is_input && Below(8) == 0) {
        strides[k] = 0;
        continue;
      }
      stride *= dims[k];
      if (Below(3) == 0) stride += Below(3);
    }
    return strides;
  }

  const OperatorSpec& spec_;
  std::mt19937_64 random_;
  ReductionCase call_;
};

}  // namespace

void CheckReductionCalls(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    for (uint64_t seed = 0; seed < 400; ++seed) {
      const RandomReduction random(spec, type, seed);
      const Data data = kAllData[seed % std::size(kAllData)];
      CheckReduction(spec, isa.engine, random.call(), data, seed);
      if (testing::Test::HasFailure()) return;
    }
  });
}

// The first or last element at a page that nobody may touch.
void CheckReductionGuards(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    for (const Side side : {Side::kLower, Side::kUpper}) {
      for (int64_t n = 1; n <= 140; ++n) {
        for (const ReductionCase& call :
             {ReductionCase{.type = type, .dims = {n}, .axes = Dims64{0}},
              ReductionCase{.type = type, .dims = {2, n}, .axes = Dims64{1}},
              ReductionCase{.type = type, .dims = {3, n}, .axes = Dims64{0}},
              ReductionCase{.type = type,
              .dims = {n},
              .axes = Dims64{0},
              .in_strides = {-1}},
              ReductionCase{.type = type,
              .dims = {n, 3},
              .axes = Dims64{0},
              .in_strides = {1, n}}}) {
          SCOPED_TRACE(call.Describe());
          const ReductionRun run(spec, call, Data::kModerate, 5, side);
          const OpPtr op = run.MakeNode(isa.engine);
          run.Check(op.get());
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  });
}

void CheckReductionVersions(const OperatorSpec& spec, const Isa& isa) {
  for (const VersionSpec& version : spec.versions) {
    for (const int32_t code : version.types) {
      for (const Data data : {Data::kModerate, Data::kPositive, Data::kMixed}) {
        ReductionCase call = {.type = static_cast<lw_type>(code),
                              .dims = {6, 70},
                              .axes = Dims64{-1},
                              .version = version.version};
        for (const int64_t axis : {-1, 0}) {
          for (const int64_t keepdims : {0, 1}) {
            call.axes = Dims64{axis};
            call.keepdims = keepdims;
            CheckReduction(spec, isa.engine, call, data);
          }
        }
        call.axes.reset();
        call.keepdims.reset();
        CheckReduction(spec, isa.engine, call, data);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// ---- By hand ----------------------------------------------------------------

long double Reduced(const OperatorSpec& spec, const Isa& isa, lw_type type,
                    const std::vector<double>& elements, size_t columns,
                    int64_t takes_last, int32_t opset) {
  const size_t across = std::max<size_t>(columns, 1);
  Array x(type, elements.size() * across);
  for (size_t i = 0; i < x.size(); ++i) {
    const double number = elements[i / across];
    if (IsFloat(type)) {
      WriteRounded(type, number, x.at(i));
    } else {
      // 2^63 is no int64_t, but a uint64_t of the same bits as INT64_MIN.
      WriteInteger(type,
                   number < 0x1p63 ? static_cast<int64_t>(number) : INT64_MIN,
                   x.at(i));
    }
  }
  Array y(OutputTypeOf(spec, type), across);
  const Tensor in = TensorOf(
      x, {static_cast<int64_t>(elements.size()), static_cast<int64_t>(across)});
  const Tensor out = TensorOf(y, {static_cast<int64_t>(across)});
  const int64_t keepdims = 0;
  int64_t axis = 0;
  const int64_t one = 1;
  std::vector<lw_attribute> attributes = {IntAttribute("keepdims", &keepdims)};
  if (takes_last != 0) {
    attributes.push_back(IntAttribute("select_last_index", &takes_last));
  }
  const OpPtr op = MakeOp(isa.engine, {spec.name, opset}, attributes);
  // Where there are no elements, the data is NULL.
  const lw_tensor inputs[] = {in.view(),
                              {&axis, LW_INT64, 1, &one, nullptr, 0}};
  const lw_tensor output = out.view();
  EXPECT_EQ(lw_op_run(op.get(), inputs, spec.versions.back().inputs.size(),
                      &output, 1),
            LW_OK)
      << lw_last_error();
  for (size_t i = 1; i < across; ++i) {
    EXPECT_EQ(BitsText(y.at(i), y.element_size()),
              BitsText(y.at(0), y.element_size()));
  }
  return ReadNumber(y.type(), y.at(0));
}

void ExpectReduced(const OperatorSpec& spec, lw_type type,
                   const std::vector<double>& elements, double expected,
                   int64_t takes_last, int32_t opset) {
  SCOPED_TRACE(lw_type_name(type));
  for (const Isa& isa : IsasWithCode(spec)) {
    for (const size_t columns : {0, 2, 35}) {
      const long double actual =
          Reduced(spec, isa, type, elements, columns, takes_last, opset);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(actual)) << isa.name << " " << columns;
        continue;
      }
      EXPECT_EQ(actual, expected) << isa.name << " " << columns;
      EXPECT_EQ(std::signbit(actual), std::signbit(expected))
          << isa.name << " " << columns;
    }
  }
}

namespace {

/// Runs the newest version on x of two dims, of which one is reduced.
void RunOnArray(const OperatorSpec& spec, const Isa& isa, Array& x,
                const Dims64& dims, int64_t axis, Array& y) {
  const int64_t one = 1;
  Dims64 out_dims = dims;
  out_dims[static_cast<size_t>(axis)] = 1;
  const Tensor in = TensorOf(x, dims);
  const Tensor out = TensorOf(y, out_dims);
  const lw_tensor inputs[] = {in.view(),
                              {&axis, LW_INT64, 1, &one, nullptr, 0}};
  const lw_tensor output = out.view();
  const OpPtr op = MakeOp(isa.engine, {spec.name, spec.newest_opset});
  ASSERT_EQ(lw_op_run(op.get(), inputs, 2, &output, 1), LW_OK)
      << lw_last_error();
}

}  // namespace

void CheckNanKeepsItsBits(const OperatorSpec& spec) {
  constexpr size_t kCount = 150;
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    const int m = MantissaBits(type);
    // Quiet, with a sign and a payload.
    const uint64_t nan = ~uint64_t{0} << (m - 1) | 0x15;
    for (const Isa& isa : IsasWithCode(spec)) {
      for (size_t at = 0; at < kCount; ++at) {
        Array x = ElementsOf(type, kCount, Data::kModerate, at);
        WriteBits(nan, x.at(at), x.element_size());
        Array row(type, 1);
        RunOnArray(spec, isa, x, {1, kCount}, 1, row);
        Array columns(type, 3);
        RunOnArray(spec, isa, x, {kCount / 3, 3}, 0, columns);
        for (const uint8_t* actual : {row.at(0), columns.at(at % 3)}) {
          ASSERT_EQ(std::memcmp(actual, x.at(at), x.element_size()), 0)
              << lw_type_name(type) << " " << at << " on " << isa.name << ": "
              << BitsText(actual, x.element_size());
        }
      }
    }
  }
}

void CheckAnyByteIsTrue(const OperatorSpec& spec, bool of_false_and_true) {
  for (const Isa& isa : IsasWithCode(spec)) {
    for (const uint8_t byte : {1, 2, 127, 128, 255}) {
      Array some(LW_BOOL, std::vector<uint8_t>{0, byte, 0});
      Array all(LW_BOOL, std::vector<uint8_t>{byte, byte, byte});
      Array one(LW_BOOL, 1);
      RunOnArray(spec, isa, some, {1, 3}, 1, one);
      EXPECT_EQ(*one.at(0), of_false_and_true ? 1 : 0) << int{byte};
      RunOnArray(spec, isa, all, {1, 3}, 1, one);
      EXPECT_EQ(*one.at(0), 1) << int{byte};
      Array three(LW_BOOL, 3);
      RunOnArray(spec, isa, some, {1, 3}, 0, three);
      EXPECT_EQ(*three.at(1), 1) << int{byte};
    }
  }
}

}  // namespace lanewise::test
