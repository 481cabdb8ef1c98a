// SPDX-License-Identifier: Apache-2.0
//
// Checks that the bits of a result do not depend on the number of threads, on
// whether they belong to the library or the host, or on where the work is
// split.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_

#include <gtest/gtest.h>

#include "tests/support/array.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Tests sizes around chunk boundaries with a tuning that splits all of them,
/// and one size that the built-in tuning splits, too.
inline void CheckThreads(const OpId& op, lw_type type,
                         lw_pattern pattern = LW_SAME) {
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

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_
