// SPDX-License-Identifier: Apache-2.0
//
// The provider of one session.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_

#include <memory>

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

  Api api_;
  Options options_;
  Engine engine_;
  Registry registry_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_PROVIDER_H_
