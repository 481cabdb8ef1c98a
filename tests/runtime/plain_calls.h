// SPDX-License-Identifier: Apache-2.0
//
// A good call for the short way, which a test can spoil.

#ifndef LANEWISE_TESTS_RUNTIME_PLAIN_CALLS_H_
#define LANEWISE_TESTS_RUNTIME_PLAIN_CALLS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/call/plain_call.h"
#include "runtime/engine/engine.h"
#include "runtime/node/node.h"

namespace lanewise {

inline constexpr size_t kMaxBytes = 4096;

// Whether a call is plain for an operator, and the pattern of its kernel.
inline bool IsPlainFor(const char* op, int32_t opset, const lw_tensor* inputs,
                       const lw_tensor& out, size_t max_bytes, OwnJob* job,
                       int* pattern,
                       const std::vector<lw_attribute>& attributes = {}) {
  std::shared_ptr<const Engine> engine;
  std::shared_ptr<const Node> node;
  EXPECT_EQ(DefaultEngine(&engine), LW_OK);
  EXPECT_EQ(
      MakeNode(engine, op, opset, attributes.data(), attributes.size(), &node),
      LW_OK);
  for (BoundTypes& bound : const_cast<Node&>(*node).bound) {
    bound.plain_bytes = static_cast<uint32_t>(max_bytes);
  }
  job->setup = &node->setup;
  KernelFn kernel = nullptr;
  const PlainCall call = TakePlainCall(*node, inputs, out, job, &kernel);
  if (call == PlainCall::kNot) return false;
  // The node is gone when this returns.
  if (job->setup != &job->own) job->OwnSetup(node->kernel_inputs);
  const KernelFn* kernels = node->kernels.Find(inputs[0].type);
  *pattern = 0;
  while (call == PlainCall::kOneJob && *pattern < kPatternCount &&
         kernels[*pattern] != kernel) {
    ++*pattern;
  }
  return true;
}

// Two inputs and an output of float32 [2, 3], side by side in one array.
struct Call {
  float memory[64] = {};
  int64_t dims[3][2] = {{2, 3}, {2, 3}, {2, 3}};
  int64_t by_columns[2] = {1, 2};
  lw_tensor tensors[3] = {At(0), At(1), At(2)};
  int32_t opset = 14;  // before 7, Div does not stretch
  mutable int pattern = LW_SAME;

  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  lw_tensor At(int i) {
    return {memory + 6 * i, LW_FLOAT32, 2, dims[i], nullptr, 0};
  }
  bool IsPlain(OwnJob* job, size_t max_bytes = kMaxBytes) const {
    return IsPlainFor("Div", opset, tensors, tensors[2], max_bytes, job,
                      &pattern);
  }
};

template <class Call>
void ExpectSpoiled(const char* how, const std::function<void(Call&)>& spoil) {
  Call call;
  OwnJob job(nullptr);
  ASSERT_TRUE(call.IsPlain(&job));
  spoil(call);
  EXPECT_FALSE(call.IsPlain(&job)) << how;
}

// Six floats from [2, 3] to [3, 2], by the target {0 or 3, -1}.
struct ReshapeCall : Call {
  int64_t target[3] = {3, -1, 1};
  bool allow_zero = false;
  int64_t target_rank = 2;
  lw_tensor shape = {target, LW_INT64, 1, &target_rank, nullptr, 0};

  ReshapeCall() { dims[2][0] = 3, dims[2][1] = 2; }
  bool IsPlain(OwnJob* job, size_t max_bytes = kMaxBytes) const {
    const int64_t flag = allow_zero ? 1 : 0;
    const lw_tensor inputs[] = {tensors[0], shape};
    int pattern = 0;
    return IsPlainFor("Reshape", 25, inputs, tensors[2], max_bytes, job,
                      &pattern, {{"allowzero", LW_ATTRIBUTE_INT, 1, &flag}});
  }
};

}  // namespace lanewise

#endif  // LANEWISE_TESTS_RUNTIME_PLAIN_CALLS_H_
