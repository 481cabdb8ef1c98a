// SPDX-License-Identifier: Apache-2.0
//
// The steps of a program, as Python describes them.
#ifndef LANEWISE_PYTHON_STEPS_H_
#define LANEWISE_PYTHON_STEPS_H_

#include <vector>

#include "object.h"

namespace lanewise_python {

/// A part of a description, which is made by Python code: of no type and size
/// is anybody sure. False with an exception.
bool IsTuple(PyObject* part);

/// The numbers of values in a tuple. False with an exception.
bool ReadNumbers(PyObject* tuple, std::vector<int32_t>* numbers);

/// The operators of a description, until the chain has copied them.
class Steps {
 public:
  Steps() = default;
  Steps(const Steps&) = delete;
  ~Steps();

  /// (name, opset, ((attribute, kind, value), ...), (operand, ...)). False with
  /// an exception.
  bool Add(const lw_engine* engine, PyObject* description);

  std::vector<lw_step>& All();

 private:
  std::vector<lw_step> steps_;
  std::vector<std::vector<int32_t>> operands_;
};

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_STEPS_H_
