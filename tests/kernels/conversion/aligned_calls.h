// SPDX-License-Identifier: Apache-2.0
//
// Calls of QuantizeLinear and DequantizeLinear: tensors of any types, one scale
// for all, for each index of a dim, or for each block.

#ifndef LANEWISE_TESTS_KERNELS_CONVERSION_ALIGNED_CALLS_H_
#define LANEWISE_TESTS_KERNELS_CONVERSION_ALIGNED_CALLS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/conversion/narrow_numbers.h"
#include "tests/support/engines.h"
#include "tests/support/operator_spec.h"
#include "tests/support/random_calls.h"
#include "tests/support/subject.h"

namespace lanewise::test {

using AlignedDims = std::vector<int64_t>;

inline int64_t CountOf(const AlignedDims& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

/// How the parameters lie beside x.
struct AlignedShape {
  const char* name;
  AlignedDims x;
  AlignedDims scale;
  int64_t axis = 1;
  int64_t block = 0;
  int since = 10;

  /// The parameter of element `index`.
  int64_t ParameterOf(int64_t index) const {
    if (CountOf(scale) == 1) return 0;
    const int64_t at = axis < 0 ? axis + static_cast<int64_t>(x.size()) : axis;
    int64_t parameter = 0;
    int64_t step = 1;
    for (auto i = static_cast<int64_t>(x.size()) - 1; i >= 0; --i) {
      const auto k = static_cast<size_t>(i);
      const int64_t here = index % x[k];
      index /= x[k];
      if (block == 0) {
        if (i == at) parameter = here;
        continue;
      }
      parameter += step * (i == at ? here / block : here);
      step *= scale[k];
    }
    return parameter;
  }
};
inline const std::vector<AlignedShape>& AlignedShapes() {
  static const auto& shapes = *new std::vector<AlignedShape>{
      {"scalar", {3, 700}, {}},
      {"one", {3, 700}, {1}},
      {"x is a scalar", {}, {}},
      {"one element", {1}, {1}},
      {"per axis 0", {5, 301}, {5}, 0, 0, 13},
      {"per axis in the middle", {3, 7, 60}, {7}, 1, 0, 13},
      {"per last axis", {40, 37}, {37}, -1, 0, 13},
      {"per last axis, long", {2, 1100}, {1100}, 1, 0, 13},
      {"blocks", {3, 8, 64}, {3, 8, 2}, 2, 32, 21},
      {"blocks with a rest", {3, 11, 10}, {3, 3, 10}, 1, 4, 21},
      {"the last axis in blocks with a rest", {6, 701}, {6, 11}, -1, 64, 21},
      {"blocks along the first axis", {7, 90}, {4, 90}, 0, 2, 21},
      {"blocks of one", {4, 30}, {4, 30}, 1, 1, 21},
      {"one block", {4, 30}, {4, 1}, 1, 99, 21},
      {"rank 1 in blocks", {1300}, {11}, 0, 128, 21}};
  return shapes;
}

/// A tensor of random elements, each also as a byte where elements are packed.
struct AlignedTensor {
  int32_t type = LW_ABSENT;
  AlignedDims dims = {};
  std::vector<uint8_t> bytes = {};

  AlignedTensor(int32_t of, AlignedDims shape)
      : type(of),
        dims(std::move(shape)),
        bytes((static_cast<size_t>(CountOf(dims)) * ElementBits(of) + 7) / 8) {}

  lw_tensor View() {
    return {bytes.data(), type,    static_cast<int32_t>(dims.size()),
            dims.data(),  nullptr, bytes.size()};
  }
  /// An element as oracles read it.
  std::vector<uint8_t> At(int64_t index) const {
    const size_t bits = ElementBits(type);
    const auto at = static_cast<size_t>(index);
    if (bits < 8) {
      const int byte = bytes[at * bits / 8];
      return {static_cast<uint8_t>(byte >> at * bits % 8 & ((1 << bits) - 1))};
    }
    const uint8_t* first = &bytes[at * bits / 8];
    return {first, first + bits / 8};
  }
  template <typename T>
  void Set(int64_t index, T value) {
    std::memcpy(&bytes[static_cast<size_t>(index) * sizeof(T)], &value,
                sizeof(T));
  }
};

/// The answer for one element, as bytes. `zero` may be nullptr.
using AlignedOracle = std::function<std::vector<uint8_t>(
    const uint8_t* x, const uint8_t* scale, const uint8_t* zero)>;

inline bool AreBothNan(int32_t type, const std::vector<uint8_t>& a,
                       const std::vector<uint8_t>& b) {
  return kF4.count(type) != 0 && std::isnan(NumberAt(type, a.data())) &&
         std::isnan(NumberAt(type, b.data()));
}

/// Runs a call and compares each element with the oracle.
inline void CheckAligned(const OpPtr& op, const AlignedShape& shape,
                         AlignedTensor& x, AlignedTensor& scale,
                         AlignedTensor* zero, int32_t to,
                         const AlignedOracle& oracle) {
  SCOPED_TRACE(std::string(shape.name) + ": " + lw_type_name(x.type) + " by " +
               lw_type_name(scale.type) + " to " + lw_type_name(to) +
               (zero != nullptr ? " with a zero point" : ""));
  AlignedTensor out(to, shape.x);
  std::vector<lw_tensor> in = {x.View(), scale.View()};
  if (zero != nullptr) in.push_back(zero->View());
  const lw_tensor result = out.View();
  ASSERT_EQ(lw_op_run(op.get(), in.data(), in.size(), &result, 1), LW_OK)
      << lw_last_error();
  int faults = 0;
  for (int64_t i = 0; i < CountOf(shape.x) && faults < 3; ++i) {
    const int64_t at = shape.ParameterOf(i);
    const std::vector<uint8_t> own = x.At(i), by = scale.At(at);
    const std::vector<uint8_t> from = zero != nullptr ? zero->At(at) : by;
    const std::vector<uint8_t> expected =
        oracle(own.data(), by.data(), zero != nullptr ? from.data() : nullptr);
    const std::vector<uint8_t> actual = out.At(i);
    if (actual == expected || AreBothNan(to, actual, expected)) continue;
    ++faults;
    ADD_FAILURE() << "element " << i << " is " << NumberAt(to, actual.data())
                  << ", not " << NumberAt(to, expected.data()) << ": x "
                  << NumberAt(x.type, own.data()) << ", scale "
                  << NumberAt(scale.type, by.data());
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_CONVERSION_ALIGNED_CALLS_H_
