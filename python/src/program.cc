// SPDX-License-Identifier: Apache-2.0
//
// A program is made from Python's description: what it reads of the arguments,
// and steps as lw_chain_create takes them. A program of one step is an
// operator.

#include "program.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "engine.h"
#include "steps.h"

namespace lanewise_python {
namespace {

/// An input: an argument as it is, or a number as an element of a type.
struct Input {
  int32_t argument;  // below kMaxArguments
  int32_t type;
  int is_whole;  // the array must have no gaps: a chain reshapes the input
};

struct Program {
  PyObject_HEAD PyObject* engine;
  PyObject* dtypes;  // a tuple: the numpy.dtype of each result
  lw_op* op;         // nullptr if there is a chain
  lw_chain* chain;
  size_t argument_count;  // how many a call has at least
  size_t input_count;
  Input inputs[LW_MAX_INPUTS];
  unsigned int whole_results;  // bits: these must have no gaps, too
  int is_tuple;                // a call returns a tuple also for one result
};
Program* AsProgram(PyObject* object) {
  return reinterpret_cast<Program*>(object);
}

// ---- Making programs

/// Whether arrays have elements of this type, each in bytes of its own.
bool HasElements(int32_t type) {
  return (type >= LW_FLOAT32 && type <= LW_FLOAT8E5M2FNUZ &&
          type != LW_STRING) ||
         type == LW_FLOAT8E8M0;
}

bool ReadInputs(PyObject* inputs, Program* program) {
  const Py_ssize_t count = PyTuple_Size(inputs);
  if (count < 0 || count > LW_MAX_INPUTS) {
    PyErr_Format(PyExc_ValueError, "a program has at most %d inputs",
                 LW_MAX_INPUTS);
    return false;
  }
  program->input_count = static_cast<size_t>(count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Input& input = program->inputs[i];
    PyObject* const description = PyTuple_GetItem(inputs, i);
    if (!IsTuple(description)) return false;
    if (!PyArg_ParseTuple(description, "iip", &input.argument, &input.type,
                          &input.is_whole)) {
      return false;
    }
    if (input.argument < 0 ||
        input.argument >= static_cast<int32_t>(kMaxArguments) ||
        !HasElements(input.type)) {
      PyErr_SetString(PyExc_ValueError, "no argument is such an input");
      return false;
    }
    program->argument_count = std::max(program->argument_count,
                                       static_cast<size_t>(input.argument) + 1);
  }
  return true;
}

/// One step that reads all inputs in their order needs no chain. Its outputs
/// have the numbers after those of the inputs.
bool IsOneOperator(const std::vector<lw_step>& steps, size_t inputs,
                   Py_ssize_t constants, const std::vector<int32_t>& outputs) {
  if (steps.size() != 1 || constants != 0 || steps[0].operand_count != inputs)
    return false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] != static_cast<int32_t>(inputs + i)) return false;
  }
  for (size_t i = 0; i < inputs; ++i) {
    if (steps[0].operands[i] != static_cast<int32_t>(i)) return false;
  }
  return true;
}

bool MakeChain(Program* program, PyObject* constants, Steps* steps,
               const std::vector<int32_t>& outputs) {
  std::vector<int32_t> types;
  for (size_t i = 0; i < program->input_count; ++i)
    types.push_back(program->inputs[i].type);
  std::deque<Argument> arrays(static_cast<size_t>(PyTuple_Size(constants)));
  std::vector<lw_tensor> tensors;
  for (size_t i = 0; i < arrays.size(); ++i) {
    PyObject* const array =
        PyTuple_GetItem(constants, static_cast<Py_ssize_t>(i));
    if (ReadArray(array, &arrays[i]) != Reading::kDone) {
      if (PyErr_Occurred() == nullptr)
        PyErr_SetString(PyExc_TypeError, "a constant is no plain array");
      return false;
    }
    tensors.push_back(arrays[i].tensor);
  }
  const std::vector<lw_step>& all = steps->All();
  const lw_status status =
      lw_chain_create(EngineOf(program->engine), types.data(), types.size(),
                      tensors.data(), tensors.size(), all.data(), all.size(),
                      outputs.data(), outputs.size(), &program->chain);
  if (status != LW_OK) RaiseLast(status);
  return status == LW_OK;
}

