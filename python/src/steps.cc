// SPDX-License-Identifier: Apache-2.0

#include "steps.h"

#include <deque>
#include <limits>

namespace lanewise_python {
namespace {

/// An attribute of an operator, and where its values lie.
struct Attribute {
  const char* name;
  int kind;
  float number;
  int64_t whole;
  lw_string text;
  std::vector<float> numbers;
  std::vector<int64_t> wholes;
};

bool ReadAttribute(PyObject* description, Attribute* attribute) {
  PyObject* value = nullptr;
  if (!IsTuple(description)) return false;
  if (!PyArg_ParseTuple(description, "siO", &attribute->name, &attribute->kind,
                        &value)) {
    return false;
  }
  if (attribute->kind == LW_ATTRIBUTE_STRING) {
    Py_ssize_t size = 0;
    attribute->text.data = PyUnicode_AsUTF8AndSize(value, &size);
    attribute->text.size = static_cast<size_t>(size);
  } else if (attribute->kind == LW_ATTRIBUTE_FLOAT) {
    attribute->number = static_cast<float>(PyFloat_AsDouble(value));
  } else if (attribute->kind == LW_ATTRIBUTE_INT) {
    attribute->whole = PyLong_AsLongLong(value);
  } else {
    for (Py_ssize_t i = 0; i < PySequence_Size(value); ++i) {
      const Ref item(PySequence_GetItem(value, i));
      if (!item) return false;
      if (attribute->kind == LW_ATTRIBUTE_FLOATS) {
        attribute->numbers.push_back(
            static_cast<float>(PyFloat_AsDouble(item.get())));
      } else {
        attribute->wholes.push_back(PyLong_AsLongLong(item.get()));
      }
    }
  }
  return PyErr_Occurred() == nullptr;
}

lw_attribute AsAttribute(const Attribute& of) {
  switch (of.kind) {
    case LW_ATTRIBUTE_FLOAT:
      return {of.name, of.kind, 1, &of.number};
    case LW_ATTRIBUTE_INT:
      return {of.name, of.kind, 1, &of.whole};
    case LW_ATTRIBUTE_STRING:
      return {of.name, of.kind, 1, &of.text};
    case LW_ATTRIBUTE_FLOATS:
      return {of.name, of.kind, of.numbers.size(), of.numbers.data()};
    default:
      return {of.name, of.kind, of.wholes.size(), of.wholes.data()};
  }
}

}  // namespace

bool IsTuple(PyObject* part) {
  if (PyTuple_Check(part)) return true;
  PyErr_Format(PyExc_TypeError, "a program's part is %R, which is no tuple",
               part);
  return false;
}

bool ReadNumbers(PyObject* tuple, std::vector<int32_t>* numbers) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    const long long number = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (number == -1 && PyErr_Occurred() != nullptr) return false;
    if (number < -1 || number > std::numeric_limits<int32_t>::max()) {
      PyErr_SetString(PyExc_ValueError, "no value has such a number");
      return false;
    }
    numbers->push_back(static_cast<int32_t>(number));
  }
  return true;
}

Steps::~Steps() {
  for (const lw_step& step : steps_) {
    lw_op_destroy(const_cast<lw_op*>(step.op));
  }
}

bool Steps::Add(const lw_engine* engine, PyObject* description) {
  const char* name = nullptr;
  int opset = 0;
  PyObject *attributes = nullptr, *operands = nullptr;
  if (!IsTuple(description)) return false;
  if (!PyArg_ParseTuple(description, "siO!O!", &name, &opset, &PyTuple_Type,
                        &attributes, &PyTuple_Type, &operands)) {
    return false;
  }
  std::deque<Attribute> read(static_cast<size_t>(PyTuple_Size(attributes)));
  std::vector<lw_attribute> given;
  for (size_t i = 0; i < read.size(); ++i) {
    if (!ReadAttribute(PyTuple_GetItem(attributes, static_cast<Py_ssize_t>(i)),
                       &read[i])) {
      return false;
    }
    given.push_back(AsAttribute(read[i]));
  }
  lw_op* op = nullptr;
  const lw_status status =
      lw_op_create(engine, name, opset, given.data(), given.size(), &op);
  if (status != LW_OK) {
    RaiseLast(status);
    return false;
  }
  std::vector<int32_t>& numbers = operands_.emplace_back();
  steps_.push_back({op, nullptr, 0});
  return ReadNumbers(operands, &numbers);
}

std::vector<lw_step>& Steps::All() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].operands = operands_[i].data();
    steps_[i].operand_count = operands_[i].size();
  }
  return steps_;
}

}  // namespace lanewise_python
