// SPDX-License-Identifier: Apache-2.0
//
// Calls on tensors of strings. Their elements are of a C++ type that belongs to
// ONNX Runtime's build, so they are read and written by its functions only.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_STRINGS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_STRINGS_H_

#include <vector>

#include "runtime/onnxruntime/api.h"

namespace lanewise::ort {

/// A copy of a tensor's strings.
class StringCopy {
 public:
  StringCopy(const Api& api, const OrtValue* value, size_t count);
  lw_string* elements() { return elements_.data(); }

 private:
  std::vector<char> characters_;
  std::vector<lw_string> elements_;
};

void StoreStrings(const Api& api, const std::vector<lw_string>& strings,
                  OrtValue* value);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_STRINGS_H_
