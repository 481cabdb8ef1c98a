// SPDX-License-Identifier: Apache-2.0
//
// The operator suite in floating-point environments of the caller.

#include <cstring>

#include "tests/support/check_unary.h"
#include "tests/support/element_bits.h"
#include "tests/support/float_env.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_calls.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

bool FlushesSubnormals() {
  const volatile double tiny = 1e-310;
  return tiny * 1.0 == 0 && tiny + tiny == 0;
}

// Where subnormal numbers are flushed, a compiler may pick an instruction that
// keeps an operand or one that flushes it: both count as 0.
Array WithoutSubnormals(Array array) {
  for (size_t i = 0; i < array.size(); ++i) {
    if (array.type() == LW_FLOAT32) {
      uint32_t& bits = array.as<uint32_t>()[i];
      if ((bits & 0x7F800000) == 0) bits = 0;
    } else if (array.type() == LW_FLOAT64) {
      uint64_t& bits = array.as<uint64_t>()[i];
      if ((bits & uint64_t{0x7FF} << 52) == 0) bits = 0;
    }
  }
  return array;
}

// Under FTZ or DAZ, operators that may be an ULP off take a subnormal input for
// 0, whose results are `of_zero`, or for what it is.
void ExpectSameInThisEnv(const OperatorSpec& spec, const Arrays& in,
                         Array actual, Array expected, const Array& of_zero,
                         bool flushed) {
  if (flushed && spec.output.types.empty()) {
    actual = WithoutSubnormals(actual);
    expected = WithoutSubnormals(expected);
    const Array other = WithoutSubnormals(of_zero);
    for (size_t i = 0; i < other.size() && spec.allowed_ulp > 0.5; ++i) {
      if (!IsAnswer(spec, expected.type(), other.at(i), actual.at(i))) continue;
      std::memcpy(expected.at(i), other.at(i), other.element_size());
    }
  }
  const size_t i = FirstOther(spec, actual, expected);
  EXPECT_EQ(i, expected.size()) << Complaint(
      spec, in, std::min(i, expected.size() - 1), actual, expected);
}

}  // namespace

// float32 and float64 follow the caller's environment as scalar code does,
// which the oracle is. Everything but floats ignores it. Operators that may be
// an ULP off round to nearest in any environment.
void CheckSuiteFloatEnv(const OperatorSpec& spec, const Isa& isa) {
  LANEWISE_SKIP_IF_EXACT();
  constexpr size_t kCount = 4096;
  ForEachType(spec, [&](lw_type type) {
    if (type == LW_FLOAT16 || type == LW_BFLOAT16) return;
    const Arrays in = MixedInputs(spec, type, kCount, LW_SAME, 11);
    const Kernel kernel(spec, isa.engine, type, LW_SAME);
    const OpPtr op = MakeNewest(spec, isa.engine);
    const Array to_nearest = ExpectedOf(spec, type, in, kCount);
    Arrays normal;
    for (const Array& input : in) normal.push_back(WithoutSubnormals(input));
    const Array of_zero = ExpectedOf(spec, type, normal, kCount);
    InEveryFloatEnv([&] {
      const uint64_t before = FloatControlBits();
      const bool flushed = FlushesSubnormals();
      const Array expected = spec.allowed_ulp > 0.5
                                 ? to_nearest
                                 : ExpectedOf(spec, type, in, kCount);
      Array actual(expected.type(), kCount);
      ASSERT_TRUE(IsDone(spec, kernel.Run(in, actual.data(), kCount)));
      ExpectSameInThisEnv(spec, in, actual, expected, of_zero, flushed);
      ASSERT_TRUE(IsDone(spec, RunArrays(op.get(), in, actual)));
      ExpectSameInThisEnv(spec, in, actual, expected, of_zero, flushed);
      EXPECT_EQ(FloatControlBits(), before);
    });
  });
}

// Small whole numbers give exact results, and no lane that is not the caller's
// may raise anything: not even a trap that the caller has unmasked.
void CheckSuiteTraps(const OperatorSpec& spec, const Isa& isa) {
  std::vector<double> exact = spec.exact_inputs;
  if (exact.empty() && spec.allowed_ulp > 0.5) exact = {0};
  ForEachType(spec, [&](lw_type type) {
    if (!IsFloat(type)) return;
    Arrays in;
    for (size_t k = 0; k < spec.input_count(); ++k) {
      const lw_type own = InputTypeOf(spec, k, type);
      const size_t count = IsScalarInput(spec, k) ? 1 : 150;
      Array input(own, count);
      for (size_t i = 0; i < count && IsFloat(own); ++i) {
        // A negative number times LeakyRelu's alpha would not be exact.
        const double least = in.empty() && spec.input_count() == 1 ? 0 : -4;
        const double whole = static_cast<double>((i * 7 + 3 * k) % 9) + least;
        const double value = exact.empty() ? whole : exact[i % exact.size()];
        const uint64_t bits =
            own == LW_FLOAT64 ? BitsOf(value) : Narrow(value, FormatOf(own));
        WriteBits(bits, input.at(i), input.element_size());
      }
      in.push_back(input);
    }
    const Kernel kernel(spec, isa.engine, type, LW_SAME);
    Array out(OutputTypeOf(spec, type), 150);
    const FloatEnvScope scope;
    TrapOnExceptions();
    for (size_t n = 0; n <= 150; ++n) kernel.Run(in, out.data(), n);
  });
}

}  // namespace lanewise::test
