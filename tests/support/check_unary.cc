// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_unary.h"

namespace lanewise::test {

double ValueAt(const Array& array, size_t i) {
  const auto bits =
      static_cast<uint32_t>(ReadBits(array.at(i), array.element_size()));
  return Widen(bits, FormatOf(array.type()));
}

Array FromValues(lw_type type, const std::vector<double>& values) {
  std::vector<uint64_t> patterns;
  for (const double value : values) {
    patterns.push_back(type == LW_FLOAT64 ? BitsOf(value)
                                          : Narrow(value, FormatOf(type)));
  }
  return FromPatterns(type, patterns);
}

void CheckByHand(const OpId& op, const std::vector<double>& numbers,
                 const std::vector<double>& results) {
  for (const lw_type type : kFloatTypes) {
    const Array in = FromValues(type, numbers);
    const Array expected = FromValues(type, results);
    for (const Isa& isa : AllIsas()) {
      Array actual(type, in.size());
      CheckBlock(KernelApi(isa.engine, op, type), isa.name, in, expected,
                 actual, ExactOrNan);
    }
  }
}

void CheckCorrectlyRounded(const OpId& op, const Array& in,
                           double (*exact)(double)) {
  const Format& format = FormatOf(in.type());
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  std::vector<double> expected(in.size());
  std::vector<double> unit(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    expected[i] = exact(ValueAt(in, i));
    const int exponent = std::clamp(std::ilogb(expected[i]), 1 - bias, bias);
    unit[i] = std::ldexp(1.0, exponent - format.mantissa_bits);
  }
  for (const Isa& isa : AllIsas()) {
    const Array out = Compute(KernelApi(isa.engine, op, in.type()), in);
    WorstError worst;
    for (size_t i = 0; i < in.size(); ++i) {
      const double y = ValueAt(out, i);
      if (!std::isfinite(y) || !std::isfinite(expected[i])) continue;
      worst.Add({std::fabs(y - expected[i]) / unit[i], ValueAt(in, i)});
    }
    worst_errors.Note(op.name, in.type(), isa.name, worst);
    EXPECT_LE(worst.ulps, 0.5) << isa.name;
  }
}

void CheckSameOnEveryIsa(const OpId& op, const Array& in) {
  const Array best = Compute(KernelApi(AllIsas()[0].engine, op, in.type()), in);
  for (const Isa& isa : AllIsas()) {
    EXPECT_TRUE(
        SameBits(Compute(KernelApi(isa.engine, op, in.type()), in), best))
        << isa.name;
  }
}

void CheckOneValueOneResult(const Subject& subject, const Array& in,
                            size_t max_length) {
  const size_t size = in.element_size();
  Array same(in.type(), max_length);
  Array out(in.type(), max_length);
  for (size_t i = 0; i < in.size(); ++i) {
    for (size_t k = 0; k < max_length; ++k) {
      std::memcpy(same.at(k), in.at(i), size);
    }
    const Array alone = Compute(subject, Array(same));
    for (size_t n = 1; n <= max_length; ++n) {
      ASSERT_EQ(subject.compute(same.data(), nullptr, out.data(), n), LW_OK);
      ASSERT_EQ(FirstDifference(out.data(), alone.data(), n, size), n)
          << "n " << n << ", value " << BitsText(in.at(i), size);
      ASSERT_EQ(std::memcmp(out.data(), out.at(n - 1), size), 0) << "n " << n;
    }
  }
}

void CheckFloatVersions(const char* name) {
  for (int32_t opset = 1; opset <= 30; ++opset) {
    const int32_t version = opset >= 13 ? 13 : opset >= 6 ? 6 : 1;
    const std::string label = std::string(name) + '-' + std::to_string(version);
    const OpPtr op = MakeOp(nullptr, {name, opset});
    for (int32_t code = LW_FLOAT32; code <= LW_INT2; ++code) {
      const auto type = static_cast<lw_type>(code);
      SCOPED_TRACE(label + " at " + std::to_string(opset) + ", " +
                   lw_type_name(type));
      const bool listed =
          IsFloat(type) && (type != LW_BFLOAT16 || version == 13);
      const auto check = [&](lw_status status) {
        EXPECT_EQ(status, listed ? LW_OK : LW_UNSUPPORTED_TYPE);
        if (listed) return;
        const std::string message = lw_last_error();
        EXPECT_NE(message.find(label), message.npos) << message;
        EXPECT_NE(message.find(lw_type_name(type)), message.npos) << message;
      };
      check(KernelStatus(nullptr, name, opset, type));

      alignas(16) uint8_t in[64] = {};
      alignas(16) uint8_t out[64];
      Untouch(out, sizeof(out));
      const int64_t dims[] = {3};
      const lw_tensor from = {in, type, 1, dims, nullptr, sizeof(in)};
      const lw_tensor to = {out, type, 1, dims, nullptr, sizeof(out)};
      lw_shape shape;
      check(lw_op_infer(op.get(), &from, 1, &shape));
      check(lw_op_run(op.get(), &from, 1, &to, 1));
      EXPECT_EQ(IsUntouched(out, sizeof(out)), !listed);
    }

    const int64_t consumed[] = {0};
    const lw_attribute attribute =
        IntsAttribute("consumed_inputs", consumed, 1);
    lw_op* made = nullptr;
    EXPECT_EQ(lw_op_create(nullptr, name, opset, &attribute, 1, &made),
              version == 1 ? LW_OK : LW_INVALID_ATTRIBUTE)
        << label;
    if (version != 1) {
      EXPECT_NE(std::strstr(lw_last_error(), label.c_str()), nullptr);
    }
    lw_op_destroy(made);
  }
}

void CheckVersionsAgree(const lw_engine* engine, const char* name,
                        lw_type type) {
  const Array in = Lattice(type);
  const Array expected = Compute(KernelApi(engine, {name, 13}, type), in);
  for (const int32_t opset : {1, 5, 6, 12, 13, 25, 1000}) {
    if (type == LW_BFLOAT16 && opset < 13) continue;
    const OpId id = {name, opset};
    EXPECT_TRUE(SameBits(Compute(KernelApi(engine, id, type), in), expected));
    EXPECT_TRUE(SameBits(Compute(TensorApi(engine, id, type), in), expected));
  }
}

uint64_t FloatControlBits() {
#if defined(__aarch64__)
  return FloatControl() >> 32;
#else
  return FloatControl() & ~uint64_t{0x3F};
#endif
}

void CheckFloatEnvOnWorkers(const OpId& op, lw_type type) {
  // Long enough for several chunks in every type.
  const Array lattice = FloatLattice(type);
  Array in(type, 10 * lattice.size());
  for (size_t i = 0; i < in.bytes(); ++i) {
    in.data()[i] = lattice.data()[i % lattice.bytes()];
  }
  const Subject direct = KernelApi(nullptr, op, type);
  const auto check = [&](const lw_engine* engine) {
    const Subject threaded = TensorApi(engine, op, type);
    InEveryFloatEnv([&] {
      const uint64_t before = FloatControlBits();
      const Array expected = Compute(direct, in);
      EXPECT_EQ(FloatControlBits(), before);
      EXPECT_TRUE(SameBits(Compute(threaded, in), expected));
      EXPECT_EQ(FloatControlBits(), before);
    });
  };
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    check(MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads())
              .get());
  }
  WatchfulHost host;
  lw_engine_options options = Options();
  options.threading = LW_THREADING_HOST;
  options.max_threads = 3;
  options.parallel_for = WatchfulHost::ParallelFor;
  options.parallel_for_context = &host;
  check(MakeTunedEngine(options, lw_isa_name(0), EagerThreads()).get());
  EXPECT_GT(host.tasks, 0);
  EXPECT_EQ(host.changed, 0);
}

