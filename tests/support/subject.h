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

inline OpPtr MakeOp(const lw_engine* engine, const OpId& id,
                    std::vector<lw_attribute> attributes = {}) {
  if (id.attribute != nullptr) attributes.push_back(*id.attribute);
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(engine, id.name, id.opset, attributes.data(),
                         attributes.size(), &op),
            LW_OK)
      << lw_last_error();
  return OpPtr(op);
}

/// The status of asking for a kernel.
inline lw_status KernelStatus(const lw_engine* engine, const char* name,
                              int32_t opset, int32_t type,
                              int32_t pattern = LW_SAME) {
  lw_op* op = nullptr;
  lw_status status = lw_op_create(engine, name, opset, nullptr, 0, &op);
  if (status != LW_OK) return status;
  const lw_kernel* kernel = nullptr;
  status = lw_op_kernel(op, type, pattern, &kernel);
  EXPECT_EQ(kernel != nullptr, status == LW_OK);
  lw_op_destroy(op);
  return status;
}

/// The row of the support table that an opset means; nullptr if there is none.
inline const lw_signature* SignatureOf(const std::string& name, int32_t opset) {
  const lw_signature* found = nullptr;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (row->name == name && row->since_version <= opset) found = row;
  }
  return found;
}

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

inline Subject KernelApi(const lw_engine* engine, const OpId& id, lw_type type,
                         lw_pattern pattern = LW_SAME,
                         const std::vector<lw_attribute>& attributes = {}) {
  const std::shared_ptr<lw_op> op(MakeOp(engine, id, attributes));
  const lw_kernel* kernel = nullptr;
  EXPECT_EQ(lw_op_kernel(op.get(), type, pattern, &kernel), LW_OK)
      << lw_last_error();
  return {type, id.inputs, pattern,
          [op, kernel](const void* a, const void* b, void* out, size_t n) {
            const void* const inputs[] = {a, b};
            return lw_kernel_run(kernel, inputs, out, n);
          }};
}

/// One-dimensional tensors. The engine must live as long as the subject.
inline Subject TensorApi(const lw_engine* engine, const OpId& id, lw_type type,
                         lw_pattern pattern = LW_SAME) {
  const std::shared_ptr<lw_op> op(MakeOp(engine, id));
  Subject subject = {type, id.inputs, pattern, {}};
  subject.compute = [op, subject](const void* a, const void* b, void* out,
                                  size_t n) {
    const int64_t dims[] = {static_cast<int64_t>(subject.Elements(0, n)),
                            static_cast<int64_t>(subject.Elements(1, n)),
                            static_cast<int64_t>(n)};
    const auto view = [&](const void* data, const int64_t* dim) -> lw_tensor {
      const size_t bytes =
          static_cast<size_t>(*dim) * ElementSize(subject.type);
      return {const_cast<void*>(data), subject.type, 1, dim, nullptr, bytes};
    };
    const lw_tensor in[] = {view(a, &dims[0]), view(b, &dims[1])};
    const lw_tensor result = view(out, &dims[2]);
    return lw_op_run(op.get(), in, static_cast<size_t>(subject.inputs), &result,
                     1);
  };
  return subject;
}

/// One run over whole arrays, out of place; a scalar is the first element.
inline Array Compute(const Subject& subject, const Array& a,
                     const Array& b = {}) {
  const size_t n = subject.pattern == LW_SCALAR_A ? b.size() : a.size();
  Array out(subject.type, n);
  EXPECT_EQ(
      subject.compute(a.data(), b.empty() ? nullptr : b.data(), out.data(), n),
      LW_OK)
      << lw_last_error();
  return out;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SUBJECT_H_
