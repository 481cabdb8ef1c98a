// SPDX-License-Identifier: Apache-2.0
//
// Python's C interface as this module uses it: the part that stays the same
// from CPython 3.11 on, so that one wheel serves all newer ones. Free-threaded
// Pythons have no such part yet; a build for one of them takes the whole
// interface.
#ifndef LANEWISE_PYTHON_OBJECT_H_
#define LANEWISE_PYTHON_OBJECT_H_

#define PY_SSIZE_T_CLEAN
#if !defined(Py_LIMITED_API) && !defined(LANEWISE_FREE_THREADED)
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include <atomic>
#include <exception>
#include <new>
#include <utility>

#include "lanewise/lanewise.h"

namespace lanewise_python {

/// An owned reference.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  static Ref Of(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Ref(borrowed);
  }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// What the module looks up once.
struct Globals {
  PyObject* ndarray = nullptr;       // numpy.ndarray
  PyObject* empty = nullptr;         // numpy.empty
  PyObject* empty_like = nullptr;    // numpy.empty_like
  PyObject* dtypes = nullptr;        // numpy.dtype -> an lw_type
  PyObject* array_struct = nullptr;  // "__array_struct__"
  PyObject* dtype = nullptr;         // "dtype"
  PyObject* no_indices = nullptr;    // ()
  PyObject* engine = nullptr;  // ContextVar.get: the current engine, or None
  PyObject* make_engine = nullptr;  // makes the engine of no context
  std::atomic<PyObject*> default_engine{nullptr};  // what make_engine made
  PyTypeObject* engine_type = nullptr;
  PyTypeObject* program_type = nullptr;
};
extern Globals globals;

/// Sets the exception for this thread's last failure: MemoryError, TypeError
/// for types, else ValueError. Returns nullptr.
PyObject* RaiseLast(lw_status status);

/// What `function` returns. C++'s exceptions become Python's: none may cross
/// the boundary.
template <typename F>
PyObject* Guarded(const F& function) noexcept {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

/// The types of this module, made once. nullptr with an exception.
PyTypeObject* MakeEngineType();
PyTypeObject* MakeProgramType();
PyTypeObject* MakeFunctionType();

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_OBJECT_H_
