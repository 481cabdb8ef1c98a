// SPDX-License-Identifier: Apache-2.0
//
// Chains read and write no byte beside the tensors.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/chain_operators.h"
#include "tests/support/chain_parts.h"
#include "tests/support/guarded.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

// No flag is left either.
TEST(Chains, GuardPagesAndFlags) {
  for (const ChainOperators* operators : AllChainOperators()) {
    const OpPtr ops[] = {MakeOp(operators->engine(), {"Add", 14}),
                         MakeOp(operators->engine(), {"Exp", 13}),
                         MakeOp(operators->engine(), {"Reciprocal", 13})};
    ChainPtr chain;
    ASSERT_EQ(
        (Parts{
            {LW_FLOAT32, LW_FLOAT32},
            {},
            {{ops[0].get(), {0, 1}}, {ops[1].get(), {2}}, {ops[2].get(), {3}}},
            {4}}
             .Make(&chain, operators->engine())),
        LW_OK);
    const GuardedMemory memory[] = {GuardedMemory(16384), GuardedMemory(16384),
                                    GuardedMemory(16384)};
    for (const size_t n : {1, 3, 17, 64, 129, 1000, 2048, 4001}) {
      for (const Side side : {Side::kLower, Side::kUpper}) {
        const auto count = static_cast<int64_t>(n);
        Tensor tensors[3];
        for (size_t k = 0; k < 3; ++k) {
          uint8_t* data = memory[k].Place(side, 0, 4 * n);
          std::vector<float> ones(n, 1);
          std::memcpy(data, ones.data(), 4 * n);
          tensors[k] = {LW_FLOAT32, data, {count}};
        }
        const lw_tensor ins[] = {tensors[0].view(), tensors[1].view()};
        const lw_tensor to = tensors[2].view();
        std::feclearexcept(FE_ALL_EXCEPT);
        ASSERT_EQ(lw_chain_run(chain.get(), nullptr, ins, 2, &to, 1), LW_OK);
        EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
        float last;
        std::memcpy(&last, static_cast<char*>(to.data) + 4 * (n - 1), 4);
        EXPECT_NEAR(last, 0.135335f, 1e-6f);
      }
    }
  }
}

// Bools come in, serve as conditions, and go out, in steps on wider elements.
// The steps read and write no byte beside the tensors.
TEST(Chains, BoolsAtGuardPages) {
  const Array numbers[] = {
      {LW_FLOAT16, std::vector<uint16_t>{0x3C00, 0x4000}},
      {LW_BFLOAT16, std::vector<uint16_t>{0x3F80, 0x4000}},
      {LW_FLOAT32, std::vector<float>{1, 2}},
      {LW_FLOAT64, std::vector<double>{1, 2}},
      {LW_INT32, std::vector<int32_t>{1, 2}},
  };
  const GuardedMemory memory[] = {GuardedMemory(16384), GuardedMemory(16384),
                                  GuardedMemory(16384), GuardedMemory(16384),
                                  GuardedMemory(16384)};
  for (const Array& one_two : numbers) {
    const lw_type type = one_two.type();
    const size_t size = one_two.element_size();
    const OpPtr where = MakeOp(nullptr, {"Where", 16});
    const OpPtr greater = MakeOp(nullptr, {"Greater", 13});
    const OpPtr equal = MakeOp(nullptr, {"Equal", 13});
    // larger = x > y ? x : y; z = condition ? y : larger; same = z == x
    ChainPtr chain;
    ASSERT_EQ((Parts{{LW_BOOL, type, type},
                     {},
                     {{greater.get(), {1, 2}},
                      {where.get(), {3, 1, 2}},
                      {where.get(), {0, 2, 4}},
                      {equal.get(), {5, 1}}},
                     {5, 6}}
                   .Make(&chain)),
              LW_OK);
    for (const size_t n : {1, 3, 17, 64, 129, 1000, 2001}) {
      for (const Side side : {Side::kLower, Side::kUpper}) {
        Array condition(LW_BOOL, n), x(type, n), y(type, n), z(type, n);
        Array same(LW_BOOL, n);
        for (size_t i = 0; i < n; ++i) {
          condition.data()[i] = static_cast<uint8_t>(i % 3 * 64);
          const size_t kx = i / 2 % 2, ky = i / 5 % 2;
          const size_t kz = i % 3 != 0 ? ky : std::max(kx, ky);
          std::memcpy(x.at(i), one_two.at(kx), size);
          std::memcpy(y.at(i), one_two.at(ky), size);
          std::memcpy(z.at(i), one_two.at(kz), size);
          same.data()[i] = kx == kz;
        }
        std::vector<Tensor> tensors;
        for (const Array* array : {&condition, &x, &y, &z, &same}) {
          const size_t k = tensors.size();
          uint8_t* data =
              memory[k].Copy(side, 0, array->data(), array->bytes());
          if (k >= 3) Untouch(data, array->bytes());
          tensors.push_back({array->type(), data, {static_cast<int64_t>(n)}});
        }
        lw_tensor views[5];
        for (size_t k = 0; k < 5; ++k) views[k] = tensors[k].view();
        ASSERT_EQ(lw_chain_run(chain.get(), nullptr, views, 3, views + 3, 2),
                  LW_OK);
        SCOPED_TRACE(std::to_string(n) + lw_type_name(type));
        ASSERT_EQ(std::memcmp(views[3].data, z.data(), z.bytes()), 0);
        ASSERT_EQ(std::memcmp(views[4].data, same.data(), n), 0);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test
