// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of Reshape: the table of types from ONNX, and a call
// whose target shape is the dims of the output.

#ifndef LANEWISE_TESTS_KERNELS_MOVEMENT_RESHAPE_CALLS_H_
#define LANEWISE_TESTS_KERNELS_MOVEMENT_RESHAPE_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/subject.h"

namespace lanewise::test {

struct ReshapeType {
  lw_type type;
  size_t bits;
  int32_t since;
};

inline constexpr ReshapeType kReshapeTypes[] = {
    {LW_FLOAT16, 16, 1},      {LW_FLOAT32, 32, 1},
    {LW_FLOAT64, 64, 1},      {LW_INT8, 8, 5},
    {LW_INT16, 16, 5},        {LW_INT32, 32, 5},
    {LW_INT64, 64, 5},        {LW_UINT8, 8, 5},
    {LW_UINT16, 16, 5},       {LW_UINT32, 32, 5},
    {LW_UINT64, 64, 5},       {LW_BOOL, 8, 5},
    {LW_COMPLEX64, 64, 5},    {LW_COMPLEX128, 128, 5},
    {LW_STRING, 128, 5},      {LW_BFLOAT16, 16, 13},
    {LW_FLOAT8E4M3FN, 8, 19}, {LW_FLOAT8E4M3FNUZ, 8, 19},
    {LW_FLOAT8E5M2, 8, 19},   {LW_FLOAT8E5M2FNUZ, 8, 19},
    {LW_INT4, 4, 21},         {LW_UINT4, 4, 21},
    {LW_FLOAT4E2M1, 4, 23},   {LW_FLOAT8E8M0, 8, 24},
    {LW_INT2, 2, 25},         {LW_UINT2, 2, 25},
};

inline constexpr int32_t kReshapeVersions[] = {1,  5,  13, 14, 19,
                                               21, 23, 24, 25};

inline size_t ReshapeBytes(const ReshapeType& type, size_t elements) {
  return (elements * type.bits + 7) / 8;
}

/// Reshapes `in` to the dims of `out`, in any version.
inline lw_status RunReshape(const lw_engine* engine, int32_t opset,
                            const lw_tensor& in, const lw_tensor& out) {
  const auto rank = static_cast<size_t>(out.rank);
  std::vector<lw_attribute> attributes;
  const int64_t one = 1;
  if (opset < 5) attributes.push_back(IntsAttribute("shape", out.dims, rank));
  if (opset >= 14) attributes.push_back(IntAttribute("allowzero", &one));
  const OpPtr op = MakeOp(engine, {"Reshape", opset}, attributes);
  const auto length = static_cast<int64_t>(rank);
  const lw_tensor inputs[] = {
      in, {const_cast<int64_t*>(out.dims), LW_INT64, 1, &length, nullptr, 0}};
  return lw_op_run(op.get(), inputs, opset < 5 ? 1 : 2, &out, 1);
}

/// Whether the last error message contains `part`.
inline bool ErrorMentions(const std::string& part) {
  return std::strstr(lw_last_error(), part.c_str()) != nullptr;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_MOVEMENT_RESHAPE_CALLS_H_
