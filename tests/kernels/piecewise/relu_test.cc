// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_relu = {
    .name = "Relu",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}},
                 {13, kF4, {{"X"}}},
                 {14,
                  kF4 + Types{LW_INT8, LW_INT16, LW_INT32, LW_INT64},
                  {{"X"}}}},
    .output = {"Y"},
    .exact = [](lw_type,
                const long double* in) { return in[0] < 0 ? 0 : in[0]; },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          WriteInteger(type, std::max<int64_t>(ReadInteger(type, in[0]), 0),
                       out);
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_strides.h"
#include "tests/support/check_threads.h"
#include "tests/support/check_values.h"
#include "tests/support/engines.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr OpId kRelu = {"Relu", 14};
constexpr lw_type kTypes[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64,
                              LW_INT8,    LW_INT16,    LW_INT32,   LW_INT64};

// The oracle: the definition x < 0 ? +0 : x, applied to values.
template <typename T>
void Relu(const void* in, void* out, size_t n) {
  const T* x = static_cast<const T*>(in);
  T* y = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = x[i] < T{0} ? T{0} : x[i];
}

template <float (*kToFloat)(uint16_t)>
void Relu16(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const uint16_t*>(in);
  auto* y = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = kToFloat(x[i]) < 0 ? 0 : x[i];
}

TEST(ReluValues, AllFloat16) {
  CheckValues(kRelu, AllValues(LW_FLOAT16), Relu16<HalfToFloat>);
}
TEST(ReluValues, AllBfloat16) {
  CheckValues(kRelu, AllValues(LW_BFLOAT16), Relu16<BfloatToFloat>);
}
TEST(ReluValues, AllInt8) {
  CheckValues(kRelu, AllValues(LW_INT8), Relu<int8_t>);
}
TEST(ReluValues, AllInt16) {
  CheckValues(kRelu, AllValues(LW_INT16), Relu<int16_t>);
}
TEST(ReluValues, ExhaustiveFloat32) {
  CheckAll32Bits(kRelu, LW_FLOAT32, Relu<float>);
}
TEST(ReluValues, Float64) {
  CheckValues(kRelu, Lattice(LW_FLOAT64), Relu<double>);
  CheckValues(kRelu, RandomBits(LW_FLOAT64, 1 << 20), Relu<double>);
}
TEST(ReluValues, Int32) {
  CheckValues(kRelu, Lattice(LW_INT32), Relu<int32_t>);
  CheckValues(kRelu, RandomBits(LW_INT32, 1 << 20), Relu<int32_t>);
}
TEST(ReluValues, Int64) {
  CheckValues(kRelu, Lattice(LW_INT64), Relu<int64_t>);
  CheckValues(kRelu, RandomBits(LW_INT64, 1 << 20), Relu<int64_t>);
}

// Special values by hand, because the oracle might be wrong, too.
struct Special {
  uint32_t in;
  uint32_t out;
};
constexpr Special kSpecials[] = {
    {0x00000000, 0x00000000},  // +0
    {0x80000000, 0x80000000},  // -0 passes
    {0x00000001, 0x00000001},  // the smallest subnormal number
    {0x80000001, 0x00000000},  // and its negative
    {0x7F800000, 0x7F800000},  // +inf
    {0xFF800000, 0x00000000},  // -inf
    {0xFF7FFFFF, 0x00000000},  // the lowest finite number
    {0x7FC00000, 0x7FC00000},  // NaNs pass: quiet,
    {0xFFC12345, 0xFFC12345},  // negative with a payload,
    {0x7F800001, 0x7F800001},  // signalling,
    {0xFF800001, 0xFF800001},  // signalling and negative
};

class ReluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ReluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ReluTest, SpecialValues) {
  constexpr size_t kLength = 300;  // short jobs may go another way
  const Subject f32 = KernelApi(isa().engine, kRelu, LW_FLOAT32);
  const Subject f64 = KernelApi(isa().engine, kRelu, LW_FLOAT64);
  for (const Special& special : kSpecials) {
    const std::vector<uint32_t> in(kLength, special.in);
    const std::vector<uint32_t> out(kLength, special.out);
    EXPECT_TRUE(SameBits(Compute(f32, {LW_FLOAT32, in}), {LW_FLOAT32, out}));

    // The same in float64: sign, exponent of all ones or zeros, and payload.
    const auto widen = [](uint32_t bits) {
      const uint64_t sign = bits >> 31;
      const uint64_t exponent = bits >> 23 & 0xFF;
      const uint64_t mantissa = bits & 0x7FFFFF;
      return sign << 63 | (exponent * 0x7FF / 0xFF) << 52 | mantissa;
    };
    const std::vector<uint64_t> wide_in(kLength, widen(special.in));
    const std::vector<uint64_t> wide_out(kLength, widen(special.out));
    EXPECT_TRUE(
        SameBits(Compute(f64, {LW_FLOAT64, wide_in}), {LW_FLOAT64, wide_out}));
  }
}

TEST_P(ReluTest, EveryLengthAndAlignment) {
  for (const lw_type type : kTypes) {
    CheckEveryLengthAndAlignment(KernelApi(isa().engine, kRelu, type),
                                 RandomBits(type, 1000));
  }
}

TEST_P(ReluTest, EveryLengthAndAlignmentStreamed) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr engine =
      MakeTunedEngine(options, isa().name, EagerStreaming());
  for (const lw_type type : kTypes) {
    CheckEveryLengthAndAlignment(TensorApi(engine.get(), kRelu, type),
                                 RandomBits(type, 1000));
  }
}

TEST_P(ReluTest, Strided) {
  for (const lw_type type : kTypes) CheckStrides(isa().engine, kRelu, type);
}

TEST_P(ReluTest, FloatEnvironmentIgnored) {
  for (const lw_type type : kTypes) {
    const Array in = Lattice(type);
    CheckFloatEnvIgnored(KernelApi(isa().engine, kRelu, type), in);
    CheckFloatEnvIgnored(TensorApi(isa().engine, kRelu, type), in);
  }
}

TEST_P(ReluTest, VersionsAgree) {
  const Array in = Lattice(LW_FLOAT32);
  const Array expected =
      Compute(KernelApi(isa().engine, kRelu, LW_FLOAT32), in);
  for (const int32_t opset : {1, 5, 6, 12, 13, 14, 25, 1000}) {
    const OpId old = {"Relu", opset};
    EXPECT_TRUE(SameBits(Compute(KernelApi(isa().engine, old, LW_FLOAT32), in),
                         expected));
    EXPECT_TRUE(SameBits(Compute(TensorApi(isa().engine, old, LW_FLOAT32), in),
                         expected));
  }
}

TEST(ReluThreads, SameBitsOnAnyThreadCount) {
  for (const lw_type type : kTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckThreads(kRelu, type);
  }
}

// Workers use the caller's environment and leave their own unchanged.
TEST(ReluThreads, FloatEnvironmentIgnored) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    CheckFloatEnvIgnored(TensorApi(engine.get(), kRelu, LW_FLOAT32),
                         FloatLattice(LW_FLOAT32));
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
