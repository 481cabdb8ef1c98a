// SPDX-License-Identifier: Apache-2.0
//
// Program: an operator or a chain for arguments of certain types.
#ifndef LANEWISE_PYTHON_PROGRAM_H_
#define LANEWISE_PYTHON_PROGRAM_H_

#include "arguments.h"
#include "object.h"

namespace lanewise_python {

/// The most arguments of a call: numbers and arrays. Several inputs of a chain
/// may be one argument.
constexpr size_t kMaxArguments = LW_MAX_INPUTS;

/// The arguments of a call. `out` is nullptr, an array, or a tuple of arrays.
struct Call {
  Argument arguments[kMaxArguments];
  size_t count = 0;
  PyObject* out = nullptr;
};

/// Runs the program on arguments whose types are those that it was made for. A
/// new reference: an array, a scalar, or a tuple of these.
PyObject* RunProgram(PyObject* program, Call* call);

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_PROGRAM_H_
