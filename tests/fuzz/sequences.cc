// SPDX-License-Identifier: Apache-2.0
//
// Calls of the whole C ABI in any order, with arguments that are often wrong:
// handles are made, shared, used and destroyed, parents before their children.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/support/engines.h"

namespace lanewise::test {
namespace {

constexpr size_t kMost = 4096;  // bytes of a tensor
constexpr const char* kNames[] = {
    "Add",     "Clip",      "Div",        "Equal",      "Exp",
    "Greater", "LeakyRelu", "Mul",        "Reciprocal", "Relu",
    "Reshape", "Sub",       "Where",      "Softmax",    "",
    "relu",    "ArgMax",    "ReduceMean", "ReduceSum",  nullptr};
constexpr const char* kAttributes[] = {"axis",
                                       "broadcast",
                                       "consumed_inputs",
                                       "shape",
                                       "allowzero",
                                       "min",
                                       "max",
                                       "alpha",
                                       "axes",
                                       "keepdims",
                                       "noop_with_empty_axes",
                                       "",
                                       nullptr};

int32_t Refuse(void*, lw_task, size_t, void*) { return 1; }
int32_t InTurn(void*, lw_task task, size_t count, void* data) {
  for (size_t i = 0; i < count; ++i) task(data, i);
  return 0;
}

/// Tensors that may be wrong in any way, on memory that is large enough for all
/// that may be right.
struct Tensors {
  lw_tensor views[4] = {};
  int64_t dims[4][LW_MAX_RANK + 2] = {};
  int64_t strides[4][LW_MAX_RANK + 2] = {};
};

class CallSequence {
 public:
  explicit CallSequence(Random* random) : random_(*random) {
    // Strings lie apart: all of them stay empty.
    static auto& numbers = *new std::vector<uint64_t>(8 * kMost);
    static auto& strings = *new std::vector<uint64_t>(8 * kMost);
    numbers_ = reinterpret_cast<uint8_t*>(numbers.data());
    strings_ = reinterpret_cast<uint8_t*>(strings.data());
  }

  void Step() {
    switch (random_.Below(12)) {
      case 0:
        return MakeAnEngine();
      case 1:
        return MakeAnOp();
      case 2:
        return MakeACall();
      case 3:
        return Drop(&engines_);
      case 4:
        return Drop(&ops_);
      case 5:
        return Drop(&calls_);
      case 6:
        return RunKernel();
      case 7:
        return Infer();
      case 8:
        return Ask();
      case 9:
        return RunCall();
      default:
        return RunOp();
    }
  }

 private:
  void Check(lw_status status) {
    ASSERT_STRNE(lw_status_name(status), "LW_UNKNOWN_STATUS");
    if (status != LW_OK) ASSERT_STRNE(lw_last_error(), "");
  }

  template <class List>
  void Drop(List* list) {
    if (list->empty()) return;
    const size_t at = random_.Below(list->size());
    list->erase(list->begin() + static_cast<ptrdiff_t>(at));
  }
  template <class List>
  auto Any(const List& list) -> decltype(list[0].get()) {
    const size_t at = random_.Below(list.size() + 1);
    return at == list.size() ? nullptr : list[at].get();
  }

  void MakeAnEngine() {
    lw_engine_options options = Options();
    if (random_.OneIn(16)) options.struct_size = random_.Below(300);
    options.struct_size = std::min(options.struct_size, sizeof(options));
    options.max_isa = random_.Of(std::initializer_list<const char*>{
        nullptr, nullptr, "AVX2", "SSE2", "scalar", "", "AVX3_DL"});
    options.threading = static_cast<int32_t>(random_.Between(-1, 6));
    options.max_threads = static_cast<int32_t>(random_.Between(-1, 4));
    options.parallel_for = random_.Of(std::initializer_list<lw_parallel_for>{
        nullptr, InTurn, InTurn, Refuse});
    options.allow_zero_divisor = static_cast<int32_t>(random_.Below(3));
    options.strict_opset = static_cast<int32_t>(random_.Below(3));
    options.verbose = random_.Of(std::initializer_list<const char*>{
        nullptr, nullptr, "exec", "dispatch", "dispatch,exec", "none"});
    options.trace = [](void*, const char*) {};
    if (random_.OneIn(16)) options.tuning_file = "/no/such/file";
    lw_engine* engine = nullptr;
    const lw_status status = lw_engine_create(&options, &engine);
    Check(status);
    ASSERT_EQ(engine != nullptr, status == LW_OK);
    EnginePtr owned(engine);
    if (engine == nullptr || engines_.size() >= 4) return;
    lw_engine_threads(engine);
    engines_.push_back(std::move(owned));
  }

