// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/attributes.h"

namespace lanewise::ort {

Attributes::Attributes(const Api& api, const OrtKernelInfo* info,
                       const lw_signature& signature) {
  for (size_t i = 0; i < signature.attribute_count; ++i) {
    const char* name = signature.attributes[i].name;
    const int32_t kind = signature.attributes[i].kind;
    Values& values = values_.emplace_back();
    OrtStatus* absent = nullptr;
    size_t count = 1;
    switch (kind) {
      case LW_ATTRIBUTE_FLOAT:
        absent =
            api.ort->KernelInfoGetAttribute_float(info, name, &values.number);
        break;
      case LW_ATTRIBUTE_INT:
        values.integers.resize(1);
        absent = api.ort->KernelInfoGetAttribute_int64(info, name,
                                                       values.integers.data());
        break;
      case LW_ATTRIBUTE_STRING: {
        size_t bytes = 0;  // with the 0 at the end
        absent =
            api.ort->KernelInfoGetAttribute_string(info, name, nullptr, &bytes);
        if (absent != nullptr) break;
        values.characters.resize(bytes);
        Check(api, api.ort->KernelInfoGetAttribute_string(
                       info, name, values.characters.data(), &bytes));
        values.text = {values.characters.data(), bytes - 1};
        break;
      }
      case LW_ATTRIBUTE_INTS:
        count = 0;
        absent = api.ort->KernelInfoGetAttributeArray_int64(info, name, nullptr,
                                                            &count);
        if (absent != nullptr) break;
        values.integers.resize(count);
        Check(api, api.ort->KernelInfoGetAttributeArray_int64(
                       info, name, values.integers.data(), &count));
        break;
      default:
        throw Error(api, ORT_NOT_IMPLEMENTED,
                    std::string("no reader for attribute ") + name);
    }
    if (absent != nullptr) {
      api.ort->ReleaseStatus(absent);
      continue;
    }
    const void* data = values.integers.data();
    if (kind == LW_ATTRIBUTE_FLOAT) data = &values.number;
    if (kind == LW_ATTRIBUTE_STRING) data = &values.text;
    list_.push_back({name, kind, count, data});
  }
}

}  // namespace lanewise::ort