void CheckNothingRaised(const Subject& subject, const Array& in,
                        size_t max_length) {
  Array repeated(in.type(), max_length);
  for (size_t i = 0; i < max_length; ++i) {
    std::memcpy(repeated.at(i), in.at(i % in.size()), in.element_size());
  }
  const GuardedMemory memory(repeated.bytes());
  Array out(in.type(), max_length);
  const FloatEnvScope scope;
  for (const bool trap : {false, true}) {
    // Check the flags first: a signal would end the program without a message.
    if (trap) TrapOnExceptions();
    for (size_t n = 0; n <= max_length; ++n) {
      const size_t bytes = n * in.element_size();
      const uint8_t* a = memory.Copy(Side::kUpper, 0, repeated.data(), bytes);
      std::feclearexcept(FE_ALL_EXCEPT);
      ASSERT_EQ(subject.compute(a, nullptr, out.data(), n), LW_OK);
      ASSERT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0) << "n " << n;
    }
  }
}

void CheckNothingRaised(const lw_engine* engine, const OpId& op,
                        const Array& in) {
  SCOPED_TRACE(lw_type_name(in.type()));
  CheckNothingRaised(KernelApi(engine, op, in.type()), in);
  if (testing::Test::HasFatalFailure()) return;
  CheckNothingRaised(TensorApi(engine, op, in.type()), in);
}

void CheckOnlyInexact(const lw_engine* engine, const OpId& op,
                      const Array& in) {
  const Subject subject = KernelApi(engine, op, in.type());
  Array out(in.type(), in.size());
  for (size_t n = 1; n <= in.size(); ++n) {
    const FloatEnvScope scope;
    std::feclearexcept(FE_ALL_EXCEPT);
    ASSERT_EQ(subject.compute(in.data(), nullptr, out.data(), n), LW_OK);
    ASSERT_EQ(std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT), 0)
        << lw_type_name(in.type()) << ' ' << n;
  }
}

void CheckAlwaysToNearest(const lw_engine* engine, const OpId& op) {
  for (const lw_type type : kFloatTypes) {
    const Array in =
        ElementSize(type) == 2 ? AllValues(type) : RandomBits(type, 100'000);
    const Subject subject = KernelApi(engine, op, type);
    const Array nearest = Compute(subject, in);
    for (const RoundingMode& rounding : kDirected) {
      Array out(type, in.size());
      {
        const FloatEnvScope scope;
        std::fesetround(rounding.mode);
        ASSERT_EQ(subject.compute(in.data(), nullptr, out.data(), in.size()),
                  LW_OK);
      }
      EXPECT_TRUE(SameBits(out, nearest))
          << lw_type_name(type) << ", rounding " << rounding.name;
    }
  }
}

void CheckDirectedRounding16(const lw_engine* engine, const OpId& op,
                             uint64_t bound) {
  for (const lw_type type : k16BitTypes) {
    const Array in = AllValues(type);
    const Subject subject = KernelApi(engine, op, type);
    const Array nearest = Compute(subject, in);
    for (const RoundingMode& rounding : kDirected) {
      Array out(type, in.size());
      {
        const FloatEnvScope scope;
        std::fesetround(rounding.mode);
        ASSERT_EQ(subject.compute(in.data(), nullptr, out.data(), in.size()),
                  LW_OK);
      }
      for (size_t i = 0; i < in.size(); ++i) {
        ASSERT_LE(UlpDistance(out.as<uint16_t>()[i], nearest.as<uint16_t>()[i],
                              MantissaBits(type)),
                  bound)
            << lw_type_name(type) << ' ' << BitsText(in.at(i), 2)
            << ", rounding " << rounding.name;
      }
    }
  }
}

}  // namespace lanewise::test
