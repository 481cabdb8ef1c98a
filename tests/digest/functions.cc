// SPDX-License-Identifier: Apache-2.0
//
// Prints digests of float32 results of the functions of one input: those that
// may err on tight and fast engines.
//
//   lanewise_function_digest [--check=FILE] [--every=N] [--threads=N]
//                            exact|tight|fast...
//
// exact: every 17th of the 2^32 inputs on the best instruction set, as all have
// the same results. tight, fast: every 67th on each family of instruction sets,
// whose results differ. --every=N: every N-th, an odd number. --check compares
// with lines of an earlier run, and counts lines that the file has not: exit
// code 1 if a line differs.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/digest/elements.h"

namespace lanewise::digest {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "lanewise_function_digest: %s\n", what.c_str());
  std::exit(2);
}
void Must(lw_status status) {
  if (status != LW_OK) Fail(lw_last_error());
}

lw_engine* MakeEngine(lw_accuracy accuracy, const char* isa) {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  options.accuracy = accuracy;
  options.threading = LW_THREADING_SERIAL;
  options.max_isa = isa;
  lw_engine* engine = nullptr;
  Must(lw_engine_create(&options, &engine));
  return engine;
}

/// All instruction sets with AVX-512 have the same results, and all without
/// FMA.
std::string FamilyOf(const std::string& isa) {
  if (isa.rfind("AVX3", 0) == 0) return "AVX3";
  return isa.rfind("SSE", 0) == 0 ? "SSE" : isa;
}

struct Run {
  std::string line;  ///< "Sin tight AVX2"
  const lw_kernel* kernel;
  uint32_t stride;
  uint64_t digest = kEmpty;

  void Compute() {
    constexpr uint32_t kBlock = 1 << 14;
    std::vector<uint32_t> x(kBlock);
    std::vector<uint32_t> y(kBlock);
    const uint64_t count = (uint64_t{1} << 32) / stride / kBlock * kBlock;
    for (uint64_t first = 0; first < count; first += kBlock) {
      for (uint32_t i = 0; i < kBlock; ++i) {
        x[i] = static_cast<uint32_t>(first + i) * stride;
      }
      const void* const in[] = {x.data()};
      Must(lw_kernel_run(kernel, in, y.data(), kBlock));
      digest = Mix(digest, reinterpret_cast<const uint8_t*>(y.data()), kBlock,
                   FormatOf(LW_FLOAT32));
    }
  }
};

const lw_kernel* KernelOf(const lw_engine* engine, const char* name,
                          const std::vector<lw_attribute>& attributes,
                          int32_t type) {
  lw_op* op = nullptr;  // lives as long as the program
  lw_status status =
      lw_op_create(engine, name, 28, attributes.data(), attributes.size(), &op);
  const lw_kernel* kernel = nullptr;
  if (status == LW_OK) status = lw_op_kernel(op, type, LW_SAME, &kernel);
  if (status != LW_OK && status != LW_NOT_EXACT) kernel = nullptr;
  return kernel;
}

/// The functions: what exact engines refuse in float64 and not in float32, and
/// Exp.
std::vector<std::string> Functions() {
  const lw_engine* exact = MakeEngine(LW_ACCURACY_EXACT, nullptr);
  std::vector<std::string> names;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    const std::string name = row->name;
    if (row->input_count != 1 || (!names.empty() && names.back() == name)) {
      continue;
    }
    const bool is_function =
        KernelOf(exact, row->name, {}, LW_FLOAT32) != nullptr &&
        KernelOf(exact, row->name, {}, LW_FLOAT64) == nullptr;
    if (is_function || name == "Exp") names.push_back(name);
  }
  return names;
}

void AddRuns(lw_accuracy accuracy, const char* grade, const char* isa,
             std::vector<Run>* runs) {
  static const lw_string kTanh = {"tanh", 4};
  static const lw_attribute kByTanh = {"approximate", LW_ATTRIBUTE_STRING, 1,
                                       &kTanh};
  const bool is_exact = accuracy == LW_ACCURACY_EXACT;
  const lw_engine* engine = MakeEngine(accuracy, isa);
  const std::string end =
      std::string(" ") + grade + " " + (is_exact ? "all" : FamilyOf(isa));
  const auto add = [&](const std::string& line, const std::string& name,
                       const std::vector<lw_attribute>& attributes) {
    const lw_kernel* kernel =
        KernelOf(engine, name.c_str(), attributes, LW_FLOAT32);
    if (kernel == nullptr) Fail(lw_last_error());
    runs->push_back({line + end, kernel, is_exact ? 17u : 67u});
  };
  for (const std::string& name : Functions()) {
    add(name, name, {});
    if (name == "Gelu") add("Gelu-tanh", name, {kByTanh});
  }
}

std::vector<Run> RunsOf(const std::string& grade) {
  std::vector<Run> runs;
  if (grade == "exact") {
    AddRuns(LW_ACCURACY_EXACT, "exact", nullptr, &runs);
    return runs;
  }
  if (grade != "tight" && grade != "fast") Fail("unknown argument " + grade);
  std::string last;
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    const std::string family = FamilyOf(lw_isa_name(i));
    if (family == last) continue;
    last = family;
    AddRuns(grade == "fast" ? LW_ACCURACY_FAST : LW_ACCURACY_TIGHT,
            grade.c_str(), lw_isa_name(i), &runs);
  }
  return runs;
}

void ComputeAll(std::vector<Run>* runs, unsigned threads) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      for (size_t i; (i = next++) < runs->size();) (*runs)[i].Compute();
    });
  }
  for (std::thread& worker : workers) worker.join();
}

/// How many lines are not as the file has them.
int Differences(const std::vector<Run>& runs, const std::string& path) {
  std::ifstream file(path);
  if (!file) Fail("cannot read " + path);
  std::map<std::string, std::string> expected;
  std::string op, grade, family, digest;
  while (file >> op >> grade >> family >> digest) {
    expected[op + " " + grade + " " + family] = digest;
  }
  int differences = 0;
  int unknown = 0;
  for (const Run& run : runs) {
    char text[20];
    std::snprintf(text, sizeof(text), "%016llx",
                  static_cast<unsigned long long>(run.digest));
    const auto known = expected.find(run.line);
    if (known == expected.end()) {
      ++unknown;
    } else if (known->second != text) {
      std::printf("%s %s, not %s\n", run.line.c_str(), text,
                  known->second.c_str());
      ++differences;
    }
  }
  std::printf("%zu digests, %d differ, %d are not in the list\n", runs.size(),
              differences, unknown);
  return differences;
}

}  // namespace
}  // namespace lanewise::digest

int main(int argc, char** argv) {
  using namespace lanewise::digest;
  unsigned threads = std::max(std::thread::hardware_concurrency(), 1u);
  std::string check;
  uint32_t every = 0;
  std::vector<Run> runs;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--check=", 0) == 0) {
      check = argument.substr(8);
    } else if (argument.rfind("--every=", 0) == 0) {
      every = static_cast<uint32_t>(std::atoi(argument.c_str() + 8));
    } else if (argument.rfind("--threads=", 0) == 0) {
      threads = static_cast<unsigned>(std::atoi(argument.c_str() + 10));
    } else {
      const std::vector<Run> more = RunsOf(argument);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  for (Run& run : runs) {
    if (every != 0) run.stride = every;
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.line < b.line; });
  ComputeAll(&runs, threads);
  if (!check.empty()) return Differences(runs, check) == 0 ? 0 : 1;
  for (const Run& run : runs) {
    std::printf("%s %016llx\n", run.line.c_str(),
                static_cast<unsigned long long>(run.digest));
  }
  return 0;
}
