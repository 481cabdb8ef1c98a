// SPDX-License-Identifier: Apache-2.0
//
// Calls whose second and third input align at an axis: strides, prepared calls,
// threads, the floating-point environment, and what is refused. The results are
// held against those of contiguous tensors on one thread, which the other tests
// compare with the oracles.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/kernels/conversion/aligned_calls.h"
#include "tests/support/engines.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

using Bytes = std::vector<uint8_t>;

/// A call of either operator, with data that is the same in each test.
struct AlignedCall {
  AlignedTensor x, scale, zero, out;
  int64_t axis, block;

  AlignedCall(bool quantizes, const AlignedShape& shape, int32_t narrow)
      : x(quantizes ? LW_FLOAT32 : narrow, shape.x),
        scale(LW_FLOAT32, shape.scale),
        zero(narrow, shape.scale),
        out(quantizes ? narrow : LW_FLOAT32, shape.x),
        axis(shape.axis),
        block(shape.block),
        quantizes_(quantizes) {
    std::mt19937_64 random(9);
    for (AlignedTensor* tensor : {&x, &zero}) {
      for (uint8_t& byte : tensor->bytes) byte = static_cast<uint8_t>(random());
    }
    const auto number = [&] { return static_cast<float>(random() % 999 + 1); };
    for (int64_t i = 0; i < CountOf(shape.scale); ++i) {
      scale.Set(i, number() / 500);
    }
    for (int64_t i = 0; quantizes && i < CountOf(shape.x); ++i) {
      x.Set(i, number() / 9 - 55);
    }
  }
  OpPtr Make(const lw_engine* engine) const {
    return MakeOp(
        engine, {quantizes_ ? "QuantizeLinear" : "DequantizeLinear", 25},
        {IntAttribute("axis", &axis), IntAttribute("block_size", &block)});
  }
  std::array<lw_tensor, 3> Inputs() {
    return {x.View(), scale.View(), zero.View()};
  }
  Bytes Run(const lw_engine* engine) {
    return Run(engine, Inputs(), out.View());
  }
  Bytes Run(const lw_engine* engine, const std::array<lw_tensor, 3>& in,
            const lw_tensor& result) {
    std::fill(out.bytes.begin(), out.bytes.end(), uint8_t{0xAA});
    EXPECT_EQ(lw_op_run(Make(engine).get(), in.data(), 3, &result, 1), LW_OK)
        << lw_last_error();
    return out.bytes;
  }

 private:
  bool quantizes_;
};

const AlignedShape kPerAxis = {"per axis", {6, 7, 8}, {7}, 1, 0};
const AlignedShape kBlocks = {"blocks", {6, 7, 8}, {6, 3, 8}, 1, 3};

/// A tensor with its elements in another order in memory: the first dim varies
/// quickest, from its end.
class Turned {
 public:
  explicit Turned(const AlignedTensor& from) : from_(from) {
    const size_t size = ElementBits(from.type) / 8;
    int64_t step = 1;
    for (const int64_t dim : from.dims) {
      strides_.push_back(step);
      step *= dim;
    }
    start_ = from.dims.empty() ? 0 : (from.dims[0] - 1);
    if (!strides_.empty()) strides_[0] = -1;
    bytes_.resize(from.bytes.size());
    ForEach([&](size_t own, size_t place) {
      std::memcpy(&bytes_[place * size], &from.bytes[own * size], size);
    });
  }
  lw_tensor View() {
    const size_t size = ElementBits(from_.type) / 8;
    return {&bytes_[static_cast<size_t>(start_) * size],
            from_.type,
            static_cast<int32_t>(from_.dims.size()),
            from_.dims.data(),
            strides_.data(),
            0};
  }
  /// The elements in row-major order.
  Bytes Contiguous() const {
    const size_t size = ElementBits(from_.type) / 8;
    Bytes result(bytes_.size());
    ForEach([&](size_t own, size_t place) {
      std::memcpy(&result[own * size], &bytes_[place * size], size);
    });
    return result;
  }

