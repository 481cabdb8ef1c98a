// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/provider.h"

#include <utility>
#include <vector>

namespace lanewise::ort {
namespace {

// For the engine's own thread count. A large call brings the threads of its
// session.
int32_t OnThisThread(void*, lw_task task, size_t count, void* data) {
  for (size_t i = 0; i < count; ++i) task(data, i);
  return 0;
}

Engine MakeEngine(const Api& api, const Options& options) {
  lw_engine_options wanted = {};
  wanted.max_isa = options.isa.empty() ? nullptr : options.isa.c_str();
  wanted.threading =
      options.session_threads ? LW_THREADING_HOST : LW_THREADING_SERIAL;
  wanted.parallel_for = options.session_threads ? OnThisThread : nullptr;
  Engine engine;
  const Status status = Engine::Create(wanted, &engine);
  if (status.ok()) return engine;
  std::string message = std::string(kProviderName) + ": " + status.message();
  if (status.code() == LW_UNKNOWN_ISA) {
    message = std::string(kProviderName) + ": isa=" + options.isa + ": " +
              status.message() + "; allowed are";
    for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
      message.append(i == 0 ? " " : ", ").append(lw_isa_name(i));
    }
  }
  throw Error(api, ORT_INVALID_ARGUMENT, message);
}

}  // namespace

Provider::Provider(const Api& api, Options options)
    : OrtEp{},
      api_(api),
      options_(std::move(options)),
      engine_(MakeEngine(api, options_)),
      registry_(api, engine_.get(), options_.session_threads) {
  ort_version_supported = kApiVersion;
  GetName = [](const OrtEp*) noexcept { return kProviderName; };
  GetCapability = [](OrtEp* self, const OrtGraph* graph,
                     OrtEpGraphSupportInfo* info) noexcept {
    auto* provider = static_cast<Provider*>(self);
    return AtBorder(provider->api_, [&] { provider->Claim(graph, info); });
  };
  GetKernelRegistry = [](OrtEp* self,
                         const OrtKernelRegistry** out) noexcept -> OrtStatus* {
    *out = static_cast<Provider*>(self)->registry_.get();
    return nullptr;
  };
}

void Provider::Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info) {
  std::vector<const OrtNode*> nodes(
      Get<size_t>(api_, api_.ort->Graph_GetNumNodes, graph));
  Check(api_, api_.ort->Graph_GetNodes(graph, nodes.data(), nodes.size()));
  for (const OrtNode* node : nodes) {
    const char* owner = Get<const char*>(api_, api_.ort->Node_GetEpName, node);
    if (owner != nullptr && *owner != '\0') continue;
    const OrtKernelDef* kernel = Get<const OrtKernelDef*>(
        api_, api_.ep->EpGraphSupportInfo_LookUpKernel, info, node);
    if (kernel == nullptr) continue;
    Check(api_, api_.ep->EpGraphSupportInfo_AddSingleNode(info, node));
  }
}

}  // namespace lanewise::ort
