// SPDX-License-Identifier: Apache-2.0
//
// CastLike: the bits of Cast, for every pair of types and in every version,
// from a second input of which nothing is looked at but the type.

#include <cstring>

#include "tests/kernels/conversion/cast_oracle.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kLike15 = kF4 + kI8 + Types{LW_BOOL};
constexpr Types kLike19 = kLike15 + kFloat8;
constexpr Types kLike21 = kLike19 + Types{LW_INT4, LW_UINT4};
constexpr Types kLike23 = kLike21 + Types{LW_FLOAT4E2M1};
constexpr Types kLike24 = kLike23 + Types{LW_FLOAT8E8M0};
constexpr Types kLike25 = kLike24 + Types{LW_INT2, LW_UINT2};

std::vector<OperandSpec> InputsOfTypes(const Types& types) {
  return {{"input", "T1"}, {"target_type", "T2", types}};
}

}  // namespace

extern const OperatorSpec kSpec_cast_like = {
    .name = "CastLike",
    .versions = {{15, kLike15, InputsOfTypes(kLike15)},
                 {19,
                  kLike19,
                  InputsOfTypes(kLike19),
                  {{"saturate", LW_ATTRIBUTE_INT}}},
                 {21,
                  kLike21,
                  InputsOfTypes(kLike21),
                  {{"saturate", LW_ATTRIBUTE_INT}}},
                 {23,
                  kLike23,
                  InputsOfTypes(kLike23),
                  {{"saturate", LW_ATTRIBUTE_INT}}},
                 {24,
                  kLike24,
                  InputsOfTypes(kLike24),
                  {{"saturate", LW_ATTRIBUTE_INT},
                   {"round_mode", LW_ATTRIBUTE_STRING}}},
                 {25,
                  kLike25,
                  InputsOfTypes(kLike25),
                  {{"saturate", LW_ATTRIBUTE_INT},
                   {"round_mode", LW_ATTRIBUTE_STRING}}}},
    .output = {"output", "T2", {}, false, false, true},
    .of_types =
        [](const int32_t* types, const void* const* in, void* out) {
          Convert(static_cast<lw_type>(types[0]),
                  static_cast<lw_type>(types[1]), in[0], out);
        },
    .one_way = true,
    .last_is_type = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/isas.h"
#include "tests/support/random_calls.h"

namespace lanewise::test {
namespace {

constexpr int64_t kCount = 1000;

std::vector<uint8_t> RandomBytes(int32_t type, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(kCount * ElementBits(type) / 8);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

/// A tensor of which nothing but the type is to be looked at.
lw_tensor OnlyType(int32_t type) {
  static constexpr int64_t kDims[] = {0, 7, 3};
  return {nullptr, type, 3, kDims, nullptr, 0};
}

struct Result {
  lw_status status;
  std::vector<uint8_t> bytes;
};
Result RunCast(const OpPtr& op, std::vector<uint8_t> in, int32_t from,
               int32_t to, bool is_like) {
  Result result = {LW_OK, std::vector<uint8_t>(kCount * ElementBits(to) / 8)};
  const lw_tensor inputs[] = {{in.data(), from, 1, &kCount, nullptr, in.size()},
                              OnlyType(to)};
  const lw_tensor output = {result.bytes.data(), to, 1, &kCount, nullptr,
                            result.bytes.size()};
  result.status = lw_op_run(op.get(), inputs, is_like ? 2 : 1, &output, 1);
  return result;
}

TEST(CastLike, IsCastInEveryVersion) {
  const int64_t saturate = 0;
  const lw_string mode = {"nearest", 7};
  std::vector<lw_attribute> attributes = {
      {"saturate", LW_ATTRIBUTE_INT, 1, &saturate},
      {"round_mode", LW_ATTRIBUTE_STRING, 1, &mode}};
  for (const Isa& isa : AllIsas()) {
    for (const VersionSpec& version : kSpec_cast_like.versions) {
      std::vector<lw_attribute> own(
          attributes.begin(),
          attributes.begin() +
              static_cast<ptrdiff_t>(version.attributes.size()));
      const OpPtr like = MakeOp(isa.engine, {"CastLike", version.version}, own);
      for (const int32_t to : version.types) {
        const int64_t code = to;
        std::vector<lw_attribute> with_type = own;
        with_type.push_back({"to", LW_ATTRIBUTE_INT, 1, &code});
        const OpPtr cast =
            MakeOp(isa.engine, {"Cast", version.version}, with_type);
        for (const int32_t from : version.types) {
          const std::vector<uint8_t> in = RandomBytes(from, 3);
          const Result actual = RunCast(like, in, from, to, true);
          const Result expected = RunCast(cast, in, from, to, false);
          ASSERT_EQ(actual.status, LW_OK) << lw_last_error();
          ASSERT_EQ(expected.status, LW_OK) << lw_last_error();
          ASSERT_EQ(actual.bytes, expected.bytes)
              << lw_type_name(from) << " to " << lw_type_name(to);
        }
      }
    }
  }
}

TEST(CastLike, RefusesTypesOfLaterVersions) {
  for (size_t v = 1; v < kSpec_cast_like.versions.size(); ++v) {
    const VersionSpec& before = kSpec_cast_like.versions[v - 1];
    const OpPtr op = MakeOp(nullptr, {"CastLike", before.version}, {});
    for (const int32_t type : kSpec_cast_like.versions[v].types) {
      if (before.types.count(type) != 0) continue;
      const auto run = [&](int32_t from, int32_t to) {
        return RunCast(op, RandomBytes(from, 1), from, to, true).status;
      };
      EXPECT_EQ(run(type, LW_FLOAT32), LW_UNSUPPORTED_TYPE);
      EXPECT_EQ(run(LW_FLOAT32, type), LW_UNSUPPORTED_TYPE);
      EXPECT_EQ(run(type, type), LW_UNSUPPORTED_TYPE);
    }
  }
  const OpPtr op = MakeOp(nullptr, {"CastLike", 25}, {});
  EXPECT_EQ(
      RunCast(op, RandomBytes(LW_INT8, 1), LW_INT8, LW_COMPLEX64, true).status,
      LW_UNSUPPORTED_TYPE);
}

TEST(CastLike, IsPrepared) {
  const OpPtr op = MakeOp(nullptr, {"CastLike", 25}, {});
  constexpr int64_t kDim = 3;
  float in[] = {1, 2, 3};
  int8_t out[3] = {};
  const lw_tensor inputs[] = {{in, LW_FLOAT32, 1, &kDim, nullptr, sizeof(in)},
                              OnlyType(LW_INT8)};
  const lw_tensor output = {out, LW_INT8, 1, &kDim, nullptr, sizeof(out)};
  lw_call* call = nullptr;
  ASSERT_EQ(lw_call_create(op.get(), inputs, 2, &output, 1, &call), LW_OK);
  const void* const data[] = {in, nullptr};
  void* const results[] = {out};
  EXPECT_EQ(lw_call_run(call, data, results), LW_OK) << lw_last_error();
  lw_call_destroy(call);
  EXPECT_EQ(out[2], 3);
}

TEST(CastLike, IsNoStep) {
  const OpPtr op = MakeOp(nullptr, {"CastLike", 25}, {});
  const int32_t types[] = {LW_FLOAT32, LW_INT8}, operands[] = {0, 1};
  const int32_t output = 2;
  const lw_step step = {op.get(), operands, 2};
  lw_chain* chain = nullptr;
  EXPECT_EQ(lw_chain_create(nullptr, types, 2, nullptr, 0, &step, 1, &output, 1,
                            &chain),
            LW_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
