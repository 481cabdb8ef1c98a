// SPDX-License-Identifier: Apache-2.0
//
// The kernels that the provider offers: one definition for each row of
// lanewise's support table.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_REGISTRY_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_REGISTRY_H_

#include <memory>
#include <vector>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/kernel.h"

namespace lanewise::ort {

class Registry {
 public:
  /// `engine` must live as long as kernels are created.
  Registry(const Api& api, const lw_engine* engine, bool session_threads);

  const OrtKernelRegistry* get() const { return registry_.get(); }

 private:
  struct Release {
    const OrtEpApi* ep;
    void operator()(OrtKernelRegistry* registry) const {
      ep->ReleaseKernelRegistry(registry);
    }
  };
  std::unique_ptr<OrtKernelRegistry, Release> registry_;
  std::vector<KernelRecipe> recipes_;  // the registry points into them
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_REGISTRY_H_
