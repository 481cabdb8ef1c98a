// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"

#include <complex>
#include <cstring>

namespace lanewise_python {
namespace {

/// What the capsule of __array_struct__ holds, as NumPy's manual describes it.
struct ArrayInterface {
  int two;  // always 2
  int nd;
  char typekind;
  int itemsize;
  int flags;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // in bytes
  void* data;
  PyObject* descr;
};
constexpr int kContiguous = 0x1, kAligned = 0x100, kNotSwapped = 0x200,
              kWriteable = 0x400;
static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "needs 64 bits");

/// The lw_type of NumPy's own types; 0 for others.
int32_t OwnType(char kind, int size) {
  switch (kind) {
    case 'f':
      return size == 4   ? LW_FLOAT32
             : size == 8 ? LW_FLOAT64
             : size == 2 ? LW_FLOAT16
                         : 0;
    case 'i':
      return size == 4   ? LW_INT32
             : size == 8 ? LW_INT64
             : size == 1 ? LW_INT8
             : size == 2 ? LW_INT16
                         : 0;
    case 'u':
      return size == 4   ? LW_UINT32
             : size == 8 ? LW_UINT64
             : size == 1 ? LW_UINT8
             : size == 2 ? LW_UINT16
                         : 0;
    case 'b':
      return LW_BOOL;
    case 'c':
      return size == 8 ? LW_COMPLEX64 : size == 16 ? LW_COMPLEX128 : 0;
    default:
      return 0;
  }
}

/// The lw_type of types that other packages add to NumPy; 0 for others, -1 with
/// an exception.
int32_t AddedType(PyObject* array) {
  const Ref dtype(PyObject_GetAttr(array, globals.dtype));
  if (!dtype) return -1;
  PyObject* const type = PyDict_GetItemWithError(globals.dtypes, dtype.get());
  if (type == nullptr) return PyErr_Occurred() != nullptr ? -1 : 0;
  return static_cast<int32_t>(PyLong_AsLong(type));
}

}  // namespace

Reading ReadArray(PyObject* object, Argument* argument) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != globals.ndarray) {
    return Reading::kUnusual;
  }
  argument->memory = Ref(PyObject_GetAttr(object, globals.array_struct));
  if (!argument->memory) return Reading::kFailed;
  const auto* array = static_cast<const ArrayInterface*>(
      PyCapsule_GetPointer(argument->memory.get(), nullptr));
  if (array == nullptr) return Reading::kFailed;
  constexpr int kNeeded = kAligned | kNotSwapped;
  if ((array->flags & kNeeded) != kNeeded || array->nd > LW_MAX_RANK) {
    return Reading::kUnusual;
  }
  int32_t type = OwnType(array->typekind, array->itemsize);
  if (type == 0) type = AddedType(object);
  if (type <= 0) return type < 0 ? Reading::kFailed : Reading::kUnusual;
  argument->object = object;
  argument->is_writeable = (array->flags & kWriteable) != 0;
  argument->is_contiguous = (array->flags & kContiguous) != 0;
  argument->tensor = {
      array->data, type,
      array->nd,   reinterpret_cast<const int64_t*>(array->shape),
      nullptr,     0};
  if (argument->is_contiguous) return Reading::kDone;
  for (int i = 0; i < array->nd; ++i) {
    if (array->strides[i] % array->itemsize != 0) return Reading::kUnusual;
    argument->strides[i] = array->strides[i] / array->itemsize;
  }
  argument->tensor.strides = argument->strides;
  return Reading::kDone;
}

Reading ReadArgument(PyObject* object, Argument* argument) {
  int32_t type = 0;
  if (PyFloat_CheckExact(object)) {
    type = kFloat;
  } else if (PyLong_CheckExact(object)) {
    type = kInt;
  } else if (PyBool_Check(object)) {
    type = LW_BOOL;
  } else {
    return ReadArray(object, argument);
  }
  argument->object = object;
  argument->is_contiguous = true;
  argument->tensor = {argument->number, type, 0, nullptr, nullptr, 0};
  argument->number[0] = static_cast<char>(object == Py_True);
  return Reading::kDone;
}

