// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_PYTHON_ENGINE_H_
#define LANEWISE_PYTHON_ENGINE_H_

#include "object.h"

namespace lanewise_python {

/// The handle of an object of the type Engine.
const lw_engine* EngineOf(PyObject* engine);

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_ENGINE_H_