bool Fill(Program* program, PyObject* args) {
  PyObject *engine = nullptr, *inputs = nullptr, *constants = nullptr,
           *descriptions = nullptr, *results = nullptr, *dtypes = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!pI", globals.engine_type, &engine,
                        &PyTuple_Type, &inputs, &PyTuple_Type, &constants,
                        &PyTuple_Type, &descriptions, &PyTuple_Type, &results,
                        &PyTuple_Type, &dtypes, &program->is_tuple,
                        &program->whole_results)) {
    return false;
  }
  Py_INCREF(engine);
  program->engine = engine;
  Py_INCREF(dtypes);
  program->dtypes = dtypes;
  if (!ReadInputs(inputs, program)) return false;
  Steps steps;
  for (Py_ssize_t i = 0; i < PyTuple_Size(descriptions); ++i) {
    if (!steps.Add(EngineOf(engine), PyTuple_GetItem(descriptions, i)))
      return false;
  }
  std::vector<int32_t> outputs;
  if (!ReadNumbers(results, &outputs)) return false;
  if (outputs.empty() || outputs.size() > LW_MAX_OUTPUTS ||
      static_cast<Py_ssize_t>(outputs.size()) != PyTuple_Size(dtypes)) {
    PyErr_Format(PyExc_ValueError, "a program has 1 to %d results",
                 LW_MAX_OUTPUTS);
    return false;
  }
  std::vector<lw_step>& all = steps.All();
  if (IsOneOperator(all, program->input_count, PyTuple_Size(constants),
                    outputs)) {
    program->op = const_cast<lw_op*>(std::exchange(all[0].op, nullptr));
    return true;
  }
  return MakeChain(program, constants, &steps, outputs);
}

PyObject* New(PyTypeObject* type, PyObject* args, PyObject*) {
  Ref self(PyType_GenericAlloc(type, 0));  // all zeros
  if (!self) return nullptr;
  return Guarded([&] {
    return Fill(AsProgram(self.get()), args) ? self.release() : nullptr;
  });
}

void Free(PyObject* self) {
  Program* const program = AsProgram(self);
  lw_chain_destroy(program->chain);
  lw_op_destroy(program->op);
  Py_XDECREF(program->engine);
  Py_XDECREF(program->dtypes);
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

// ---- Running programs

/// The arrays that a call writes.
struct Outputs {
  size_t count = 0;
  Argument arrays[LW_MAX_OUTPUTS];
  lw_tensor tensors[LW_MAX_OUTPUTS];
  Ref objects[LW_MAX_OUTPUTS];
};

lw_status Infer(const Program& program, const lw_tensor* inputs,
                lw_shape* shapes) {
  return program.op != nullptr
             ? lw_op_infer(program.op, inputs, program.input_count, shapes)
             : lw_chain_infer(program.chain, inputs, program.input_count,
                              shapes);
}

/// The array that the caller gave for a result; nullptr if none, or if it
/// cannot be written in place.
PyObject* Given(PyObject* out, size_t index, size_t count, bool is_whole,
                const lw_shape& shape, Argument* array) {
  if (PyTuple_Check(out)) {
    if (PyTuple_Size(out) != static_cast<Py_ssize_t>(count)) return nullptr;
    out = PyTuple_GetItem(out, static_cast<Py_ssize_t>(index));
  } else if (count > 1) {
    return nullptr;
  }
  if (ReadArray(out, array) != Reading::kDone) return nullptr;
  const lw_tensor& tensor = array->tensor;
  const bool fits =
      array->is_writeable && (array->is_contiguous || !is_whole) &&
      tensor.type == shape.type && tensor.rank == shape.rank &&
      (shape.rank == 0 ||
       std::memcmp(tensor.dims, shape.dims, sizeof(int64_t) * shape.rank) == 0);
  return fits ? out : nullptr;
}

/// Whether all results could be had: in the caller's arrays if `in_place`, else
/// new.
bool Prepare(const Program& program, Call* call, const lw_shape* shapes,
             bool in_place, Outputs* outputs) {
  outputs->count = static_cast<size_t>(PyTuple_Size(program.dtypes));
  for (size_t i = 0; i < outputs->count; ++i) {
    Argument& array = outputs->arrays[i];
    const bool is_whole = (program.whole_results >> i & 1u) != 0;
    if (in_place) {
      outputs->objects[i] = Ref::Of(
          Given(call->out, i, outputs->count, is_whole, shapes[i], &array));
    } else {
      PyObject* const dtype =
          PyTuple_GetItem(program.dtypes, static_cast<Py_ssize_t>(i));
      outputs->objects[i] = NewArray(shapes[i], dtype, call->arguments,
                                     is_whole ? 0 : call->count);
      if (outputs->objects[i] &&
          ReadArray(outputs->objects[i].get(), &array) != Reading::kDone) {
        if (PyErr_Occurred() == nullptr)
          PyErr_SetString(PyExc_TypeError, "a result's type is unknown");
        outputs->objects[i] = Ref();
      }
    }
    if (!outputs->objects[i]) return false;
    outputs->tensors[i] = array.tensor;
  }
  return true;
}

/// Below this many elements, the other threads' turn is not worth the time.
constexpr int64_t kKeepsLock = 16384;

bool IsLong(const lw_tensor& tensor) {
  int64_t elements = 1;  // or kKeepsLock, if there are more
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const int64_t product = elements * std::min(tensor.dims[i], kKeepsLock);
    elements = std::min(product, kKeepsLock);
    if (product == 0) return false;
  }
  return elements == kKeepsLock;
}

