// SPDX-License-Identifier: Apache-2.0
//
// Checks for operators that compute one float from one float: which versions
// accept which types, the error of 16-bit results, and that operators obey the
// caller's floating-point environment.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_UNARY_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_UNARY_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/check_values.h"
#include "tests/support/element_bits.h"
#include "tests/support/engines.h"
#include "tests/support/float_env.h"
#include "tests/support/guarded.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"
#include "tests/support/worst_errors.h"

namespace lanewise::test {

inline constexpr lw_type kFloatTypes[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32,
                                          LW_FLOAT64};
inline constexpr lw_type k16BitTypes[] = {LW_FLOAT16, LW_BFLOAT16};

inline const Format& FormatOf(lw_type type) {
  return type == LW_FLOAT16 ? kHalf : type == LW_BFLOAT16 ? kBfloat : kSingle;
}

/// The value of an element whose type has at most 32 bits.
double ValueAt(const Array& array, size_t i);

/// Converts numbers to the type, rounding to nearest.
Array FromValues(lw_type type, const std::vector<double>& values);

/// The results of numbers that every float type has, written down by hand, on
/// every instruction set. Any NaN will do where a NaN is expected.
void CheckByHand(const OpId& op, const std::vector<double>& numbers,
                 const std::vector<double>& results);

/// Measures |result - exact| on every instruction set, in ULP of `exact`, and
/// records the worst error. The error may be at most 0.5 ULP. For types of at
/// most 32 bits. Skips infinities and NaNs, which other tests check.
void CheckCorrectlyRounded(const OpId& op, const Array& in,
                           double (*exact)(double));

/// Every instruction set returns the same bits, including those of NaNs.
void CheckSameOnEveryIsa(const OpId& op, const Array& in);

/// A run whose elements are all equal gives equal results, for runs of any
/// length.
void CheckOneValueOneResult(const Subject& subject, const Array& in,
                            size_t max_length = 300);

// ---- Versions ---------------------------------------------------------------

/// Exp and Reciprocal accept the same types: versions 1 and 6 take float16,
/// float32 and float64, version 13 also takes bfloat16. Only version 1 has the
/// attribute consumed_inputs.
void CheckFloatVersions(const char* name);

/// All versions of an operator compute the same results.
void CheckVersionsAgree(const lw_engine* engine, const char* name,
                        lw_type type);

// ---- The floating-point environment -----------------------------------------

/// FloatControl without the exception flags, which computing results may raise.
uint64_t FloatControlBits();

/// Runs `body` in every rounding mode, with subnormals kept and flushed.
template <class Body>
void InEveryFloatEnv(const Body& body) {
  for (const int rounding :
       {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    for (const bool flush : {false, true}) {
      const FloatEnvScope scope;
      std::fesetround(rounding);
      if (flush) FlushSubnormals();
      body();
    }
  }
}

/// A host whose worker threads check their environment before and after each
/// task.
struct WatchfulHost {
  std::atomic<int> tasks{0};
  std::atomic<int> changed{0};

  static int32_t ParallelFor(void* context, lw_task task, size_t count,
                             void* data) {
    auto* host = static_cast<WatchfulHost*>(context);
    struct Watched {
      WatchfulHost* host;
      lw_task task;
      void* data;
    } watched = {host, task, data};
    return HostParallelFor(
        nullptr,
        [](void* mine, size_t index) {
          const auto& w = *static_cast<Watched*>(mine);
          // The worker's environment differs from the caller's: it rounds
          // upward and flushes subnormals.
          std::fesetround(FE_UPWARD);
          FlushSubnormals();
          const uint64_t before = FloatControlBits();
          w.task(w.data, index);
          ++w.host->tasks;
          if (FloatControlBits() != before) ++w.host->changed;
        },
        count, &watched);
  }
};

/// Workers compute in the caller's environment and get their own back
/// afterwards. The caller's environment does not change.
void CheckFloatEnvOnWorkers(const OpId& op, lw_type type);

/// For inputs whose results are exact and normal, no length raises a flag or a
/// signal: padding lanes must not raise any.
void CheckNothingRaised(const Subject& subject, const Array& in,
                        size_t max_length = 300);

/// The same check through both APIs.
void CheckNothingRaised(const lw_engine* engine, const OpId& op,
                        const Array& in);

/// No flag is raised but that of inexact results.
void CheckOnlyInexact(const lw_engine* engine, const OpId& op, const Array& in);

/// The rounding mode changes no bit of any type.
void CheckAlwaysToNearest(const lw_engine* engine, const OpId& op);

/// Under directed rounding, a 16-bit result is within `bound` ULP of the result
/// that is rounded to nearest.
void CheckDirectedRounding16(const lw_engine* engine, const OpId& op,
                             uint64_t bound);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_UNARY_H_
