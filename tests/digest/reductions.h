// SPDX-License-Identifier: Apache-2.0
//
// Digests of reductions: sums have one order on every CPU.

#ifndef LANEWISE_TESTS_DIGEST_REDUCTIONS_H_
#define LANEWISE_TESTS_DIGEST_REDUCTIONS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/digest/elements.h"
#include "tests/digest/tensor.h"

namespace lanewise::digest {

inline bool IsReduction(const lw_signature& row) {
  return std::any_of(row.attributes, row.attributes + row.attribute_count,
                     [](const lw_attribute_info& info) {
                       return std::strcmp(info.name, "keepdims") == 0;
                     });
}

/// One digest of all results of a type; false: the engine refuses the type.
inline bool DigestOfReduction(const lw_engine* engine, const lw_signature& row,
                              int32_t type, uint64_t* digest) {
  struct Shape {
    std::vector<int64_t> dims;
    int64_t axis;
  };
  // Along and across memory, in one piece and in several.
  static const auto& shapes = *new std::vector<Shape>{
      {{200'001}, 0},   {{70, 65}, 1}, {{7, 1'000}, 1},  {{65, 70}, 0},
      {{1'000, 37}, 0}, {{9, 5}, 1},   {{5, 600, 6}, 1}, {{2, 3, 130}, 2}};
  const lw_operand& output = row.outputs[0];
  const int32_t to = output.type_count == 1 ? output.types[0] : type;
  *digest = kEmpty;
  for (const Shape& shape : shapes) {
    int64_t axis = shape.axis;
    const int64_t one = 1;
    const lw_attribute attribute = {"axis", LW_ATTRIBUTE_INT, 1, &axis};
    const bool by_input = row.input_count == 2;
    lw_op* op = nullptr;
    const lw_status status = lw_op_create(engine, row.name, row.since_version,
                                          &attribute, by_input ? 0 : 1, &op);
    if (status == LW_NOT_EXACT) return false;
    Must(status);
    std::vector<int64_t> dims = shape.dims;
    dims[static_cast<size_t>(axis)] = 1;
    Tensor x(type, shape.dims), out(to, dims);
    for (const bool moderate : {true, false}) {
      x.Fill(moderate ? 1 : 2, moderate);
      const lw_tensor in[] = {x.View(), {&axis, LW_INT64, 1, &one, nullptr, 0}};
      const lw_tensor result = out.View();
      Must(lw_op_run(op, in, row.input_count, &result, 1));
      *digest = Mix(*digest, out.bytes.data(), out.Stored(), FormatOf(to));
    }
    lw_op_destroy(op);
  }
  return true;
}

}  // namespace lanewise::digest

#endif  // LANEWISE_TESTS_DIGEST_REDUCTIONS_H_