  void MakeAnOp() {
    int64_t ints[8];
    for (int64_t& value : ints) value = random_.Between(-2, 6);
    const float numbers[2] = {random_.Below(2) != 0 ? -1e30f : 0.5f, 2};
    std::vector<lw_attribute> attributes(random_.Below(4));
    for (lw_attribute& attribute : attributes) {
      attribute.name = random_.Of(kAttributes);
      attribute.kind = static_cast<int32_t>(random_.Between(0, 9));
      if (random_.OneIn(2)) attribute.kind = LW_ATTRIBUTE_INT;
      attribute.count = random_.OneIn(2) ? 1 : random_.Below(3);
      const bool is_float = attribute.kind == LW_ATTRIBUTE_FLOAT ||
                            attribute.kind == LW_ATTRIBUTE_FLOATS;
      attribute.values = is_float ? static_cast<const void*>(numbers) : ints;
      if (attribute.kind == LW_ATTRIBUTE_STRING ||
          attribute.kind == LW_ATTRIBUTE_STRINGS) {
        attribute.values = strings_;
      }
      if (random_.OneIn(16)) attribute.values = nullptr;
    }
    lw_op* op = nullptr;
    const lw_status status =
        lw_op_create(Any(engines_), random_.Of(kNames),
                     static_cast<int32_t>(random_.Between(-1, 30)),
                     attributes.data(), attributes.size(), &op);
    Check(status);
    ASSERT_EQ(op != nullptr, status == LW_OK);
    OpPtr owned(op);
    if (op != nullptr && ops_.size() < 8) ops_.push_back(std::move(owned));
  }

  void Fill(Tensors* tensors) {
    const auto type = static_cast<int32_t>(random_.Below(LW_INT2 + 3));
    const auto rank = static_cast<int32_t>(random_.Below(4));
    int64_t dims[4];
    for (int64_t& dim : dims) dim = random_.Between(0, 9);
    for (int k = 0; k < 4; ++k) {
      lw_tensor& view = tensors->views[k];
      view.type = random_.OneIn(8) ? LW_INT64 : random_.OneIn(8) ? 9 : type;
      view.rank = rank;
      if (random_.OneIn(8)) view.rank = static_cast<int32_t>(random_.Below(70));
      for (int i = 0; i < LW_MAX_RANK; ++i) {
        tensors->dims[k][i] = random_.OneIn(8) ? 1 : dims[i % 4];
        tensors->strides[k][i] = random_.Between(-20, 20);
      }
      if (random_.OneIn(32)) tensors->dims[k][0] = AnyNumber();
      if (random_.OneIn(32)) tensors->strides[k][0] = AnyNumber();
      view.dims = random_.OneIn(64) ? nullptr : tensors->dims[k];
      view.strides = random_.OneIn(6) ? tensors->strides[k] : nullptr;
      uint8_t* const memory = view.type == LW_STRING ? strings_ : numbers_;
      view.data = memory + 2 * kMost + (random_.Below(4) * 1024) +
                  (random_.OneIn(32) ? 1 : 0);
      if (random_.OneIn(64)) view.data = nullptr;
      view.bytes = 1 + random_.Below(kMost);
      if (random_.OneIn(2)) view.bytes = kMost;
    }
  }
  int64_t AnyNumber() { return static_cast<int64_t>(random_.bits()); }

