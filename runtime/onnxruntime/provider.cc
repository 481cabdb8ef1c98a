// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/provider.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/onnxruntime/chain_kernel.h"
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
  wanted.accuracy = options.accuracy;
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

// What was measured on x86 holds there only.
int VectorBytes(std::string_view isa) {
  if (isa == "AVX2") return 32;
  return isa.substr(0, 3) == "AVX" ? 64 : 0;
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
  Compile = [](OrtEp* self, const OrtGraph** graphs, const OrtNode** fused,
               size_t count, OrtNodeComputeInfo** chains, OrtNode**) noexcept {
    auto* provider = static_cast<Provider*>(self);
    std::fill_n(chains, count, nullptr);
    return AtBorder(provider->api_, [&] {
      provider->CompileChains(graphs, fused, count, chains);
    });
  };
  ReleaseNodeComputeInfos = [](OrtEp*, OrtNodeComputeInfo** chains,
                               size_t count) noexcept {
    for (size_t i = 0; i < count; ++i) {
      delete static_cast<ChainKernel*>(chains[i]);
    }
  };
}

void Provider::Claim(const OrtGraph* from, OrtEpGraphSupportInfo* info) {
  const std::vector<const OrtNode*> nodes = NodesOf(api_, from);
  const Graph graph = ReadGraph(api_, engine_.get(), from, nodes, info);
  Facts facts;
  facts.policy = options_.claim;
  facts.half_arithmetic = CpuProviderUsesHalfArithmetic();
  facts.accuracy = options_.accuracy;
  facts.vector_bytes = VectorBytes(lw_engine_isa(engine_.get()));
  facts.gains = kGains;
  facts.gain_count = kGainCount;
  const Claims claims = DecideAll(graph, facts);
  std::vector<bool> fused(nodes.size());
  for (const Chain& chain : claims.chains) {
    if (!chain.decision.take || !options_.fuse_chains) continue;
    Fuse(chain, nodes, info);
    for (int node : chain.nodes) fused[node] = true;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!claims.nodes[i].take || graph.nodes[i].is_taken || fused[i]) continue;
    Check(api_, api_.ep->EpGraphSupportInfo_AddSingleNode(info, nodes[i]));
  }
  if (!options_.explain.empty()) Explain(options_.explain, graph, claims);
}

void Provider::Fuse(const Chain& chain,
                    const std::vector<const OrtNode*>& nodes,
                    OrtEpGraphSupportInfo* info) const {
  std::vector<const OrtNode*> members;
  for (int node : chain.nodes) members.push_back(nodes[node]);
  OrtNodeFusionOptions options = {};
  options.ort_version_supported = kApiVersion;
  options.drop_constant_initializers = true;  // the chain has copies
  Check(api_, api_.ep->EpGraphSupportInfo_AddNodesToFuse(
                  info, members.data(), members.size(), &options));
}

void Provider::CompileChains(const OrtGraph* const* graphs,
                             const OrtNode* const* fused, size_t count,
                             OrtNodeComputeInfo** chains) const {
  std::vector<std::unique_ptr<ChainKernel>> made;
  for (size_t i = 0; i < count; ++i) {
    made.push_back(MakeChainKernel(
        api_, engine_.get(), options_.session_threads, graphs[i], fused[i]));
  }
  // ONNX Runtime takes all or, after a failure, none.
  for (size_t i = 0; i < count; ++i) chains[i] = made[i].release();
}

}  // namespace lanewise::ort
