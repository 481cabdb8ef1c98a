// SPDX-License-Identifier: Apache-2.0
//
// Transposed operands whose rows are longer than a tile, in calls of 2 to 16
// inputs. Every element is compared with a scalar loop.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/isas.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const Dims64& Shape() {
  static const Dims64& dims = *new Dims64{2, 9, 1100};
  return dims;
}

/// An operand and its memory, with distinct bits for each element.
template <typename T>
struct Operand {
  std::vector<T> memory;
  Tensor tensor;

  Operand(lw_type type, const Dims64& strides, size_t seed)
      : memory(static_cast<size_t>(Reach(strides))) {
    for (size_t i = 0; i < memory.size(); ++i) {
      memory[i] = static_cast<T>((i + seed) * 2654435761u >> 7 & 0xFFFF);
    }
    tensor = {type, memory.data(), Shape(), strides};
  }
  static int64_t Reach(const Dims64& strides) {
    return OffsetOf(Shape(), strides, Count(Shape()) - 1) + 1;
  }
  T at(int64_t flat) const {
    return memory[static_cast<size_t>(OffsetOf(Shape(), tensor.strides, flat))];
  }
};

const Dims64& Rows() {
  static const Dims64& strides = *new Dims64(RowMajor(Shape()));
  return strides;
}
// Two matrices of 1100 columns. Gaps keep their rows from being 18 of one
// matrix.
const Dims64& Transposed() {
  static const Dims64& strides = *new Dims64{11, 1, 22};
  return strides;
}

// The largest elements of `count` inputs. `apart`: so are the output's.
template <typename T>
void CheckMax(const lw_engine* engine, lw_type type, size_t count, bool apart) {
  SCOPED_TRACE(testing::Message() << count << " inputs of type " << type);
  const OpPtr op = MakeOp(engine, {"Max", 13});
  std::vector<Operand<T>> in;
  std::vector<lw_tensor> views;
  in.reserve(count);
  for (size_t k = 0; k < count; ++k) {
    in.emplace_back(type, k % 3 == 1 ? Rows() : Transposed(), 77 * k);
    views.push_back(in.back().tensor.view());
  }
  Dims64 strides = Rows();
  for (int64_t& stride : strides) stride *= apart ? 2 : 1;
  Operand<T> out(type, strides, 5);
  const std::vector<T> before = out.memory;
  const lw_tensor output = out.tensor.view();
  ASSERT_EQ(lw_op_run(op.get(), views.data(), count, &output, 1), LW_OK)
      << lw_last_error();
  for (int64_t i = 0; i < Count(Shape()); ++i) {
    T expected = in[0].at(i);
    for (const Operand<T>& input : in) {
      expected = std::max(expected, input.at(i));
    }
    ASSERT_EQ(out.at(i), expected) << "element " << i;
  }
  for (size_t i = 1; apart && i < before.size(); i += 2) {
    ASSERT_EQ(out.memory[i], before[i]) << "wrote between elements";
  }
}

void CheckAll(const lw_engine* engine) {
  for (const size_t count : {2, 5, 16}) {
    for (const bool apart : {false, true}) {
      CheckMax<uint8_t>(engine, LW_UINT8, count, apart);
      CheckMax<int16_t>(engine, LW_INT16, count, apart);
      CheckMax<float>(engine, LW_FLOAT32, count, apart);
      CheckMax<double>(engine, LW_FLOAT64, count, apart);
    }
  }
}

class TransposedCall : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, TransposedCall, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(TransposedCall, ComputesEveryElement) { CheckAll(isa().engine); }

// Tasks start and end within rows.
TEST(TransposedCalls, AreCutIntoTasks) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_HOST;
  options.max_threads = 3;
  options.parallel_for = [](void*, lw_task task, size_t count, void* data) {
    for (size_t i = count; i-- > 0;) task(data, i);
    return int32_t{0};
  };
  const std::string few_rows =
      "memory.serial_bytes 1\nmemory.chunk_bytes 150000\n";
  for (const std::string& tuning : {few_rows, few_rows + EagerStreaming()}) {
    CheckAll(MakeTunedEngine(options, lw_isa_name(0), tuning).get());
  }
}

}  // namespace
}  // namespace lanewise::test
