// SPDX-License-Identifier: Apache-2.0
//
// lanewise._core: the C ABI for the package's Python code.

#include "object.h"
#include "pool.h"

namespace lanewise_python {

Globals globals;

PyObject* RaiseLast(lw_status status) {
  PyObject* type = PyExc_ValueError;
  if (status == LW_OUT_OF_MEMORY) type = PyExc_MemoryError;
  if (status == LW_UNSUPPORTED_TYPE) type = PyExc_TypeError;
  if (status == LW_THREADING_FAILED) type = PyExc_RuntimeError;
  PyErr_SetString(type, lw_last_error());
  return nullptr;
}

namespace {

/// (name, (lw_type, ...), type parameter, is optional, is variadic)
PyObject* Operands(const lw_operand* operands, size_t count) {
  Ref all(PyTuple_New(static_cast<Py_ssize_t>(count)));
  for (size_t i = 0; all && i < count; ++i) {
    const lw_operand& operand = operands[i];
    Ref types(PyTuple_New(static_cast<Py_ssize_t>(operand.type_count)));
    for (size_t k = 0; types && k < operand.type_count; ++k) {
      PyTuple_SetItem(types.get(), static_cast<Py_ssize_t>(k),
                      PyLong_FromLong(operand.types[k]));
    }
    if (!types) return nullptr;
    PyObject* const item = Py_BuildValue(
        "(sOsii)", operand.name, types.get(), operand.type_parameter,
        static_cast<int>(operand.optional), static_cast<int>(operand.variadic));
    if (item == nullptr) return nullptr;
    PyTuple_SetItem(all.get(), static_cast<Py_ssize_t>(i), item);
  }
  return all.release();
}

/// (name, kind, is required, tells the type)
PyObject* Attributes(const lw_signature& signature) {
  Ref all(PyTuple_New(static_cast<Py_ssize_t>(signature.attribute_count)));
  for (size_t i = 0; all && i < signature.attribute_count; ++i) {
    const lw_attribute_info& info = signature.attributes[i];
    PyObject* const item = Py_BuildValue(
        "(siii)", info.name, static_cast<int>(info.kind),
        static_cast<int>(info.required), static_cast<int>(info.tells_type));
    if (item == nullptr) return nullptr;
    PyTuple_SetItem(all.get(), static_cast<Py_ssize_t>(i), item);
  }
  return all.release();
}

PyObject* Signatures(PyObject*, PyObject*) {
  Ref rows(PyList_New(0));
  const lw_signature* signature = nullptr;
  for (size_t i = 0; rows && (signature = lw_signature_at(i)) != nullptr; ++i) {
    const Ref inputs(Operands(signature->inputs, signature->input_count));
    const Ref outputs(Operands(signature->outputs, signature->output_count));
    const Ref attributes(Attributes(*signature));
    if (!inputs || !outputs || !attributes) return nullptr;
    const Ref row(Py_BuildValue("(siiOOO)", signature->name,
                                static_cast<int>(signature->since_version),
                                static_cast<int>(signature->last_opset),
                                inputs.get(), outputs.get(), attributes.get()));
    if (!row || PyList_Append(rows.get(), row.get()) != 0) return nullptr;
  }
  return rows.release();
}

PyObject* Isas(PyObject*, PyObject*) {
  Ref names(PyList_New(0));
  const char* name = nullptr;
  for (size_t i = 0; names && (name = lw_isa_name(i)) != nullptr; ++i) {
    const Ref text(PyUnicode_FromString(name));
    if (!text || PyList_Append(names.get(), text.get()) != 0) return nullptr;
  }
  return names.release();
}

PyObject* TypeName(PyObject*, PyObject* type) {
  const long number = PyLong_AsLong(type);
  if (number == -1 && PyErr_Occurred() != nullptr) return nullptr;
  return PyUnicode_FromString(lw_type_name(static_cast<int32_t>(number)));
}

/// setup(numpy, dtypes, engine, make_engine): `dtypes` tells the lw_type of
/// types that NumPy itself does not have. `engine` returns the engine of this
/// context or None, `make_engine` makes the engine for None.
PyObject* Setup(PyObject*, PyObject* args) {
  PyObject *numpy = nullptr, *dtypes = nullptr, *engine = nullptr,
           *make_engine = nullptr;
  if (!PyArg_ParseTuple(args, "OO!OO", &numpy, &PyDict_Type, &dtypes, &engine,
                        &make_engine)) {
    return nullptr;
  }
  globals.ndarray = PyObject_GetAttrString(numpy, "ndarray");
  globals.empty = PyObject_GetAttrString(numpy, "empty");
  globals.empty_like = PyObject_GetAttrString(numpy, "empty_like");
  Py_INCREF(dtypes);
  globals.dtypes = dtypes;
  Py_INCREF(engine);
  globals.engine = engine;
  if (PyErr_Occurred() != nullptr) return nullptr;
  Py_INCREF(make_engine);
  globals.make_engine = make_engine;
  Py_RETURN_NONE;
}

PyMethodDef kFunctions[] = {
    {"signatures", Signatures, METH_NOARGS, "The rows of the support table."},
    {"isas", Isas, METH_NOARGS, "The instruction sets, best first."},
    {"type_name", TypeName, METH_O, "The name of an lw_type."},
    {"setup", Setup, METH_VARARGS, "setup(numpy, dtypes, engine, make_engine)"},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module_definition = {PyModuleDef_HEAD_INIT,
                                 "lanewise._core",
                                 "The C ABI of lanewise.",
                                 -1,
                                 kFunctions,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

bool AddType(PyObject* module, const char* name, PyTypeObject* type) {
  if (type == nullptr) return false;
  return PyModule_AddObjectRef(module, name,
                               reinterpret_cast<PyObject*>(type)) == 0;
}

PyObject* Make() {
  if (!PreparePool()) return PyErr_NoMemory();
  globals.array_struct = PyUnicode_InternFromString("__array_struct__");
  globals.dtype = PyUnicode_InternFromString("dtype");
  globals.no_indices = PyTuple_New(0);
  globals.engine_type = MakeEngineType();
  globals.program_type = MakeProgramType();
  if (globals.array_struct == nullptr || globals.dtype == nullptr ||
      globals.no_indices == nullptr) {
    return nullptr;
  }
  Ref module(PyModule_Create(&module_definition));
  if (!module || !AddType(module.get(), "Engine", globals.engine_type) ||
      !AddType(module.get(), "Program", globals.program_type) ||
      !AddType(module.get(), "Function", MakeFunctionType()) ||
      PyModule_AddStringConstant(module.get(), "version", lw_version()) != 0) {
    return nullptr;
  }
#if defined(Py_GIL_DISABLED)
  PyUnstable_Module_SetGIL(module.get(), Py_MOD_GIL_NOT_USED);
#endif
  return module.release();
}

}  // namespace
}  // namespace lanewise_python

PyMODINIT_FUNC PyInit__core() { return lanewise_python::Make(); }
