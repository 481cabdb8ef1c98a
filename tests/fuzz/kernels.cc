// SPDX-License-Identifier: Apache-2.0
//
// The kernel API: any operator, type, pattern, length and alignment, in place
// or not, between guard pages. The operator's oracle computes each element.

#include <cstring>
#include <memory>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/support/guarded.h"
#include "tests/support/isas.h"
#include "tests/support/subject.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

constexpr size_t kMost = 3000;

class KernelRun {
 public:
  explicit KernelRun(Random* random) : random_(*random) {}

  void Run() {
    const auto& specs = AllSpecs();
    auto it = specs.begin();
    std::advance(it, static_cast<ptrdiff_t>(random_.Below(specs.size())));
    spec_ = it->second;
    const Isa isa = random_.Of(AllIsas());
    const OpPtr op = MakeOp(isa.engine, {spec_->name, spec_->newest_opset},
                            spec_->attributes);
    // Types are listed that the version does not take.
    const auto type = static_cast<lw_type>(random_.Below(LW_INT2 + 2));
    const auto pattern = static_cast<int>(random_.Below(17));
    const lw_kernel* kernel = nullptr;
    const lw_status status = lw_op_kernel(op.get(), type, pattern, &kernel);
    ASSERT_EQ(kernel != nullptr, status == LW_OK);
    if (spec_->versions.back().types.count(type) == 0) {
      ASSERT_NE(status, LW_OK);
    }
    if (spec_->is_reduction()) {
      ASSERT_NE(status, LW_OK);
    }
    // The oracles take whole bytes.
    if (status != LW_OK || ElementBits(type) < 8) return;
    n_ = random_.Below(random_.OneIn(4) ? kMost : 70);
    type_ = type;
    pattern_ = pattern;
    Compute(kernel);
  }

 private:
  void Compute(const lw_kernel* kernel) {
    Arrays in = MixedInputs(*spec_, type_, n_, pattern_, random_.bits());
    if (std::strcmp(spec_->name, "Reshape") == 0) in.resize(1);  // no shape
    const Array expected = ExpectedOf(*spec_, type_, in, n_);
    const void* inputs[4] = {};
    for (size_t k = 0; k < in.size(); ++k) {
      inputs[k] = Place(k, in[k].data(), in[k].bytes(), in[k].element_size());
    }
    const size_t bytes = n_ * expected.element_size();
    uint8_t* out = Place(4, nullptr, bytes, expected.element_size());
    const size_t over = random_.Below(2 * in.size());
    if (over < in.size() && !IsScalarInput(*spec_, over) &&
        (pattern_ >> over & 1) == 0 &&
        in[over].element_size() == expected.element_size()) {
      out = static_cast<uint8_t*>(const_cast<void*>(inputs[over]));
    }
    const lw_status status = lw_kernel_run(kernel, inputs, out, n_);
    ASSERT_TRUE(status == LW_OK || status == LW_DIVIDE_BY_ZERO)
        << lw_last_error();
    for (size_t i = 0; i < n_; ++i) {
      const uint8_t* actual = out + i * expected.element_size();
      ASSERT_TRUE(IsAnswer(*spec_, expected.type(), expected.at(i), actual))
          << spec_->name << " element " << i << " of " << n_ << " is "
          << BitsText(actual, expected.element_size()) << ", not "
          << BitsText(expected.at(i), expected.element_size());
    }
  }

  /// Memory for `bytes` that starts or ends at a guard page, or an element off.
  uint8_t* Place(size_t k, const uint8_t* data, size_t bytes, size_t element) {
    static auto& memory = *new std::vector<std::unique_ptr<GuardedMemory>>;
    while (memory.size() <= k) {
      memory.push_back(std::make_unique<GuardedMemory>(kMost * 16 + 4096));
    }
    const Side side = random_.OneIn(2) ? Side::kLower : Side::kUpper;
    const size_t distance = random_.Below(4) * element;
    return data != nullptr ? memory[k]->Copy(side, distance, data, bytes)
                           : memory[k]->Place(side, distance, bytes);
  }

  Random& random_;
  const OperatorSpec* spec_ = nullptr;
  lw_type type_ = LW_FLOAT32;
  int pattern_ = 0;
  size_t n_ = 0;
};

}  // namespace
}  // namespace lanewise::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lanewise::test::Random random(data, size);
  lanewise::test::KernelRun(&random).Run();
  return 0;
}