  void RunOp() {
    Tensors tensors;
    Fill(&tensors);
    lw_zero_divisors zeros;
    lw_run_options options = {};
    options.struct_size =
        random_.OneIn(16) ? random_.Below(sizeof(options)) : sizeof(options);
    options.parallel_for = random_.OneIn(4) ? InTurn : nullptr;
    options.max_threads = static_cast<int32_t>(random_.Between(-1, 3));
    options.reserved = random_.OneIn(32) ? 1 : 0;
    options.zero_divisors = random_.OneIn(2) ? &zeros : nullptr;
    Check(lw_op_run_with(Any(ops_), random_.OneIn(2) ? &options : nullptr,
                         tensors.views, random_.Below(4), &tensors.views[3],
                         random_.OneIn(16) ? 0 : 1));
  }

  void Infer() {
    Tensors tensors;
    Fill(&tensors);
    lw_shape shapes[LW_MAX_OUTPUTS];
    Check(lw_op_infer(Any(ops_), tensors.views, random_.Below(4),
                      random_.OneIn(32) ? nullptr : shapes));
  }

  void MakeACall() {
    Tensors tensors;
    Fill(&tensors);
    bool has_strings = false;
    for (const lw_tensor& view : tensors.views) {
      has_strings = has_strings || view.type == LW_STRING;
    }
    lw_call* call = nullptr;
    const lw_status status =
        lw_call_create(Any(ops_), tensors.views, random_.Below(4),
                       &tensors.views[3], 1, &call);
    Check(status);
    ASSERT_EQ(call != nullptr, status == LW_OK);
    CallPtr owned(call);
    if (call != nullptr && !has_strings && calls_.size() < 8) {
      calls_.push_back(std::move(owned));
    }
  }

  // The pointers may be anywhere in memory that reaches far enough on both
  // sides.
  void RunCall() {
    uint8_t* pointers[4];
    for (uint8_t*& pointer : pointers) {
      pointer = numbers_ + 2 * kMost + random_.Below(8) * 512 +
                (random_.OneIn(32) ? 1 : 0);
      if (random_.OneIn(64)) pointer = nullptr;
    }
    const void* const inputs[] = {pointers[0], pointers[1], pointers[2],
                                  nullptr};
    void* const outputs[] = {pointers[3]};
    Check(lw_call_run(Any(calls_), inputs, outputs));
  }

  void RunKernel() {
    const lw_kernel* kernel = nullptr;
    lw_op* op = Any(ops_);
    const auto type = static_cast<int32_t>(random_.Below(LW_INT2 + 2));
    const lw_status status = lw_op_kernel(
        op, type, static_cast<int32_t>(random_.Between(-1, 17)), &kernel);
    Check(status);
    ASSERT_EQ(kernel != nullptr, status == LW_OK);
    if (kernel == nullptr) return;
    uint8_t* const memory =
        (type == LW_STRING ? strings_ : numbers_) + 2 * kMost;
    const void* inputs[4] = {memory, memory, memory, memory};
    if (random_.OneIn(8)) inputs[random_.Below(4)] = nullptr;
    if (type == LW_STRING) return;  // Equal would write numbers
    Check(lw_kernel_run(
        kernel, inputs,
        memory + (random_.OneIn(4) ? 0 : kMost) + (random_.OneIn(32) ? 1 : 0),
        random_.Below(250)));
  }

  void Ask() {
    const auto number = static_cast<int32_t>(random_.Between(-2, 200));
    ASSERT_NE(lw_status_name(number), nullptr);
    ASSERT_NE(lw_type_name(number), nullptr);
    lw_isa_name(random_.Below(100));
    lw_signature_at(random_.Below(1000));
    ASSERT_NE(lw_engine_isa(Any(engines_)), nullptr);
  }

  Random& random_;
  uint8_t* numbers_;
  uint8_t* strings_;
  std::vector<EnginePtr> engines_;
  std::vector<OpPtr> ops_;
  std::vector<CallPtr> calls_;
};

}  // namespace
}  // namespace lanewise::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lanewise::test::Random random(data, size);
  lanewise::test::CallSequence sequence(&random);
  while (!random.IsEmpty()) sequence.Step();
  return 0;
}
