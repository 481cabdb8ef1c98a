// SPDX-License-Identifier: Apache-2.0
//
// A C++17 program that builds lanewise as a subdirectory and runs Relu through
// both APIs. It prints the instruction set and a hash of the result.

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <lanewise/lanewise.hpp>
#include <vector>

namespace {

bool Failed(lanewise::Status status) {
  if (status.ok()) return false;
  std::fprintf(stderr, "%s: %s\n", status.name(), status.message());
  return true;
}

}  // namespace

int main() {
  std::vector<float> in(1031);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i % 7) - 3.0f;
  }
  std::vector<float> through_tensors(in.size());
  std::vector<float> direct(in.size());

  lanewise::Op relu;
  if (Failed(lanewise::Op::Create("Relu", 14, &relu))) return 1;
  const int64_t dims[] = {static_cast<int64_t>(in.size())};
  if (Failed(relu.Run(
          lanewise::TensorOf(lanewise::Span<const float>(in), dims),
          lanewise::TensorOf(lanewise::Span<float>(through_tensors), dims)))) {
    return 1;
  }

  lanewise::Kernel<float> kernel;
  if (Failed(lanewise::Kernel<float>::Find(relu, &kernel))) return 1;
  if (Failed(kernel(in, direct))) return 1;

  if (through_tensors != direct || direct[0] != 0.0f || direct[6] != 3.0f) {
    return 2;
  }
  uint64_t sum = 0;
  for (const float value : direct) {
    sum = sum * 31 + static_cast<uint64_t>(value);
  }

  // The operators of this build, in the order of LANEWISE_OPERATORS.
  std::printf("operators");
  const char* last = "";
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (std::strcmp(row->name, last) != 0) std::printf(" %s", row->name);
    last = row->name;
  }
  std::printf("\n");

  size_t isas = 0;
  while (lw_isa_name(isas) != nullptr) ++isas;
  std::printf("isa %s\nisas %zu\nlowest %s\nbits %016" PRIx64 "\n",
              lanewise::Engine().isa(), isas, lw_isa_name(isas - 1), sum);
}
