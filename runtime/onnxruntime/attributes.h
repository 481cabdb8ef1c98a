// SPDX-License-Identifier: Apache-2.0
//
// A node's attributes, as far as its version of the operator lists them.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_ATTRIBUTES_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_ATTRIBUTES_H_

#include <list>
#include <vector>

#include "runtime/onnxruntime/api.h"

namespace lanewise::ort {

class Attributes {
 public:
  /// Of a node for which a kernel is made.
  Attributes(const Api& api, const OrtKernelInfo* info,
             const lw_signature& signature);
  /// Of a node in a graph.
  Attributes(const Api& api, const OrtNode* node,
             const lw_signature& signature);

  const std::vector<lw_attribute>& list() const { return list_; }

 private:
  template <class Reader>
  void Read(const Reader& reader, const lw_signature& signature);
  struct Values {
    float number = 0;
    std::vector<int64_t> integers;
    std::vector<char> characters;
    lw_string text = {};
  };
  const Api& api_;
  std::list<Values> values_;  // list_ points into them
  std::vector<lw_attribute> list_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_ATTRIBUTES_H_
