// SPDX-License-Identifier: Apache-2.0
//
// Function: what a user calls. It keeps a program for each combination of
// engine, types and ranks; a subclass in Python makes the programs, and turns
// arguments that are no plain arrays or numbers into such.

#include <cstring>

#include "program.h"

namespace lanewise_python {
namespace {

struct Function {
  PyObject_HEAD
      // The programs, by the bytes of Key. Nothing is ever removed, so that
      // references from here are good for as long as the function lives.
      PyObject* programs;
};

PyObject* New(PyTypeObject* type, PyObject*, PyObject*) {
  Ref self(PyType_GenericAlloc(type, 0));
  if (!self) return nullptr;
  auto* const function = reinterpret_cast<Function*>(self.get());
  function->programs = PyDict_New();
  return function->programs != nullptr ? self.release() : nullptr;
}

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<Function*>(self)->programs);
  return 0;
}

int Clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<Function*>(self)->programs);
  return 0;
}

void Free(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Clear(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

bool IsSetUp() {
  if (globals.make_engine != nullptr) return true;
  PyErr_SetString(PyExc_RuntimeError, "nobody has called setup");
  return false;
}

/// Reads arguments that are all plain arrays and numbers.
Reading ReadCall(PyObject* args, PyObject* out, Call* call) {
  const Py_ssize_t count = PyTuple_Size(args);
  if (count == 0 || count > static_cast<Py_ssize_t>(kMaxArguments))
    return Reading::kUnusual;
  call->count = static_cast<size_t>(count);
  if (out != nullptr && PyTuple_Check(out) && PyTuple_Size(out) == 1)
    out = PyTuple_GetItem(out, 0);
  call->out = out == Py_None ? nullptr : out;
  for (size_t i = 0; i < call->count; ++i) {
    const Reading reading = ReadArgument(
        PyTuple_GetItem(args, static_cast<Py_ssize_t>(i)), &call->arguments[i]);
    if (reading != Reading::kDone) return reading;
  }
  return Reading::kDone;
}

/// The engine that calls of this thread and context use now.
Ref CurrentEngine() {
  Ref engine(PyObject_CallObject(globals.engine, nullptr));
  if (!engine || engine.get() != Py_None) return engine;
  // Made by the first call, so that a wrong environment variable fails no
  // import.
  PyObject* found = globals.default_engine.load();
  if (found != nullptr) return Ref::Of(found);
  Ref made(PyObject_CallObject(globals.make_engine, nullptr));
  // If another thread was first, the engine is the same.
  if (made && globals.default_engine.compare_exchange_strong(found, made.get()))
    Py_INCREF(made.get());
  return made;
}

/// The program for these arguments; made if the function has none. Borrowed.
PyObject* FindProgram(PyObject* self, PyObject* args, const Call& call) {
  const Ref engine = CurrentEngine();
  if (!engine) return nullptr;
  char bytes[sizeof(PyObject*) + 2 * kMaxArguments];
  const PyObject* const address = engine.get();
  std::memcpy(bytes, &address, sizeof address);
  size_t size = sizeof address;
  for (size_t i = 0; i < call.count; ++i) {
    bytes[size++] = static_cast<char>(call.arguments[i].tensor.type);
    bytes[size++] = static_cast<char>(call.arguments[i].tensor.rank);
  }
  const Ref key(
      PyBytes_FromStringAndSize(bytes, static_cast<Py_ssize_t>(size)));
  if (!key) return nullptr;
  PyObject* const programs = reinterpret_cast<Function*>(self)->programs;
  PyObject* program = PyDict_GetItemWithError(programs, key.get());
  if (program != nullptr || PyErr_Occurred() != nullptr) return program;
  const Ref made(
      PyObject_CallMethod(self, "_compile", "OO", engine.get(), args));
  if (!made) return nullptr;
  // Another thread may have been first.
  const Ref setdefault(PyObject_GetAttrString(programs, "setdefault"));
  if (!setdefault) return nullptr;
  const Ref kept(PyObject_CallFunctionObjArgs(setdefault.get(), key.get(),
                                              made.get(), nullptr));
  return kept ? PyDict_GetItemWithError(programs, key.get()) : nullptr;
}

PyObject* Run(PyObject* self, PyObject* args, Call* call) {
  PyObject* const program = FindProgram(self, args, *call);
  if (program == nullptr) return nullptr;
  // Not a program: what fuse(..., fallback=True) runs as NumPy.
  const bool is_program = Py_TYPE(program) == globals.program_type;
  Ref result(is_program ? RunProgram(program, call)
                        : PyObject_CallObject(program, args));
  if (is_program && !result &&
      PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
    // A number beyond its array's type. What that means depends on the number.
    PyErr_Clear();
    return PyObject_CallMethod(self, "_beyond", "OO", args,
                               call->out != nullptr ? call->out : Py_None);
  }
  if (call->out == nullptr || !result || result.get() == call->out)
    return result.release();
  return PyObject_CallMethod(self, "_put", "OO", result.get(), call->out);
}

/// The keyword `out` if it is the only one.
bool OnlyOut(PyObject* kwargs, PyObject** out) {
  if (kwargs == nullptr || PyDict_Size(kwargs) == 0) return true;
  *out = PyDict_GetItemString(kwargs, "out");
  return *out != nullptr && PyDict_Size(kwargs) == 1;
}

PyObject* CallGuarded(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* out = nullptr;
  Call call;
  Reading reading = Reading::kUnusual;
  if (!IsSetUp()) return nullptr;
  if (OnlyOut(kwargs, &out)) reading = ReadCall(args, out, &call);
  if (reading == Reading::kFailed) return nullptr;
  if (reading == Reading::kDone) return Run(self, args, &call);
  const Ref none(kwargs == nullptr ? PyDict_New() : nullptr);
  return PyObject_CallMethod(self, "_unusual", "OO", args,
                             kwargs == nullptr ? none.get() : kwargs);
}

PyObject* CallFunction(PyObject* self, PyObject* args, PyObject* kwargs) {
  return Guarded([&] { return CallGuarded(self, args, kwargs); });
}

/// _run(args, out): a call whose arguments are plain arrays and numbers.
PyObject* RunPlain(PyObject* self, PyObject* args) {
  PyObject *plain = nullptr, *out = nullptr;
  if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &plain, &out))
    return nullptr;
  if (!IsSetUp()) return nullptr;
  Call call;
  const Reading reading = ReadCall(plain, out, &call);
  if (reading == Reading::kDone)
    return Guarded([&] { return Run(self, plain, &call); });
  if (reading == Reading::kUnusual) {
    PyErr_Format(PyExc_TypeError, "a call has 1 to %d arguments",
                 static_cast<int>(kMaxArguments));
  }
  return nullptr;
}

PyMethodDef kMethods[] = {
    {"_run", RunPlain, METH_VARARGS,
     "_run(args, out): a call with plain arrays and numbers only."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject* MakeFunctionType() {
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(New)},
      {Py_tp_dealloc, reinterpret_cast<void*>(Free)},
      {Py_tp_traverse, reinterpret_cast<void*>(Traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(Clear)},
      {Py_tp_call, reinterpret_cast<void*>(CallFunction)},
      {Py_tp_methods, kMethods},
      {Py_tp_doc, const_cast<char*>("A function of arrays.")},
      {0, nullptr}};
  static PyType_Spec spec = {
      "lanewise._core.Function", sizeof(Function), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

}  // namespace lanewise_python
