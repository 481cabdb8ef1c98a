// SPDX-License-Identifier: Apache-2.0
//
// Cast from and to floats of 8 and 4 bits and integers of 4 and 2 bits: every
// value of each narrow type to every type; all 16-bit floats, and wider numbers
// around each border, to each narrow type with all attributes; packed tensors
// of every length, strided on their other side, and on threads.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/conversion/cast_oracle.h"
#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/check_values.h"
#include "tests/support/engines.h"
#include "tests/support/isas.h"
#include "tests/support/random_calls.h"

namespace lanewise::test {
namespace {

constexpr Types kWide = kF4 + kI8 + Types{LW_BOOL};

/// Elements of one byte each, as a tensor of the type has them.
Array Packed(lw_type type, const Array& unpacked) {
  const size_t bits = ElementBits(type);
  if (bits >= 8) return unpacked;
  Array packed(type, (unpacked.size() * bits + 7) / 8);
  for (size_t i = 0; i < unpacked.size(); ++i) {
    *packed.at(i * bits / 8) |=
        static_cast<uint8_t>(*unpacked.at(i) << i * bits % 8);
  }
  return packed;
}

struct CastOp {
  lw_type to;
  Rounding rounding = {};

  OpPtr Make(const lw_engine* engine) const {
    const int64_t code = to, saturate = rounding.saturates ? 1 : 0;
    const lw_string mode = {rounding.mode, std::strlen(rounding.mode)};
    return MakeOp(engine, {"Cast", 25},
                  {{"to", LW_ATTRIBUTE_INT, 1, &code},
                   {"saturate", LW_ATTRIBUTE_INT, 1, &saturate},
                   {"round_mode", LW_ATTRIBUTE_STRING, 1, &mode}});
  }
};

/// The answers for elements, of one byte each if they are narrow.
Array AnswersOf(const CastOp& cast, const Array& in) {
  Array answers(cast.to, in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    Convert(in.type(), cast.to, in.at(i), answers.at(i), cast.rounding);
  }
  return Packed(cast.to, answers);
}

/// Runs a kernel on such elements.
void CheckCast(const lw_engine* engine, const CastOp& cast, const Array& in,
               const Array& expected) {
  const OpPtr op = cast.Make(engine);
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), in.type(), LW_SAME, &kernel), LW_OK);
  const Array from = Packed(in.type(), in);
  Array actual(cast.to, expected.size());
  std::memset(actual.data(), 0xA5, actual.bytes());
  const void* const inputs[] = {from.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, actual.data(), in.size()), LW_OK);
  const size_t size = ElementSize(cast.to);
  const size_t i =
      FirstDifference(actual.data(), expected.data(), expected.size(), size);
  if (i == expected.size()) return;
  const size_t at = i * 8 / std::min<size_t>(8, ElementBits(cast.to));
  FAIL() << lw_engine_isa(engine) << ", " << lw_type_name(in.type()) << " "
         << BitsText(in.at(at), in.element_size()) << " to "
         << lw_type_name(cast.to) << ": " << BitsText(actual.at(i), size)
         << ", not " << BitsText(expected.at(i), size) << ", saturate "
         << cast.rounding.saturates << ", " << cast.rounding.mode;
}

/// With all attributes that matter to the type.
void CheckAllRoundings(const Array& in, lw_type to) {
  for (const bool saturates : {true, false}) {
    for (const char* mode : {"up", "down", "nearest"}) {
      if (to != LW_FLOAT8E8M0 && mode != std::string("up")) continue;
      if (kNarrowFloats.count(to) == 0 && !saturates) continue;
      const CastOp cast = {to, {saturates, mode}};
      const Array expected = AnswersOf(cast, in);
      for (const Isa& isa : AllIsas()) {
        ASSERT_NO_FATAL_FAILURE(CheckCast(isa.engine, cast, in, expected));
      }
    }
  }
}

// Every value of a narrow type, several times and in another order, so that
// whole vectors are there.
Array AllOf(lw_type type) {
  const size_t count = size_t{1} << ElementBits(type);
  Array all(type, 1031);
  for (size_t i = 0; i < all.size(); ++i) {
    *all.at(i) = static_cast<uint8_t>((i * 7 + i / count) % count);
  }
  return all;
}

