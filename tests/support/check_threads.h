// SPDX-License-Identifier: Apache-2.0
//
// That a result's bits do not depend on how many threads made it, on whose
// threads they were, or on where the work was cut.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_

#include <gtest/gtest.h>

#include "tests/support/array.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Sizes around the ends of chunks, all under tuning that cuts them up, and one
/// that the built-in tuning cuts too.
inline void CheckThreads(const OpId& op, lw_type type, lw_run run = LW_SAME) {
  constexpr size_t kLarge = 500'003;
  const char* isa = lw_isa_name(0);
  const Array a = RandomBits(type, run == LW_SCALAR_A ? 1 : kLarge);
  const Array b = op.inputs == 1
                      ? Array()
                      : RandomDivisors(type, run == LW_SCALAR_B ? 1 : kLarge);
  const Array expected = Compute(DirectDoor(nullptr, op, type, run), a, b);

  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const lw_engine_options options = OptionsFor(threading);
    const EnginePtr plain = MakeEngine(options);
    const Subject subject = TensorDoor(plain.get(), op, type, run);
    EXPECT_TRUE(SameBits(Compute(subject, a, b), expected));

    for (const std::string& tuning :
         {EagerThreads(), EagerThreads() + EagerStreaming()}) {
      const EnginePtr eager = MakeTunedEngine(options, isa, tuning);
      const Subject cut = TensorDoor(eager.get(), op, type, run);
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