 private:
  template <class Fn>
  void ForEach(const Fn& fn) const {
    for (int64_t i = 0; i < CountOf(from_.dims); ++i) {
      int64_t place = start_, index = i;
      for (size_t k = from_.dims.size(); k-- > 0; index /= from_.dims[k]) {
        place += index % from_.dims[k] * strides_[k];
      }
      fn(static_cast<size_t>(i), static_cast<size_t>(place));
    }
  }

  const AlignedTensor& from_;
  Bytes bytes_;
  std::vector<int64_t> strides_;
  int64_t start_ = 0;
};

class AlignedCalls : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(Isa, AlignedCalls, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(AlignedCalls, StridesOfEachTensor) {
  const lw_engine* engine = GetParam().engine;
  for (const AlignedShape& shape : {kPerAxis, kBlocks}) {
    for (const bool quantizes : {false, true}) {
      AlignedCall call(quantizes, shape, LW_INT8);
      const Bytes expected = call.Run(engine);
      for (int turned = 1; turned < 16; ++turned) {
        SCOPED_TRACE(std::string(shape.name) + " " + std::to_string(turned));
        Turned x(call.x), scale(call.scale), zero(call.zero), out(call.out);
        std::array<lw_tensor, 3> in = call.Inputs();
        if ((turned & 1) != 0) in[0] = x.View();
        if ((turned & 2) != 0) in[1] = scale.View();
        if ((turned & 4) != 0) in[2] = zero.View();
        const bool turns_out = (turned & 8) != 0;
        const Bytes actual =
            call.Run(engine, in, turns_out ? out.View() : call.out.View());
        EXPECT_EQ(turns_out ? out.Contiguous() : actual, expected);
      }
    }
  }
}

TEST_P(AlignedCalls, Prepared) {
  for (const AlignedShape& shape : AlignedShapes()) {
    for (const int32_t narrow : {LW_INT8, LW_UINT4}) {
      for (const bool quantizes : {false, true}) {
        AlignedCall call(quantizes, shape, narrow);
        const Bytes expected = call.Run(GetParam().engine);
        const OpPtr op = call.Make(GetParam().engine);
        const std::array<lw_tensor, 3> in = call.Inputs();
        const lw_tensor out = call.out.View();
        lw_call* prepared = nullptr;
        ASSERT_EQ(lw_call_create(op.get(), in.data(), 3, &out, 1, &prepared),
                  LW_OK);
        const void* const data[] = {in[0].data, in[1].data, in[2].data};
        void* const results[] = {out.data};
        for (int run = 0; run < 2; ++run) {
          std::fill(call.out.bytes.begin(), call.out.bytes.end(), uint8_t{0});
          EXPECT_EQ(lw_call_run(prepared, data, results), LW_OK);
          EXPECT_EQ(call.out.bytes, expected) << shape.name;
        }
        lw_call_destroy(prepared);
      }
    }
  }
}

TEST_P(AlignedCalls, IgnoreTheFloatEnvironment) {
  for (const bool quantizes : {false, true}) {
    for (const int32_t narrow : {LW_INT8, LW_FLOAT8E4M3FN, LW_INT4}) {
      AlignedCall call(quantizes, kBlocks, narrow);
      call.scale.Set(0, 1e-41F);  // subnormal
      call.scale.Set(1, 0.0F);
      if (quantizes) call.x.Set(2, NAN);
      const Bytes expected = call.Run(GetParam().engine);
      const OpPtr op = call.Make(GetParam().engine);
      const std::array<lw_tensor, 3> in = call.Inputs();
      const lw_tensor out = call.out.View();
      for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        const FloatEnvScope scope;
        std::feclearexcept(FE_ALL_EXCEPT);
        std::fesetround(mode);
        FlushSubnormals();
        const uint64_t control = FloatControl();
        const lw_status status = lw_op_run(op.get(), in.data(), 3, &out, 1);
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);
        const bool kept = FloatControl() == control;
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(status, LW_OK);
        EXPECT_EQ(raised, 0);
        EXPECT_TRUE(kept);
        EXPECT_EQ(call.out.bytes, expected);
      }
    }
  }
}

