// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_threads.h"

namespace lanewise::test {

void CheckThreads(const OpId& op, lw_type type, lw_pattern pattern) {
  constexpr size_t kLarge = 500'003;
  const char* isa = lw_isa_name(0);
  const Array a = RandomBits(type, pattern == LW_SCALAR_A ? 1 : kLarge);
  const Array b =
      op.inputs == 1
          ? Array()
          : RandomDivisors(type, pattern == LW_SCALAR_B ? 1 : kLarge);
  const Array expected = Compute(KernelApi(nullptr, op, type, pattern), a, b);

  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const lw_engine_options options = OptionsFor(threading);
    const EnginePtr plain = MakeEngine(options);
    const Subject subject = TensorApi(plain.get(), op, type, pattern);
    EXPECT_TRUE(SameBits(Compute(subject, a, b), expected));

    for (const std::string& tuning :
         {EagerThreads(), EagerThreads() + EagerStreaming()}) {
      const EnginePtr eager = MakeTunedEngine(options, isa, tuning);
      const Subject cut = TensorApi(eager.get(), op, type, pattern);
      for (const size_t n : {1, 1023, 1024, 1025, 2049, 6145, 65536, 99999}) {
        Array out(type, n);
        ASSERT_EQ(cut.compute(a.data(), b.data(), out.data(), n), LW_OK)
            << lw_last_error();
        ASSERT_EQ(
            FirstDifference(out.data(), expected.data(), n, out.element_size()),
            n)
            << "of " << n << " elements";
      }
    }
  }
}

}  // namespace lanewise::test
