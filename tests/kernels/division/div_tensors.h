// SPDX-License-Identifier: Apache-2.0
//
// Div through the tensor API on tensors of any shape and layout, compared with
// a naive index computation: values, zero divisors, and every byte outside the
// output.

#ifndef LANEWISE_TESTS_KERNELS_DIVISION_DIV_TENSORS_H_
#define LANEWISE_TESTS_KERNELS_DIVISION_DIV_TENSORS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_strides.h"
#include "tests/support/strided.h"

namespace lanewise::test {

/// numpy's rule, written from its documentation. Returns false if the shapes do
/// not broadcast.
inline bool BroadcastByOracle(const Dims64& a, const Dims64& b, Dims64* out) {
  *out = a.size() >= b.size() ? a : b;
  const Dims64& other = a.size() >= b.size() ? b : a;
  const size_t missing = out->size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& dim = (*out)[missing + i];
    if (dim == 1) {
      dim = other[i];
    } else if (other[i] != 1 && other[i] != dim) {
      return false;
    }
  }
  return true;
}

/// The elements of `in`, broadcast to the shape `out`. The first dim of `in`
/// aligns with dim `first` of the output. Dims of 1 stretch. Dims of `in`
/// without a counterpart in the output must be 1.
inline Array Stretch(const Array& in, const Dims64& dims, int64_t first,
                     const Dims64& out) {
  Array result(in.type(), static_cast<size_t>(Count(out)));
  std::vector<int64_t> index(out.size());
  for (size_t flat = 0; flat < result.size(); ++flat) {
    auto rest = static_cast<int64_t>(flat);
    for (size_t i = out.size(); i-- > 0; rest /= out[i]) {
      index[i] = rest % out[i];
    }
    int64_t at = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t above = first + static_cast<int64_t>(i);
      const int64_t step = dims[i] == 1 ? 0 : index[static_cast<size_t>(above)];
      at = at * dims[i] + step;
    }
    std::memcpy(result.at(flat), in.at(static_cast<size_t>(at)),
                in.element_size());
  }
  return result;
}

/// Broadcasts both operands as numpy does, and divides.
inline Answer ExpectBroadcast(const Array& a, const Dims64& a_dims,
                              const Array& b, const Dims64& b_dims,
                              const Dims64& out) {
  const auto under = [&](const Dims64& dims) {
    return static_cast<int64_t>(out.size()) - static_cast<int64_t>(dims.size());
  };
  return Expect(Stretch(a, a_dims, under(a_dims), out),
                Stretch(b, b_dims, under(b_dims), out));
}

inline std::string DimsText(const Dims64& dims) {
  std::string text = "[";
  for (const int64_t dim : dims) {
    if (text.size() > 1) text += ',';
    text += std::to_string(dim);
  }
  text += ']';
  return text;
}

/// Operands whose quotients are never NaN, so that bits can be compared.
/// Integer divisors contain an occasional zero.
inline Array Dividends(lw_type type, size_t count, uint64_t seed) {
  return IsFloat(type) ? RandomDivisors(type, count, seed)
                       : RandomBits(type, count, seed);
}
inline Array Divisors(lw_type type, size_t count, uint64_t seed) {
  Array b = RandomDivisors(type, count, seed);
  if (IsFloat(type) || count == 0 || seed % 2 == 0) return b;
  for (uint64_t i = 0; i < 1 + seed / 2 % 3; ++i) {
    std::memset(b.at((seed * 31 + i * 17) % count), 0, b.element_size());
  }
  return b;
}

struct DivCase {
  lw_type type;
  Dims64 a;
  Dims64 b;
  Dims64 a_strides = {};  ///< none: row-major
  Dims64 b_strides = {};
  Dims64 out_strides = {};
  InPlace in_place = InPlace::kNo;  ///< the output then has the input's strides
};

inline std::string CaseText(const DivCase& c) {
  return std::string(lw_type_name(c.type)) + ": " + DimsText(c.a) +
         DimsText(c.a_strides) + " / " + DimsText(c.b) + DimsText(c.b_strides) +
         " -> " + DimsText(c.out_strides) +
         (c.in_place == InPlace::kNo  ? ""
          : c.in_place == InPlace::kA ? " over a"
                                      : " over b");
}

/// Runs one case between guard pages. `zero_status`: expected for a zero
/// divisor.
inline testing::AssertionResult RunDivCase(
    const lw_op* op, const DivCase& c, uint64_t seed,
    lw_status zero_status = LW_DIVIDE_BY_ZERO) {
  const auto failure = [&] {
    return testing::AssertionFailure() << CaseText(c) << ": ";
  };
  Dims64 dims;
  if (!BroadcastByOracle(c.a, c.b, &dims)) return failure() << "no broadcast";
  const StridedMemory a(c.type, c.a, c.a_strides);
  const StridedMemory b(c.type, c.b, c.b_strides);
  a.Fill(Dividends(c.type, static_cast<size_t>(Count(c.a)), seed));
  b.Fill(Divisors(c.type, static_cast<size_t>(Count(c.b)), seed));
  // With strides of 0, the last element written remains.
  const Array a_values = a.Read();
  const Array b_values = b.Read();
  Answer expected = ExpectBroadcast(a_values, c.a, b_values, c.b, dims);

  const StridedMemory apart(c.type, dims, c.out_strides);
  const StridedMemory& out = c.in_place == InPlace::kA   ? a
                             : c.in_place == InPlace::kB ? b
                                                         : apart;
  // The expected memory, including gaps.
  const std::vector<uint8_t> before(out.base(), out.base() + out.bytes());
  out.Fill(expected.values);
  const std::vector<uint8_t> after(out.base(), out.base() + out.bytes());
  std::copy(before.begin(), before.end(), const_cast<uint8_t*>(out.base()));

  const lw_tensor in[] = {a.view(), b.view()};
  lw_shape shape;
  if (lw_op_infer(op, in, 2, &shape) != LW_OK) {
    return failure() << lw_last_error();
  }
  if (shape.type != c.type ||
      Dims64(shape.dims, shape.dims + shape.rank) != dims) {
    return failure() << "the inferred shape is wrong";
  }
  const lw_tensor result = out.view();
  const lw_status status = lw_op_run(op, in, 2, &result, 1);
  if (zero_status == LW_OK) expected.zeros = expected.first_zero = 0;
  const testing::AssertionResult told = TellsZeros(status, expected);
  if (!told) return failure() << told.message();
  const size_t i = FirstDifference(out.base(), after.data(), after.size(), 1);
  if (i != after.size()) {
    return failure() << "byte " << i << " of the output's memory is wrong";
  }
  if ((c.in_place != InPlace::kA && !SameBits(a.Read(), a_values)) ||
      (c.in_place != InPlace::kB && !SameBits(b.Read(), b_values))) {
    return failure() << "an input was written to";
  }
  return testing::AssertionSuccess();
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_DIVISION_DIV_TENSORS_H_
