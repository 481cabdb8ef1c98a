// SPDX-License-Identifier: Apache-2.0
//
// What the shared checks are done on: an operator at an opset and a type,
// behind the kernel API or the tensor API, called with plain pointers.

#ifndef LANEWISE_TESTS_SUPPORT_SUBJECT_H_
#define LANEWISE_TESTS_SUPPORT_SUBJECT_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/array.h"

namespace lanewise::test {

struct OpId {
  const char* name;
  int32_t opset;
  int inputs = 1;
  const lw_attribute* attribute = nullptr;  ///< one that every node gets
};

struct Destroy {
  void operator()(lw_engine* engine) const { lw_engine_destroy(engine); }
  void operator()(lw_op* op) const { lw_op_destroy(op); }
  void operator()(lw_call* call) const { lw_call_destroy(call); }
};
using EnginePtr = std::unique_ptr<lw_engine, Destroy>;
using OpPtr = std::unique_ptr<lw_op, Destroy>;
using CallPtr = std::unique_ptr<lw_call, Destroy>;

/// Attributes that hold integers. The integers must outlive the attribute.
inline lw_attribute IntAttribute(const char* name, const int64_t* value) {
  return {name, LW_ATTRIBUTE_INT, 1, value};
}
inline lw_attribute IntsAttribute(const char* name, const int64_t* values,
                                  size_t count) {
  return {name, LW_ATTRIBUTE_INTS, count, values};
}
inline lw_attribute FloatAttribute(const char* name, const float* value) {
  return {name, LW_ATTRIBUTE_FLOAT, 1, value};
}

OpPtr MakeOp(const lw_engine* engine, const OpId& id,
             std::vector<lw_attribute> attributes = {});

/// The status of asking for a kernel.
lw_status KernelStatus(const lw_engine* engine, const char* name, int32_t opset,
                       int32_t type, int32_t pattern = LW_SAME);

/// The row of the support table that an opset means; nullptr if there is none.
const lw_signature* SignatureOf(const std::string& name, int32_t opset);

struct Subject {
  lw_type type;
  int inputs;
  lw_pattern pattern;
  /// b is nullptr for one input; a scalar is one element.
  std::function<lw_status(const void* a, const void* b, void* out, size_t n)>
      compute;

  /// How many elements input 0 or 1 has for n outputs.
  size_t Elements(int input, size_t n) const {
    return (pattern >> input & 1) != 0 ? 1 : n;
  }
};

Subject KernelApi(const lw_engine* engine, const OpId& id, lw_type type,
                  lw_pattern pattern = LW_SAME,
                  const std::vector<lw_attribute>& attributes = {});

/// One-dimensional tensors. The engine must live as long as the subject.
Subject TensorApi(const lw_engine* engine, const OpId& id, lw_type type,
                  lw_pattern pattern = LW_SAME);

/// One run over whole arrays, out of place; a scalar is the first element.
Array Compute(const Subject& subject, const Array& a, const Array& b = {});

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SUBJECT_H_
