// SPDX-License-Identifier: Apache-2.0

#include "tests/support/subject.h"

namespace lanewise::test {

OpPtr MakeOp(const lw_engine* engine, const OpId& id,
             std::vector<lw_attribute> attributes) {
  if (id.attribute != nullptr) attributes.push_back(*id.attribute);
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(engine, id.name, id.opset, attributes.data(),
                         attributes.size(), &op),
            LW_OK)
      << lw_last_error();
  return OpPtr(op);
}

lw_status KernelStatus(const lw_engine* engine, const char* name, int32_t opset,
                       int32_t type, int32_t pattern) {
  lw_op* op = nullptr;
  lw_status status = lw_op_create(engine, name, opset, nullptr, 0, &op);
  if (status != LW_OK) return status;
  const lw_kernel* kernel = nullptr;
  status = lw_op_kernel(op, type, pattern, &kernel);
  EXPECT_EQ(kernel != nullptr, status == LW_OK);
  lw_op_destroy(op);
  return status;
}

const lw_signature* SignatureOf(const std::string& name, int32_t opset) {
  const lw_signature* found = nullptr;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (row->name == name && row->since_version <= opset) found = row;
  }
  return found;
}

Subject KernelApi(const lw_engine* engine, const OpId& id, lw_type type,
                  lw_pattern pattern,
                  const std::vector<lw_attribute>& attributes) {
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

Subject TensorApi(const lw_engine* engine, const OpId& id, lw_type type,
                  lw_pattern pattern) {
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

Array Compute(const Subject& subject, const Array& a, const Array& b) {
  const size_t n = subject.pattern == LW_SCALAR_A ? b.size() : a.size();
  Array out(subject.type, n);
  EXPECT_EQ(
      subject.compute(a.data(), b.empty() ? nullptr : b.data(), out.data(), n),
      LW_OK)
      << lw_last_error();
  return out;
}

}  // namespace lanewise::test