lw_status Compute(const Program& program, const lw_tensor* inputs,
                  const Outputs& outputs) {
  const auto run = [&] {
    return program.op != nullptr
               ? lw_op_run(program.op, inputs, program.input_count,
                           outputs.tensors, outputs.count)
               : lw_chain_run(program.chain, nullptr, inputs,
                              program.input_count, outputs.tensors,
                              outputs.count);
  };
  // A reduction's results are few, and its inputs many.
  bool is_long = IsLong(outputs.tensors[0]);
  for (size_t i = 0; i < program.input_count; ++i)
    is_long = is_long || IsLong(inputs[i]);
  if (!is_long) return run();
  // A status' message belongs to the thread, so that nothing here needs the
  // lock.
  lw_status status = LW_OK;
  Py_BEGIN_ALLOW_THREADS;
  status = run();
  Py_END_ALLOW_THREADS;
  return status;
}

/// As NumPy: what has no dims is returned as a scalar.
Ref Result(Ref array, int32_t rank, bool is_new) {
  if (rank > 0 || !is_new) return array;
  return Ref(PyObject_GetItem(array.get(), globals.no_indices));
}

PyObject* Results(const Program& program, Outputs* outputs, bool are_new) {
  const bool is_tuple = program.is_tuple != 0 || outputs->count > 1;
  Ref tuple(is_tuple ? PyTuple_New(static_cast<Py_ssize_t>(outputs->count))
                     : nullptr);
  if (is_tuple && !tuple) return nullptr;
  for (size_t i = 0; i < outputs->count; ++i) {
    Ref result = Result(std::move(outputs->objects[i]),
                        outputs->tensors[i].rank, are_new);
    if (!result || !is_tuple) return result.release();
    if (PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i),
                        result.release()) != 0) {
      return nullptr;
    }
  }
  return tuple.release();
}

/// Copies an array that has gaps.
bool MakeWhole(Argument* argument) {
  if (argument->is_contiguous) return true;
  const Ref copy(PyObject_CallMethod(argument->object, "copy", nullptr));
  // The array's interface, which the argument holds, keeps the copy alive.
  return copy && ReadArray(copy.get(), argument) == Reading::kDone;
}

}  // namespace

PyObject* RunProgram(PyObject* object, Call* call) {
  const Program& program = *AsProgram(object);
  if (call->count < program.argument_count) {
    PyErr_SetString(PyExc_TypeError, "the program reads more arguments");
    return nullptr;
  }
  lw_tensor inputs[LW_MAX_INPUTS];
  char numbers[LW_MAX_INPUTS][16];
  for (size_t i = 0; i < program.input_count; ++i) {
    Argument& argument = call->arguments[program.inputs[i].argument];
    if (program.inputs[i].is_whole != 0 && !MakeWhole(&argument))
      return nullptr;
    inputs[i] = argument.tensor;
    if (argument.tensor.type < kInt) continue;
    if (!FillNumber(&argument, program.inputs[i].type, &inputs[i]))
      return nullptr;
    // Another input may be the same number in another type.
    std::memcpy(numbers[i], argument.number, sizeof numbers[i]);
    inputs[i].data = numbers[i];
  }
  lw_shape shapes[LW_MAX_OUTPUTS];
  // The library fills those that there are, and refuses more than these.
  for (lw_shape& shape : shapes) shape.type = shape.rank = 0;
  lw_status status = Infer(program, inputs, shapes);
  if (status != LW_OK) return RaiseLast(status);
  if (call->out != nullptr) {
    Outputs outputs;
    if (Prepare(program, call, shapes, true, &outputs)) {
      status = Compute(program, inputs, outputs);
      if (status == LW_OK) return Results(program, &outputs, false);
      if (status != LW_OVERLAP) return RaiseLast(status);
    } else if (PyErr_Occurred() != nullptr) {
      return nullptr;
    }
  }
  // New arrays; Function copies them into arrays that cannot be written in
  // place.
  Outputs outputs;
  if (!Prepare(program, call, shapes, false, &outputs)) return nullptr;
  status = Compute(program, inputs, outputs);
  if (status != LW_OK) return RaiseLast(status);
  return Results(program, &outputs, call->out == nullptr);
}

PyTypeObject* MakeProgramType() {
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(New)},
      {Py_tp_dealloc, reinterpret_cast<void*>(Free)},
      {Py_tp_doc,
       const_cast<char*>("Program(engine, inputs, constants, steps, results, "
                         "dtypes, is_tuple, whole_results)")},
      {0, nullptr}};
  static PyType_Spec spec = {"lanewise._core.Program", sizeof(Program), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

}  // namespace lanewise_python
