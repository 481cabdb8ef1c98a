// SPDX-License-Identifier: Apache-2.0
//
// Reshape's rules: any input dims and any target, in every version. The rule is
// spelled out once more in numbers of 128 bits.

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

using Dims = std::vector<int64_t>;
__extension__ using Wide = __int128;

// So many elements of 16 bytes have an address each.
constexpr Wide kMost = INT64_MAX / 16;

/// The product; nothing where no memory has so many elements.
std::optional<Wide> Product(const Dims& dims) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  Wide product = 1;
  for (const int64_t dim : dims) {
    product *= dim;
    if (product > kMost) return std::nullopt;
  }
  return product;
}

/// The output's dims; nothing for an error.
std::optional<Dims> Reshaped(const Dims& in, Dims target, bool keeps_zeros) {
  size_t unknown = target.size();
  Dims others;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] < -1) return std::nullopt;
    if (target[i] == 0 && !keeps_zeros) {
      if (i >= in.size()) return std::nullopt;
      target[i] = in[i];
    }
    if (target[i] != -1) {
      others.push_back(target[i]);
    } else if (unknown != target.size()) {
      return std::nullopt;
    } else {
      unknown = i;
    }
  }
  const std::optional<Wide> count = Product(in);
  const std::optional<Wide> product = Product(others);
  if (!count || !product) return std::nullopt;
  if (unknown == target.size()) {
    return *product == *count ? std::optional(target) : std::nullopt;
  }
  if (*product == 0 || *count % *product != 0) return std::nullopt;
  target[unknown] = static_cast<int64_t>(*count / *product);
  return target;
}

int64_t AnyDim(Random& random) {
  switch (random.Below(8)) {
    case 0:
      return static_cast<int64_t>(random.bits());
    case 1:
      return int64_t{1} << random.Below(63);
    case 2:
      return -1;
    default:
      return static_cast<int64_t>(random.Below(13));
  }
}

Dims AnyDims(Random& random) {
  Dims dims(random.Below(random.OneIn(16) ? 64 : 6));
  for (int64_t& dim : dims) dim = AnyDim(random);
  return dims;
}

void RunOne(Random& random) {
  const int32_t version =
      random.Of(std::initializer_list<int32_t>{1, 5, 13, 14, 19, 21, 25});
  Dims in = AnyDims(random);
  for (int64_t& dim : in) dim = dim < 0 ? -(dim + 1) : dim;
  Dims target = AnyDims(random);
  // Often the same factors in another order.
  if (random.OneIn(2)) target.assign(in.rbegin(), in.rend());
  if (!target.empty() && random.OneIn(2)) {
    target[random.Below(target.size())] = AnyDim(random);
  }
  const int64_t keeps_zeros = version >= 14 && random.OneIn(2) ? 1 : 0;
  std::vector<lw_attribute> attributes;
  if (keeps_zeros != 0) {
    attributes.push_back(IntAttribute("allowzero", &keeps_zeros));
  }
  if (version < 5) {
    attributes.push_back(IntsAttribute("shape", target.data(), target.size()));
  }
  SCOPED_TRACE(testing::PrintToString(in) + " to " +
               testing::PrintToString(target) +
               (keeps_zeros != 0 ? ", allowzero" : ""));
  lw_op* made = nullptr;
  const lw_status created = lw_op_create(
      nullptr, "Reshape", version, attributes.data(), attributes.size(), &made);
  const OpPtr op(made);
  const std::optional<Dims> expected = Reshaped(in, target, keeps_zeros != 0);
  if (created != LW_OK) {
    // An attribute can only be wrong by itself.
    ASSERT_LT(version, 5);
    ASSERT_FALSE(expected.has_value()) << lw_last_error();
    return;
  }
  const auto length = static_cast<int64_t>(target.size());
  const lw_tensor inputs[] = {
      {nullptr, LW_FLOAT32, static_cast<int32_t>(in.size()), in.data(), nullptr,
       0},
      {target.data(), LW_INT64, 1, &length, nullptr, 0}};
  lw_shape shape;
  const lw_status status =
      lw_op_infer(op.get(), inputs, version < 5 ? 1 : 2, &shape);
  ASSERT_EQ(status == LW_OK, expected.has_value())
      << lw_status_name(status) << ": " << lw_last_error();
  if (status == LW_OK) {
    ASSERT_EQ(Dims(shape.dims, shape.dims + shape.rank), *expected);
  }
}

}  // namespace
}  // namespace lanewise::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lanewise::test::Random random(data, size);
  lanewise::test::RunOne(random);
  return 0;
}
