// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_strides.h"

namespace lanewise::test {

void CheckLayout(const lw_op* op, const Subject& subject, const Layout& layout,
                 unsigned strided, bool in_place, Side side) {
  const auto count = static_cast<size_t>(Count(layout.dims));
  std::vector<StridedMemory> in;
  std::vector<lw_tensor> views;
  Array values[2];
  for (int i = 0; i < subject.inputs; ++i) {
    const bool over = in_place && i == 0;
    in.emplace_back(subject.type, layout.dims,
                    over                ? layout.out
                    : strided >> i & 1u ? layout.in
                                        : Dims64(),
                    side);
    in.back().Fill(i == 0 ? RandomBits(subject.type, count)
                          : RandomDivisors(subject.type, count));
    values[i] = in.back().Read();  // with stride 0, the last write remains
    views.push_back(in.back().view());
  }
  const Array expected = Compute(subject, values[0], values[1]);

  StridedMemory other(subject.type, layout.dims, layout.out, side);
  StridedMemory& out = in_place ? in[0] : other;
  // The expected memory, byte for byte, both elements and gaps.
  other.Fill(expected);
  const std::vector<uint8_t> whole(other.base(), other.base() + other.bytes());
  Untouch(const_cast<uint8_t*>(other.base()), other.bytes());

  const lw_tensor result = out.view();
  ASSERT_EQ(lw_op_run(op, views.data(), views.size(), &result, 1), LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(out.Read(), expected));
  EXPECT_EQ(FirstDifference(out.base(), whole.data(), whole.size(), 1),
            whole.size())
      << "a gap between elements was written to";
  for (int i = in_place ? 1 : 0; i < subject.inputs; ++i) {
    EXPECT_TRUE(SameBits(in[static_cast<size_t>(i)].Read(), values[i]));
  }
}

void CheckLayouts(const lw_engine* engine, const OpId& id, lw_type type) {
  const OpPtr op = MakeOp(engine, id);
  const Subject subject = KernelApi(engine, id, type);
  for (const Layout& layout : AllLayouts()) {
    SCOPED_TRACE(layout.name);
    for (const Side side : {Side::kLower, Side::kUpper}) {
      for (unsigned strided = 1; strided < 1u << id.inputs; ++strided) {
        CheckLayout(op.get(), subject, layout, strided, false, side);
      }
      CheckLayout(op.get(), subject, layout, 1u << id.inputs >> 1, true, side);
    }
    if (testing::Test::HasFailure()) return;
  }
}

void CheckStrides(const lw_engine* engine, const OpId& id, lw_type type) {
  CheckLayouts(engine, id, type);
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr streaming =
      MakeTunedEngine(options, lw_engine_isa(engine), EagerStreaming());
  CheckLayouts(streaming.get(), id, type);
}

}  // namespace lanewise::test
