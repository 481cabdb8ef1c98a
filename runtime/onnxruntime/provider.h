// SPDX-License-Identifier: Apache-2.0
//
// The provider of one session.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_

#include <memory>
#include <vector>

#include "lanewise/lanewise.hpp"
#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/options.h"
#include "runtime/onnxruntime/registry.h"

namespace lanewise::ort {

class Provider final : public OrtEp {
 public:
  Provider(const Api& api, Options options);

 private:
  void Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info);
  void Fuse(const Chain& chain, const std::vector<const OrtNode*>& nodes,
            OrtEpGraphSupportInfo* info) const;
  void CompileChains(const OrtGraph* const* graphs, const OrtNode* const* fused,
                     size_t count, OrtNodeComputeInfo** chains) const;

  Api api_;
  Options options_;
  Engine engine_;
  Registry registry_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_
