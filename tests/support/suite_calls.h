// SPDX-License-Identifier: Apache-2.0
//
// How the operator suite calls an operator.

#ifndef LANEWISE_TESTS_SUPPORT_SUITE_CALLS_H_
#define LANEWISE_TESTS_SUPPORT_SUITE_CALLS_H_

#include <cstddef>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/operator_spec.h"
#include "tests/support/subject.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {

inline OpPtr MakeNewest(const OperatorSpec& spec, const lw_engine* engine) {
  return MakeOp(engine, {spec.name, spec.newest_opset}, spec.attributes);
}

/// Whether a call computed all elements. Integers may be divided by 0.
inline bool IsDone(const OperatorSpec& spec, lw_status status) {
  return status == LW_OK || (spec.divides && status == LW_DIVIDE_BY_ZERO);
}

/// A kernel of an operator, called with arrays.
struct Kernel {
  OpPtr op;
  const lw_kernel* handle = nullptr;

  Kernel(const OperatorSpec& spec, const lw_engine* engine, lw_type type,
         int pattern)
      : op(MakeNewest(spec, engine)) {
    lw_op_kernel(op.get(), type, pattern, &handle);
  }
  bool there() const { return handle != nullptr; }
  lw_status Run(const Arrays& in, void* out, size_t n) const {
    const void* inputs[4] = {};
    for (size_t k = 0; k < in.size(); ++k) inputs[k] = in[k].data();
    return lw_kernel_run(handle, inputs, out, n);
  }
};

/// One call on arrays of one dim.
inline lw_status RunArrays(const lw_op* op, const Arrays& in, Array& out) {
  const auto n = static_cast<int64_t>(out.size());
  const int64_t one = 1;
  std::vector<lw_tensor> inputs;
  for (const Array& input : in) {
    inputs.push_back({const_cast<uint8_t*>(input.data()), input.type(), 1,
                      input.size() == 1 ? &one : &n, nullptr, input.bytes()});
  }
  const lw_tensor output = {out.data(), out.type(), 1,
                            &n,         nullptr,    out.bytes()};
  return lw_op_run(op, inputs.data(), inputs.size(), &output, 1);
}

template <class Body>
void ForEachType(const OperatorSpec& spec, const Body& body) {
  for (const lw_type type : SuiteTypes(spec)) {
    SCOPED_TRACE(lw_type_name(type));
    body(type);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SUITE_CALLS_H_
