// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_ulps.h"

namespace lanewise::test {

void CheckUlps32(const OpId& op, double (*exact)(double), uint32_t stride,
                 double bound, const Isas& isas) {
  constexpr uint64_t kSize = 4096;
  const auto draw = [stride](uint64_t index, size_t i, std::mt19937_64&) {
    return FloatOf(static_cast<uint32_t>((index * kSize + i) * stride));
  };
  using Block = UlpBlock<float, double, decltype(draw)>;
  static_assert(Block::kSize == kSize);
  CheckErrors(op, (uint64_t{1} << 32) / kSize / stride, Block(exact, draw),
              bound, kToNearest, isas);
}

double AnyMagnitude(int low, int high, std::mt19937_64& random) {
  const auto width = static_cast<uint64_t>(high - low);
  const int exponent = low + static_cast<int>(random() % width);
  const double magnitude = std::ldexp(Uniform(1, 2, random), exponent);
  return random() % 2 == 0 ? magnitude : -magnitude;
}

double AroundZero(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 7) {
    case 0:
      return Uniform(-2, 2, random);
    case 1:
      return AnyMagnitude(-1074, 6, random);
    case 2:
      return Uniform(-760, -690, random);
    case 3:
      return Uniform(-50, 0, random);
    case 4:
      return Uniform(0, 50, random);
    case 5:
      return Uniform(-1000, 1000, random);
    default:
      return DoubleOf(random());
  }
}

void CheckUlps64(const OpId& op, long double (*exact)(long double),
                 uint64_t blocks, Draw64 draw, double bound, const Isas& isas) {
  CheckErrors(op, blocks, UlpBlock<double, long double, Draw64>(exact, draw),
              bound, kToNearest, isas);
}

namespace {

template <typename T>
constexpr lw_type kTypeOf = sizeof(T) == 4 ? LW_FLOAT32 : LW_FLOAT64;

template <typename T, typename Exact>
void CheckFastSpecialsOf(const OpId& op, Exact (*exact)(Exact)) {
  using Limits = std::numeric_limits<T>;
  std::vector<double> x;
  for (const T size :
       {T{0}, Limits::denorm_min(), Limits::min(), T{1}, Limits::max(),
        Limits::infinity(), Limits::quiet_NaN()}) {
    x.push_back(size);
    x.push_back(-size);
  }
  const Array in = FromValues(kTypeOf<T>, x);
  for (const Isa& isa : AllFastIsas()) {
    const Array out = Compute(KernelApi(isa.engine, op, kTypeOf<T>), in);
    for (size_t i = 0; i < x.size(); ++i) {
      const T y = out.as<T>()[i];
      EXPECT_LE(UlpError(exact(x[i]), y), kFastUlps)
          << op.name << ' ' << isa << ": " << x[i] << " gives " << y;
    }
  }
}

template <typename T>
void CheckFastLimitsOf(const OpId& op, float first, float least, float most) {
  Array in(kTypeOf<T>, 1 << 21);
  for (size_t i = 0; i < in.size(); ++i) {
    in.as<T>()[i] = first + static_cast<T>(i) * T{0x1p-20};
  }
  for (const Isa& isa : AllFastIsas()) {
    const Array out = Compute(KernelApi(isa.engine, op, kTypeOf<T>), in);
    for (size_t i = 0; i < out.size(); ++i) {
      const T y = out.as<T>()[i];
      ASSERT_TRUE(y >= T{least} && y <= T{most})
          << isa << ' ' << in.as<T>()[i] << " gives " << y;
    }
  }
}

}  // namespace

void CheckFastSpecials(const OpId& op, double (*exact)(double)) {
  CheckFastSpecialsOf<float>(op, exact);
}
void CheckFastSpecials(const OpId& op, long double (*exact)(long double)) {
  CheckFastSpecialsOf<double>(op, exact);
}

void CheckFastLimits(const OpId& op, float first, float least, float most) {
  CheckFastLimitsOf<float>(op, first, least, most);
  CheckFastLimitsOf<double>(op, first, least, most);
}

void CheckByHand(const lw_engine* engine, const OpId& op, lw_type type,
                 const ByHand& pairs) {
  for (const auto& [x, y] : pairs) {
    // With a tail, whatever the length of vectors.
    const Array in = FromValues(type, std::vector<double>(67, x));
    const Array out = Compute(KernelApi(engine, op, type), in);
    EXPECT_TRUE(SameBits(out, FromValues(type, std::vector<double>(67, y))))
        << op.name << " of " << lw_type_name(type) << ' ' << x << " is "
        << BitsText(out.at(0), out.element_size());
  }
}

void CheckSameBits(const lw_engine* engine, const OpId& op) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckEveryLengthAndAlignment(KernelApi(engine, op, type),
                                 RandomBits(type, 1000));
    CheckOneValueOneResult(KernelApi(engine, op, type),
                           FromValues(type, {0.3, -0.7, -3.1, 2.5, -20.0}),
                           150);
  }
  CheckDirectedRounding16(engine, op, 0);
}

bool IsBelow1Ulp(lw_type type, long double exact, const void* y) {
  if (type == LW_FLOAT32) {
    return UlpError(exact, *static_cast<const float*>(y)) < 1;
  }
  if (type == LW_FLOAT64) {
    return UlpError(exact, *static_cast<const double*>(y)) < 1;
  }
  return ExactOrNan(Narrow(ToOddDouble(exact), FormatOf(type)), ReadBits(y, 2),
                    type);
}

void CheckNode(const lw_engine* engine, const OpId& id,
               const std::vector<lw_attribute>& attributes,
               const std::function<long double(lw_type, long double)>& exact) {
  const OpPtr op = MakeOp(engine, id, attributes);
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const lw_kernel* kernel = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
    const bool is_wide = ElementSize(type) > 2;
    std::mt19937_64 random(3);
    const Array in =
        is_wide ? MixedElements(type, 20'000, random) : AllValues(type);
    Array out(type, in.size());
    const void* const inputs[] = {in.data()};
    ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
    for (size_t i = 0; i < in.size(); ++i) {
      const long double y = exact(type, ReadFloat(type, in.at(i)));
      ASSERT_TRUE(IsBelow1Ulp(type, y, out.at(i)))
          << BitsText(in.at(i), in.element_size()) << " gives "
          << BitsText(out.at(i), in.element_size()) << ", not " << y;
    }
  }
}

}  // namespace lanewise::test