namespace {

/// A value in a type that C++ lacks, by the library's own Cast.
bool Convert(double value, int32_t type, lw_tensor* tensor) {
  const int64_t to = type;
  const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &to};
  lw_op* cast = nullptr;
  lw_status status = lw_op_create(nullptr, "Cast", 24, &attribute, 1, &cast);
  const lw_tensor from = {&value, LW_FLOAT64, 0, nullptr, nullptr, 0};
  if (status == LW_OK) status = lw_op_run(cast, &from, 1, tensor, 1);
  lw_op_destroy(cast);
  if (status != LW_OK) RaiseLast(status);
  return status == LW_OK;
}

template <typename T>
bool Put(T value, lw_tensor* tensor) {
  std::memcpy(tensor->data, &value, sizeof value);
  return true;
}

template <typename T, typename Wide>
bool PutInteger(Wide value, PyObject* number, lw_tensor* tensor) {
  if (value == static_cast<Wide>(static_cast<T>(value))) {
    return Put(static_cast<T>(value), tensor);
  }
  PyErr_Format(PyExc_OverflowError, "Python integer %R out of bounds for %s",
               number, lw_type_name(tensor->type));
  return false;
}

bool FillInteger(PyObject* number, lw_tensor* tensor) {
  if (tensor->type == LW_UINT64) {
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    if (value == ~0ull && PyErr_Occurred() != nullptr) return false;
    return Put<uint64_t>(value, tensor);
  }
  const long long value = PyLong_AsLongLong(number);
  if (value == -1 && PyErr_Occurred() != nullptr) return false;
  switch (tensor->type) {
    case LW_INT64:
      return Put<int64_t>(value, tensor);
    case LW_INT32:
      return PutInteger<int32_t>(value, number, tensor);
    case LW_INT16:
      return PutInteger<int16_t>(value, number, tensor);
    case LW_INT8:
      return PutInteger<int8_t>(value, number, tensor);
    case LW_UINT32:
      return PutInteger<uint32_t>(value, number, tensor);
    case LW_UINT16:
      return PutInteger<uint16_t>(value, number, tensor);
    default:
      return PutInteger<uint8_t>(value, number, tensor);
  }
}

bool IsInteger(int32_t type) {
  return (type >= LW_UINT8 && type <= LW_INT64) || type == LW_UINT32 ||
         type == LW_UINT64;
}

}  // namespace

bool FillNumber(Argument* argument, int32_t type, lw_tensor* tensor) {
  *tensor = argument->tensor;
  if (tensor->type == type) return true;  // a bool
  tensor->type = type;
  if (IsInteger(type)) return FillInteger(argument->object, tensor);
  const double value = PyFloat_AsDouble(argument->object);
  if (value == -1 && PyErr_Occurred() != nullptr) return false;
  switch (type) {
    case LW_FLOAT64:
      return Put(value, tensor);
    case LW_FLOAT32:
      return Put(static_cast<float>(value), tensor);
    case LW_COMPLEX64:
      return Put(std::complex<float>(static_cast<float>(value)), tensor);
    case LW_COMPLEX128:
      return Put(std::complex<double>(value), tensor);
    default:
      return Convert(value, type, tensor);
  }
}

Ref NewArray(const lw_shape& shape, PyObject* dtype, const Argument* arguments,
             size_t count) {
  for (size_t i = 0; i < count && shape.rank > 1; ++i) {
    const lw_tensor& like = arguments[i].tensor;
    if (like.rank != shape.rank ||
        std::memcmp(like.dims, shape.dims, sizeof(int64_t) * shape.rank) != 0) {
      continue;
    }
    if (arguments[i].is_contiguous) break;
    return Ref(PyObject_CallFunctionObjArgs(
        globals.empty_like, arguments[i].object, dtype, nullptr));
  }
  const Ref dims(PyTuple_New(shape.rank));
  if (!dims) return Ref();
  for (int32_t i = 0; i < shape.rank; ++i) {
    PyObject* const dim = PyLong_FromLongLong(shape.dims[i]);
    if (dim == nullptr || PyTuple_SetItem(dims.get(), i, dim) != 0)
      return Ref();
  }
  return Ref(
      PyObject_CallFunctionObjArgs(globals.empty, dims.get(), dtype, nullptr));
}

}  // namespace lanewise_python