TEST(AlignedThreads, AgreeWithOne) {
  const AlignedShape many = {"many", {40, 30, 200}, {40, 8, 200}, 1, 4};
  const AlignedShape axis = {"axis", {40, 30, 201}, {201}, 2, 0};
  for (const AlignedShape& shape : {many, axis}) {
    for (const int32_t narrow : {LW_UINT8, LW_INT4}) {
      for (const bool quantizes : {false, true}) {
        AlignedCall call(quantizes, shape, narrow);
        const Bytes expected = call.Run(nullptr);
        for (const ThreadingCase& threading : AllThreading()) {
          const EnginePtr engine = MakeTunedEngine(
              OptionsFor(threading), AllIsas().front().name, EagerThreads());
          EXPECT_EQ(call.Run(engine.get()), expected) << shape.name;
        }
      }
    }
  }
}

// ---- What is refused --------------------------------------------------------

lw_status Status(const char* name, int version, const AlignedDims& x,
                 const AlignedDims& scale, const AlignedDims& zero,
                 std::vector<lw_attribute> attributes,
                 int32_t zero_type = LW_UINT8) {
  const bool quantizes = name[0] == 'Q';
  AlignedTensor x_tensor(quantizes ? LW_FLOAT32 : zero_type, x),
      scales(LW_FLOAT32, scale), zeros(zero_type, zero);
  const OpPtr op = MakeOp(nullptr, {name, version}, std::move(attributes));
  const std::array<lw_tensor, 3> in = {x_tensor.View(), scales.View(),
                                       zeros.View()};
  lw_shape out;
  return lw_op_infer(op.get(), in.data(), 3, &out);
}

