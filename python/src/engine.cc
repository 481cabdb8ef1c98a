// SPDX-License-Identifier: Apache-2.0
//
// Engine: where and how work runs.

#include "engine.h"

#include <cstdlib>

#include "pool.h"

namespace lanewise_python {
namespace {

struct Engine {
  PyObject_HEAD lw_engine* handle;
};

/// An engine with as many threads as the options or the environment say, else
/// with one for each processor that this process may use.
lw_status Create(lw_engine_options* options, lw_engine** engine) {
  options->threading = LW_THREADING_HOST;
  options->parallel_for = RunOnPool;
  lw_status status = LW_OK;
  if (options->max_threads == 0) {
    // The library uses the variable only if max_threads is 0, but this package
    // must know the number of threads before the call. So an engine that is
    // thrown away reads the variable, and tells the number.
    const char* const text = std::getenv("LANEWISE_NUM_THREADS");
    if (text == nullptr || *text == '\0') {
      options->max_threads = Processors();
    } else {
      status = lw_engine_create(options, engine);
      if (status != LW_OK) return status;
      options->max_threads = lw_engine_threads(*engine);
      lw_engine_destroy(*engine);
    }
  }
  if (options->max_threads == 1) options->threading = LW_THREADING_SERIAL;
  options->parallel_for_context =
      reinterpret_cast<void*>(static_cast<size_t>(options->max_threads));
  return lw_engine_create(options, engine);
}

PyObject* New(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* const kNames[] = {"accuracy", "threads", "isa", "tuning",
                                       nullptr};
  int accuracy = 0, threads = 0;
  const char *isa = nullptr, *tuning = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|iizz",
                                   const_cast<char**>(kNames), &accuracy,
                                   &threads, &isa, &tuning)) {
    return nullptr;
  }
  lw_engine_options options = {};
  options.struct_size = sizeof options;
  options.max_isa = isa;
  options.tuning_file = tuning;
  options.accuracy = accuracy;
  // NumPy's integer quotients by zero are 0, too.
  options.allow_zero_divisor = 1;
  options.max_threads = threads;
  lw_engine* handle = nullptr;
  const lw_status status = Create(&options, &handle);
  if (status != LW_OK) return RaiseLast(status);
  PyObject* const self = PyType_GenericAlloc(type, 0);
  if (self == nullptr) {
    lw_engine_destroy(handle);
    return nullptr;
  }
  reinterpret_cast<Engine*>(self)->handle = handle;
  return self;
}

void Free(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  lw_engine_destroy(reinterpret_cast<Engine*>(self)->handle);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* Isa(PyObject* self, void*) {
  return PyUnicode_FromString(lw_engine_isa(EngineOf(self)));
}
PyObject* Threads(PyObject* self, void*) {
  return PyLong_FromLong(lw_engine_threads(EngineOf(self)));
}
PyObject* Accuracy(PyObject* self, void*) {
  static const char* const kGrades[] = {"none", "fast", "tight", "exact"};
  return PyUnicode_FromString(kGrades[lw_engine_accuracy(EngineOf(self))]);
}

PyGetSetDef kProperties[] = {
    {"isa", Isa, nullptr, "The instruction set: \"AVX2\", ...", nullptr},
    {"threads", Threads, nullptr, "How many threads a call may use.", nullptr},
    {"accuracy", Accuracy, nullptr, "\"fast\", \"tight\" or \"exact\".",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

const lw_engine* EngineOf(PyObject* engine) {
  return reinterpret_cast<Engine*>(engine)->handle;
}

PyTypeObject* MakeEngineType() {
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(New)},
      {Py_tp_dealloc, reinterpret_cast<void*>(Free)},
      {Py_tp_getset, kProperties},
      {Py_tp_doc, const_cast<char*>("Where and how work runs.")},
      {0, nullptr}};
  static PyType_Spec spec = {"lanewise._core.Engine", sizeof(Engine), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

}  // namespace lanewise_python
