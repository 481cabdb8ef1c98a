// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/attributes.h"

namespace lanewise::ort {
namespace {

// Each function of a reader tells whether the node has the attribute.

class InfoReader {
 public:
  InfoReader(const Api& api, const OrtKernelInfo* info)
      : api_(api), info_(info) {}

  bool Number(const char* name, float* number) const {
    return Is(api_.ort->KernelInfoGetAttribute_float(info_, name, number));
  }
  bool Integer(const char* name, int64_t* integer) const {
    return Is(api_.ort->KernelInfoGetAttribute_int64(info_, name, integer));
  }
  bool Integers(const char* name, std::vector<int64_t>* integers) const {
    const auto get = api_.ort->KernelInfoGetAttributeArray_int64;
    size_t count = 0;
    if (!Is(get(info_, name, nullptr, &count))) return false;
    integers->resize(count);
    Check(api_, get(info_, name, integers->data(), &count));
    return true;
  }
  bool Text(const char* name, std::vector<char>* characters) const {
    const auto get = api_.ort->KernelInfoGetAttribute_string;
    size_t bytes = 0;  // with the 0 at the end
    if (!Is(get(info_, name, nullptr, &bytes))) return false;
    characters->resize(bytes);
    Check(api_, get(info_, name, characters->data(), &bytes));
    characters->pop_back();
    return true;
  }

 private:
  bool Is(OrtStatus* absent) const {
    if (absent != nullptr) api_.ort->ReleaseStatus(absent);
    return absent == nullptr;
  }
  const Api& api_;
  const OrtKernelInfo* info_;
};

class NodeReader {
 public:
  NodeReader(const Api& api, const OrtNode* node) : api_(api), node_(node) {}

  bool Number(const char* name, float* number) const {
    const OrtOpAttr* attribute = Find(name);
    if (attribute == nullptr) return false;
    size_t bytes = 0;
    Check(api_, api_.ort->ReadOpAttr(attribute, ORT_OP_ATTR_FLOAT, number,
                                     sizeof(*number), &bytes));
    return true;
  }
  bool Integer(const char* name, int64_t* integer) const {
    const OrtOpAttr* attribute = Find(name);
    if (attribute == nullptr) return false;
    size_t bytes = 0;
    Check(api_, api_.ort->ReadOpAttr(attribute, ORT_OP_ATTR_INT, integer,
                                     sizeof(*integer), &bytes));
    return true;
  }
  bool Integers(const char* name, std::vector<int64_t>* integers) const {
    const OrtOpAttr* attribute = Find(name);
    if (attribute != nullptr) ReadMany(attribute, ORT_OP_ATTR_INTS, integers);
    return attribute != nullptr;
  }
  bool Text(const char* name, std::vector<char>* characters) const {
    const OrtOpAttr* attribute = Find(name);
    if (attribute == nullptr) return false;
    ReadMany(attribute, ORT_OP_ATTR_STRING, characters);
    // Versions differ in whether they write a 0 at the end.
    if (!characters->empty() && characters->back() == 0) characters->pop_back();
    return true;
  }

 private:
  // An unknown name is an error, an attribute that is not set is none.
  const OrtOpAttr* Find(const char* name) const {
    const OrtOpAttr* attribute = nullptr;
    OrtStatus* unknown =
        api_.ort->Node_GetAttributeByName(node_, name, &attribute);
    if (unknown == nullptr) return attribute;
    api_.ort->ReleaseStatus(unknown);
    return nullptr;
  }
  // The first reading fails and tells the size.
  template <typename T>
  void ReadMany(const OrtOpAttr* attribute, OrtOpAttrType type,
                std::vector<T>* to) const {
    const auto read = api_.ort->ReadOpAttr;
    size_t bytes = 0;
    OrtStatus* too_small = read(attribute, type, nullptr, 0, &bytes);
    if (too_small != nullptr) api_.ort->ReleaseStatus(too_small);
    to->resize(bytes / sizeof(T));
    if (bytes > 0)
      Check(api_, read(attribute, type, to->data(), bytes, &bytes));
  }
  const Api& api_;
  const OrtNode* node_;
};

}  // namespace

template <class Reader>
void Attributes::Read(const Reader& reader, const lw_signature& signature) {
  for (size_t i = 0; i < signature.attribute_count; ++i) {
    const char* name = signature.attributes[i].name;
    const int32_t kind = signature.attributes[i].kind;
    Values& values = values_.emplace_back();
    bool is_there = false;
    size_t count = 1;
    const void* data = nullptr;
    switch (kind) {
      case LW_ATTRIBUTE_FLOAT:
        is_there = reader.Number(name, &values.number);
        data = &values.number;
        break;
      case LW_ATTRIBUTE_INT:
        values.integers.resize(1);
        is_there = reader.Integer(name, values.integers.data());
        data = values.integers.data();
        break;
      case LW_ATTRIBUTE_STRING:
        is_there = reader.Text(name, &values.characters);
        values.text = {values.characters.data(), values.characters.size()};
        data = &values.text;
        break;
      case LW_ATTRIBUTE_INTS:
        is_there = reader.Integers(name, &values.integers);
        count = values.integers.size();
        data = values.integers.data();
        break;
      default:
        throw Error(api_, ORT_NOT_IMPLEMENTED,
                    std::string("no reader for attribute ") + name);
    }
    if (is_there) list_.push_back({name, kind, count, data});
  }
}

Attributes::Attributes(const Api& api, const OrtKernelInfo* info,
                       const lw_signature& signature)
    : api_(api) {
  Read(InfoReader(api, info), signature);
}

Attributes::Attributes(const Api& api, const OrtNode* node,
                       const lw_signature& signature)
    : api_(api) {
  Read(NodeReader(api, node), signature);
}

}  // namespace lanewise::ort