TEST(AlignedShapes, AreChecked) {
  const int64_t minus_4 = -4, minus_3 = -3, three = 3, two = 2, one = 1,
                int8 = LW_INT8;
  const auto axis = [](const int64_t* value) {
    return IntAttribute("axis", value);
  };
  const auto block = [](const int64_t* value) {
    return IntAttribute("block_size", value);
  };
  const AlignedDims x = {2, 5, 3};
  for (const char* name : {"QuantizeLinear", "DequantizeLinear"}) {
    const auto status = [&](int version, const AlignedDims& scale,
                            const AlignedDims& zero,
                            std::vector<lw_attribute> attributes) {
      return Status(name, version, x, scale, zero, std::move(attributes));
    };
    EXPECT_EQ(status(10, {1}, {}, {}), LW_OK);
    EXPECT_EQ(status(10, {5}, {5}, {}), LW_INVALID_SHAPE) << "no axis";
    EXPECT_EQ(status(13, {5}, {5}, {}), LW_OK);
    EXPECT_EQ(status(13, {5}, {1}, {}), LW_INVALID_SHAPE) << "zero point";
    EXPECT_EQ(status(13, {3}, {3}, {}), LW_INVALID_SHAPE);
    EXPECT_EQ(status(13, {2}, {2}, {axis(&minus_3)}), LW_OK);
    EXPECT_EQ(status(13, {2}, {2}, {axis(&minus_4)}), LW_INVALID_SHAPE);
    EXPECT_EQ(status(13, {5}, {5}, {axis(&three)}), LW_INVALID_SHAPE);
    EXPECT_EQ(status(13, {}, {}, {axis(&three)}), LW_OK) << "no axis needed";
    EXPECT_EQ(status(21, {2, 3, 3}, {2, 3, 3}, {block(&two)}), LW_OK);
    EXPECT_EQ(status(21, {2, 2, 3}, {2, 2, 3}, {block(&two)}),
              LW_INVALID_SHAPE);
    EXPECT_EQ(status(21, {2, 3}, {2, 3}, {block(&two)}), LW_INVALID_SHAPE);
    EXPECT_EQ(status(21, {2, 3, 3}, {2, 3, 3}, {}), LW_INVALID_SHAPE);
    // The sanitizers see a product of these dims that overflows.
    const AlignedDims none = {0, std::numeric_limits<int64_t>::max(), 4};
    EXPECT_EQ(Status(name, 21, none, none, none, {block(&one)}), LW_OK);
    lw_op* op = nullptr;
    const lw_attribute negative = block(&minus_3);
    EXPECT_EQ(lw_op_create(nullptr, name, 21, &negative, 1, &op),
              LW_INVALID_ATTRIBUTE);
  }
  const lw_attribute to = IntAttribute("output_dtype", &int8);
  EXPECT_EQ(Status("QuantizeLinear", 21, x, {}, {}, {to}, LW_UINT8),
            LW_UNSUPPORTED_TYPE);
  EXPECT_EQ(Status("QuantizeLinear", 21, x, {}, {}, {to}, LW_INT8), LW_OK);
  EXPECT_EQ(Status("QuantizeLinear", 21, x, {}, {}, {}, LW_INT2),
            LW_UNSUPPORTED_TYPE);
  lw_op* op = nullptr;
  const lw_attribute precision = IntAttribute("precision", &int8);
  EXPECT_EQ(lw_op_create(nullptr, "QuantizeLinear", 23, &precision, 1, &op),
            LW_INVALID_ATTRIBUTE);
  const int64_t none = 0;
  const lw_attribute untold = IntAttribute("output_dtype", &none);
  EXPECT_EQ(Status("QuantizeLinear", 21, x, {}, {}, {untold}, LW_INT4), LW_OK);
}

TEST(AlignedShapes, AreForTensorsOnly) {
  for (const char* name : {"QuantizeLinear", "DequantizeLinear"}) {
    const OpPtr op = MakeOp(nullptr, {name, 25});
    const int32_t type = name[0] == 'Q' ? LW_FLOAT32 : LW_INT8;
    const lw_kernel* kernel = nullptr;
    EXPECT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel),
              LW_INVALID_ARGUMENT);
    const int32_t types[] = {type, LW_FLOAT32}, operands[] = {0, 1};
    const int32_t output = 2;
    const lw_step step = {op.get(), operands, 2};
    lw_chain* chain = nullptr;
    EXPECT_EQ(lw_chain_create(nullptr, types, 2, nullptr, 0, &step, 1, &output,
                              1, &chain),
              LW_INVALID_ARGUMENT);
  }
}

TEST(AlignedShapes, InPlace) {
  constexpr int64_t kDim = 1000;
  AlignedTensor x(LW_FLOAT16, {kDim}), scale(LW_FLOAT16, {}),
      zero(LW_INT16, {}), out(LW_INT16, {kDim});
  for (int64_t i = 0; i < kDim; ++i) x.Set(i, static_cast<uint16_t>(i * 31));
  scale.Set(0, uint16_t{0x3555});
  zero.Set(0, int16_t{7});
  const OpPtr op = MakeOp(nullptr, {"QuantizeLinear", 21});
  const std::array<lw_tensor, 3> in = {x.View(), scale.View(), zero.View()};
  lw_tensor result = out.View();
  ASSERT_EQ(lw_op_run(op.get(), in.data(), 3, &result, 1), LW_OK);
  result.data = x.bytes.data();
  ASSERT_EQ(lw_op_run(op.get(), in.data(), 3, &result, 1), LW_OK)
      << lw_last_error();
  EXPECT_EQ(x.bytes, out.bytes);
}

}  // namespace
}  // namespace lanewise::test
