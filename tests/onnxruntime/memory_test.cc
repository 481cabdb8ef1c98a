// SPDX-License-Identifier: Apache-2.0
//
// Which tensors of a run get memory of their own, where each node runs by
// itself: a Reshape gets none, and operators of one size share theirs.

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>

#include "tests/onnxruntime/host.h"
#include "tests/support/not_run.h"

namespace lanewise::test {
namespace {

// An allocator that counts the blocks of one size.
class Counter final : public OrtAllocator {
 public:
  explicit Counter(size_t bytes)
      : OrtAllocator{},
        bytes_(bytes),
        info_(
            Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault)) {
    version = 24;
    Alloc = [](OrtAllocator* self, size_t size) {
      return static_cast<Counter*>(self)->Take(size);
    };
    Reserve = Alloc;
    Free = [](OrtAllocator*, void* block) { std::free(block); };
    Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
      return static_cast<const Counter*>(self)->info_;
    };
  }
  int count() const { return count_; }
  void Reset() { count_ = 0; }

 private:
  void* Take(size_t size) {
    const std::lock_guard lock(mutex_);
    count_ += size >= bytes_ && size < bytes_ + 4096;
    return std::aligned_alloc(64, (size + 63) / 64 * 64);
  }

  size_t bytes_;
  Ort::MemoryInfo info_;
  std::mutex mutex_;
  int count_ = 0;
};

// How many tensors of the size of x are allocated in a run of the chain.
int Blocks(const std::vector<Step>& steps, size_t rank) {
  constexpr int64_t kN = 1 << 16;
  static auto* const counter = new Counter(kN * sizeof(float));
  static const bool registered = [] {
    Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(Environment(), counter));
    return true;
  }();
  EXPECT_TRUE(registered);
  Graph graph;
  graph.inputs = {{"x", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {kN}},
                  {"s", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, {2}}};
  graph.outputs = {{"y", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, Dims(rank, -1)}};
  graph.steps = steps;
  Ort::SessionOptions options;
  options.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
  options.AddConfigEntry("session.use_env_allocators", "1");
  options.DisableMemPattern();
  Ort::Session session =
      MakeSession(std::move(graph), {{"claim", "all"}, {"chains", "nodes"}},
                  std::move(options));
  std::vector<float> x(kN, 1.0f);
  std::vector<int64_t> target = {-1, 256};
  std::vector<Ort::Value> inputs;
  inputs.push_back(TensorOf(x, {kN}));
  inputs.push_back(TensorOf(target, {2}));
  counter->Reset();
  RunModel(session, {"x", "s"}, inputs);
  return counter->count();
}

TEST(ProviderMemory, IsSharedInChains) {
  if (LoadOnnxRuntime() == nullptr) {
    LANEWISE_NOT_RUN("no ONNX Runtime in LANEWISE_TEST_ORT");
  }
  Register();
  const Step first = {"Exp", {"x"}, {"a"}};
  const Step last = {"Relu", {"b"}, {"y"}};
  // One block for the first result and one for the graph's output.
  EXPECT_EQ(Blocks({first, {"Reshape", {"a", "s"}, {"b"}}, last}, 2), 2);
  EXPECT_EQ(Blocks({first, {"Reciprocal", {"a"}, {"b"}}, last}, 1), 2);
  // x is the caller's: only the result of Exp may be written over.
  EXPECT_EQ(Blocks({first, {"Div", {"x", "a"}, {"b"}}, last}, 1), 2);
  Unregister();
}

}  // namespace
}  // namespace lanewise::test
