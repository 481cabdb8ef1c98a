// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/provider.h"

#include <utility>
#include <vector>

#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/explain.h"
#include "runtime/onnxruntime/gains.h"
#include "runtime/onnxruntime/graph.h"

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

void Provider::Claim(const OrtGraph* from, OrtEpGraphSupportInfo* info) {
  const std::vector<const OrtNode*> nodes = NodesOf(api_, from);
  const Graph graph = ReadGraph(api_, from, nodes, info);
  Facts facts;
  facts.policy = options_.claim;
  facts.half_arithmetic = CpuProviderUsesHalfArithmetic();
  facts.gains = kGains;
  facts.gain_count = kGainCount;
  const std::vector<Decision> decisions = DecideAll(graph, facts);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!decisions[i].take || graph.nodes[i].is_taken) continue;
    Check(api_, api_.ep->EpGraphSupportInfo_AddSingleNode(info, nodes[i]));
  }
  if (!options_.explain.empty()) Explain(options_.explain, graph, decisions);
}

}  // namespace lanewise::ort
