// SPDX-License-Identifier: Apache-2.0
//
// NumPy's arrays and Python's numbers as lw_tensor, without NumPy's headers: by
// __array_struct__, NumPy's protocol for C, which has been the same in all
// versions.
#ifndef LANEWISE_PYTHON_ARGUMENTS_H_
#define LANEWISE_PYTHON_ARGUMENTS_H_

#include "object.h"

namespace lanewise_python {

/// Python's int and float, which take the type of the arrays beside them. They
/// stand where an lw_type stands, for arguments only.
constexpr int32_t kInt = 100;
constexpr int32_t kFloat = 101;

/// One argument of a call. The tensor points into this struct, which must not
/// move.
struct Argument {
  Argument() {}  // leaves `strides` as they are
  lw_tensor tensor;
  bool is_writeable;
  bool is_contiguous;  // row-major, without gaps
  PyObject* object;    // borrowed
  Ref memory;          // what `tensor` points into
  int64_t strides[LW_MAX_RANK];
  alignas(16) char number[16];  // room for the value of a number
};

enum class Reading { kDone, kUnusual, kFailed };

/// Reads a NumPy array in place. kUnusual: the object is no plain array, or
/// lanewise cannot read its memory as it lies there.
Reading ReadArray(PyObject* object, Argument* argument);

/// Reads an array or a number. Numbers have the type kInt or kFloat; FillNumber
/// gives them their value.
Reading ReadArgument(PyObject* object, Argument* argument);

/// Makes `tensor` the number as an element of this type, rounded once. False
/// with an exception, if the number is beyond the integers of this type.
bool FillNumber(Argument* argument, int32_t type, lw_tensor* tensor);

/// A new array of this shape. Its memory is ordered as that of the first
/// argument which has the same shape.
Ref NewArray(const lw_shape& shape, PyObject* dtype, const Argument* arguments,
             size_t count);

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_ARGUMENTS_H_
