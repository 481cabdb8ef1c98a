// SPDX-License-Identifier: Apache-2.0
//
// One node of a session.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_KERNEL_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_KERNEL_H_

#include "runtime/onnxruntime/api.h"

namespace lanewise::ort {

/// What a kernel of one definition is made from.
struct KernelRecipe {
  Api api;
  const lw_engine* engine;
  const lw_signature* signature;
  bool session_threads;
};

/// An OrtKernelCreateFunc. `recipe` is a KernelRecipe.
OrtStatus* ORT_API_CALL CreateKernel(void* recipe, const OrtKernelInfo* info,
                                     OrtKernelImpl** kernel) noexcept;

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_KERNEL_H_