TEST(CastNarrow, FromEveryValue) {
  for (const int32_t from : kNarrow) {
    const Array all = AllOf(static_cast<lw_type>(from));
    for (const int32_t to : kWide + kNarrow) {
      CheckAllRoundings(all, static_cast<lw_type>(to));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CastNarrow, FromAll16Bits) {
  for (const lw_type from : {LW_FLOAT16, LW_BFLOAT16, LW_INT16, LW_UINT16}) {
    Array all(from, 65536);
    for (size_t i = 0; i < all.size(); ++i) {
      all.as<uint16_t>()[i] = static_cast<uint16_t>(i);
    }
    for (const int32_t to : kNarrow) {
      CheckAllRoundings(all, static_cast<lw_type>(to));
      if (HasFatalFailure()) return;
    }
  }
}

// Around each number of the type and each point halfway between two, as far as
// the format has bits: the number itself, its neighbours, and numbers that lie
// apart by less than a float32 can tell.
template <typename T, typename TBits>
Array Borders(lw_type from, lw_type to) {
  std::vector<T> numbers = {0, std::numeric_limits<T>::infinity(),
                            std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::denorm_min()};
  const auto add = [&](long double number) {
    const auto rounded = static_cast<T>(number);
    if (!std::isfinite(rounded)) return;
    for (const int ulps : {0, 1, -1, 2, -2, 1000, -1000}) {
      numbers.push_back(std::bit_cast<T>(
          static_cast<TBits>(BitsOf(rounded) + static_cast<TBits>(ulps))));
    }
    numbers.push_back(static_cast<T>(number * (1 + 0x1p-24L + 0x1p-40L)));
    numbers.push_back(static_cast<T>(number * (1 - 0x1p-25L - 0x1p-40L)));
  };
  const size_t count = size_t{1} << ElementBits(to);
  for (size_t i = 0; i < count; ++i) {
    const long double number = ReadNarrow(to, static_cast<uint8_t>(i));
    if (!std::isfinite(number)) continue;
    for (const long double times : {1.0L, 0.5L, 2.0L}) add(number * times);
    for (const int next : {-1, 1}) {
      const auto other = static_cast<uint8_t>(i + static_cast<size_t>(next));
      const long double there = ReadNarrow(to, other);
      if (std::isfinite(there)) add((number + there) / 2);
      if (std::isfinite(there)) add(number + (number - there) / 2);
    }
  }
  const size_t positive = numbers.size();
  for (size_t i = 0; i < positive; ++i) numbers.push_back(-numbers[i]);
  return Array(from, numbers);
}

TEST(CastNarrow, FromBorders) {
  for (const int32_t type : kNarrow) {
    const auto to = static_cast<lw_type>(type);
    CheckAllRoundings(Borders<float, uint32_t>(LW_FLOAT32, to), to);
    CheckAllRoundings(Borders<double, uint64_t>(LW_FLOAT64, to), to);
    if (HasFatalFailure()) return;
  }
}

Array RandomElements(lw_type type, size_t count, std::mt19937_64& random) {
  Array array(type, count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = random();
    if (kI8.count(type) != 0) {  // of any width
      bits >>= random() % (8 * array.element_size());
      if (random() % 2 == 0) bits = 0 - bits;
    } else if (type == LW_FLOAT64 && random() % 2 == 0) {
      bits = BitsOf(static_cast<double>(std::bit_cast<float>(
          static_cast<uint32_t>(bits))));  // an exponent of float32
      bits ^= random() % 3;
    }
    WriteInteger(type, static_cast<int64_t>(bits), array.at(i));
  }
  return array;
}

void CheckRandom(size_t rounds) {
  std::mt19937_64 random(5);
  for (size_t round = 0; round < rounds; ++round) {
    for (const int32_t from : kWide) {
      const Array in = RandomElements(static_cast<lw_type>(from), 3001, random);
      for (const int32_t to : kNarrow) {
        CheckAllRoundings(in, static_cast<lw_type>(to));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}
TEST(CastNarrow, FromRandom) { CheckRandom(2); }
TEST(CastNarrow, ExhaustiveFromRandom) {
  CheckRandom(AllIsasWanted() ? 100 : 25);
}

// Every 251st float32 to each narrow type; in long runs every 61st, in short
// ones every 997th.
TEST(CastNarrow, ExhaustiveFloat32) {
  constexpr size_t kBlock = 1 << 14;
  const uint64_t step = AllIsasWanted() ? 61 : TestShare() == 1 ? 251 : 997;
  OnEveryCore((uint64_t{1} << 32) / kBlock / step, [&](const auto& next) {
    Array in(LW_FLOAT32, kBlock);
    for (uint64_t block = 0; next(&block);) {
      for (size_t i = 0; i < kBlock; ++i) {
        in.as<uint32_t>()[i] =
            static_cast<uint32_t>((block * kBlock + i) * step);
      }
      for (const int32_t to : kNarrow) {
        const CastOp cast = {static_cast<lw_type>(to)};
        CheckCast(AllIsas()[0].engine, cast, in, AnswersOf(cast, in));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

// ---- Tensors

constexpr lw_type kSides[] = {LW_INT2,    LW_UINT4,       LW_FLOAT4E2M1,
                              LW_INT8,    LW_FLOAT16,     LW_FLOAT32,
                              LW_FLOAT64, LW_FLOAT8E4M3FN};

/// 0, 2 and 1 again and again.
Array SmallNumbers(lw_type type, size_t count) {
  Array array(type, count);
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int8_t>(i * 5 % 3);
    Convert(LW_INT8, type, &number, array.at(i));
  }
  return array;
}

void CheckTensors(const lw_engine* engine, lw_type from, lw_type to, size_t n) {
  const OpPtr op = CastOp{to}.Make(engine);
  const Array unpacked = SmallNumbers(from, n);
  Array in = Packed(from, unpacked);
  Array expected(to, n);
  for (size_t i = 0; i < n; ++i) {
    if (i < 3) {
      Convert(from, to, unpacked.at(i), expected.at(i));
    } else {
      std::memcpy(expected.at(i), expected.at(i - 3), expected.element_size());
    }
  }
  expected = Packed(to, expected);
  Array actual(to, expected.size());
  const auto dim = static_cast<int64_t>(n);
  const lw_tensor input = {in.data(), from, 1, &dim, nullptr, in.bytes()};
  const lw_tensor output = {actual.data(), to,      1,
                            &dim,          nullptr, actual.bytes()};
  ASSERT_EQ(lw_op_run(op.get(), &input, 1, &output, 1), LW_OK)
      << lw_last_error();
  ASSERT_EQ(actual, expected) << lw_type_name(from) << " to "
                              << lw_type_name(to) << ", " << n << " elements";
}

TEST(CastPacked, EveryLength) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type from : kSides) {
      for (const lw_type to : kSides) {
        for (size_t n = 1; n < 300; n += n < 140 ? 1 : 13) {
          ASSERT_NO_FATAL_FAILURE(CheckTensors(isa.engine, from, to, n));
        }
        ASSERT_NO_FATAL_FAILURE(CheckTensors(isa.engine, from, to, 9001));
      }
    }
  }
}

TEST(CastPacked, OnThreads) {
  const EnginePtr engine =
      MakeTunedEngine(Options(), lw_engine_isa(nullptr), EagerThreads());
  for (const lw_type from : kSides) {
    for (const lw_type to : kSides) {
      ASSERT_NO_FATAL_FAILURE(CheckTensors(engine.get(), from, to, 200003));
    }
  }
}

// The columns of a matrix of float32, to a packed type and back.
TEST(CastPacked, OtherSideTransposed) {
  constexpr int64_t kDims[] = {37, 113}, kStrides[] = {1, 37};
  constexpr size_t kCount = 37 * 113;
  for (const lw_type type : {LW_INT4, LW_UINT2, LW_FLOAT4E2M1}) {
    const Array numbers = SmallNumbers(type, kCount);
    Array packed = Packed(type, numbers);
    Array turned(LW_FLOAT32, kCount), matrix(LW_FLOAT32, kCount);
    for (size_t i = 0; i < kCount; ++i) {
      Convert(type, LW_FLOAT32, numbers.at(i),
              matrix.at(i % 113 * 37 + i / 113));
    }
    const lw_tensor narrow = {packed.data(), type,    2,
                              kDims,         nullptr, packed.bytes()};
    const lw_tensor wide = {turned.data(), LW_FLOAT32, 2,
                            kDims,         kStrides,   turned.bytes()};
    const OpPtr widen = CastOp{LW_FLOAT32}.Make(nullptr);
    ASSERT_EQ(lw_op_run(widen.get(), &narrow, 1, &wide, 1), LW_OK);
    EXPECT_EQ(turned, matrix);
    const Array expected = packed;
    std::memset(packed.data(), 0xA5, packed.bytes());
    const OpPtr back = CastOp{type}.Make(nullptr);
    ASSERT_EQ(lw_op_run(back.get(), &wide, 1, &narrow, 1), LW_OK);
    EXPECT_EQ(packed, expected);
  }
}

TEST(CastPacked, HasNoStrides) {
  constexpr int64_t kDim = 4, kStride = 1;
  uint8_t packed[2] = {};
  float wide[4] = {};
  const lw_tensor narrow = {packed, LW_INT4, 1, &kDim, &kStride, 2};
  const lw_tensor output = {wide, LW_FLOAT32, 1, &kDim, nullptr, sizeof(wide)};
  const OpPtr op = CastOp{LW_FLOAT32}.Make(nullptr);
  EXPECT_EQ(lw_op_run(op.get(), &narrow, 1, &output, 1), LW_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lw_last_error()).find("packed type"),
            std::string::npos);
}

// A chain has bytes between its steps, and passes the attributes on.
TEST(CastPacked, Chains) {
  const int32_t input = LW_FLOAT32, output = 2;
  const int32_t first[] = {0}, second[] = {1};
  const auto make = [&](lw_type middle, lw_chain** chain) {
    const OpPtr narrow = CastOp{middle, {false}}.Make(nullptr);
    const OpPtr widen = CastOp{LW_FLOAT32}.Make(nullptr);
    const lw_step steps[] = {{narrow.get(), first, 1},
                             {widen.get(), second, 1}};
    return lw_chain_create(nullptr, &input, 1, nullptr, 0, steps, 2, &output, 1,
                           chain);
  };
  lw_chain* chain = nullptr;
  EXPECT_EQ(make(LW_INT4, &chain), LW_UNSUPPORTED_TYPE);
  ASSERT_EQ(make(LW_FLOAT8E5M2, &chain), LW_OK);
  constexpr int64_t kDim = 3;
  float in[] = {1.1F, 1e9F, -3}, out[3] = {};
  const lw_tensor from = {in, LW_FLOAT32, 1, &kDim, nullptr, sizeof(in)};
  const lw_tensor to = {out, LW_FLOAT32, 1, &kDim, nullptr, sizeof(out)};
  ASSERT_EQ(lw_chain_run(chain, nullptr, &from, 1, &to, 1), LW_OK);
  lw_chain_destroy(chain);
  EXPECT_EQ(out[0], 1.0F);
  EXPECT_EQ(out[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(out[2], -3.0F);
}

// Calls that share bytes: only the same elements may.
TEST(CastPacked, InPlace) {
  constexpr int64_t kDim = 8;
  uint8_t bytes[8] = {0x21, 0x43, 0x65, 0x87};
  const OpPtr op = CastOp{LW_UINT4}.Make(nullptr);
  const lw_tensor in = {bytes, LW_INT4, 1, &kDim, nullptr, 4};
  const lw_tensor out = {bytes, LW_UINT4, 1, &kDim, nullptr, 4};
  ASSERT_EQ(lw_op_run(op.get(), &in, 1, &out, 1), LW_OK);
  EXPECT_EQ(bytes[3], 0x87);
  const lw_tensor wider = {bytes, LW_INT8, 1, &kDim, nullptr, 8};
  EXPECT_EQ(lw_op_run(op.get(), &wider, 1, &out, 1), LW_OVERLAP);
}

}  // namespace
}  // namespace lanewise::test
