// SPDX-License-Identifier: Apache-2.0
//
// The vector math of Intel's MKL: Exp and Log in the mode of low accuracy
// (below 4 ULP), the others in the default mode. MKL is loaded at run time from
// the folder into which scripts/setup --peers installs the PyPI package.

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "benchmarks/peers/flat.h"

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

// From mkl_vml_defines.h: VML_LA, VML_HA, and VML_FTZDAZ_OFF.
constexpr int64_t kLow = 0x1 | 0x140000;
constexpr int64_t kHigh = 0x2 | 0x140000;

void* Library() {
  static void* library = [] {
    for (const char* name : {LANEWISE_BENCH_MKL, "libmkl_rt.so.3",
                             "libmkl_rt.so.2", "libmkl_rt.so"}) {
      void* found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (found == nullptr || dlsym(found, "vmsExp") == nullptr) continue;
      // 1 is MKL_THREADING_SEQUENTIAL: the benchmark program distributes the
      // work over threads.
      auto set = reinterpret_cast<int (*)(int)>(
          dlsym(found, "MKL_Set_Threading_Layer"));
      if (set != nullptr) set(1);
      return found;
    }
    return static_cast<void*>(nullptr);
  }();
  return library;
}

template <typename Fn>
Fn Find(const char* name) {
  return reinterpret_cast<Fn>(dlsym(Library(), name));
}

template <typename T>
Runner UnaryBy(const Task& task, const char* name, int64_t mode) {
  const auto fn = Find<void (*)(int, const T*, T*, int64_t)>(name);
  if (fn == nullptr) return {};
  return lanewise::bench::Unary<T>(task,
                                   [fn, mode](const T* in, T* out, size_t n) {
                                     fn(static_cast<int>(n), in, out, mode);
                                   });
}

template <typename T>
Runner BinaryBy(const Task& task, const char* name) {
  const auto fn = Find<void (*)(int, const T*, const T*, T*, int64_t)>(name);
  const bool scalar = task.pattern == lanewise::bench::Pattern::kScalarA ||
                      task.pattern == lanewise::bench::Pattern::kScalarB;
  if (fn == nullptr || scalar) return {};
  const auto same = [fn](const T* a, const T* b, T* out, size_t n) {
    fn(static_cast<int>(n), a, b, out, kHigh);
  };
  const auto never = [](auto...) {};
  return lanewise::bench::Binary<T>(task, same, never, never);
}

struct Function {
  const char* op;
  const char* name;
};
constexpr Function kLowFunctions[] = {{"Exp", "Exp"}, {"Log", "Ln"}};
constexpr Function kHighFunctions[] = {
    {"Abs", "Abs"},        {"Acos", "Acos"},   {"Acosh", "Acosh"},
    {"Asin", "Asin"},      {"Asinh", "Asinh"}, {"Atan", "Atan"},
    {"Atanh", "Atanh"},    {"Ceil", "Ceil"},   {"Cos", "Cos"},
    {"Cosh", "Cosh"},      {"Erf", "Erf"},     {"Floor", "Floor"},
    {"Reciprocal", "Inv"}, {"Round", "Rint"},  {"Sin", "Sin"},
    {"Sinh", "Sinh"},      {"Sqrt", "Sqrt"},   {"Tan", "Tan"},
    {"Tanh", "Tanh"}};

/// The names of functions begin with `prefix`: vms or vmd.
template <typename T>
Runner FunctionOf(const Task& task, const std::string& prefix) {
  for (const auto& [op, name] : kLowFunctions) {
    if (task.Is(op)) return UnaryBy<T>(task, (prefix + name).c_str(), kLow);
  }
  for (const auto& [op, name] : kHighFunctions) {
    if (task.Is(op)) return UnaryBy<T>(task, (prefix + name).c_str(), kHigh);
  }
  for (const char* op : {"Div", "Pow"}) {
    if (task.Is(op)) return BinaryBy<T>(task, (prefix + op).c_str());
  }
  return {};
}

Runner Prepare(const Task& task) {
  if (task.type == LW_FLOAT32) return FunctionOf<float>(task, "vms");
  if (task.type == LW_FLOAT64) return FunctionOf<double>(task, "vmd");
  return {};
}

}  // namespace

LANEWISE_BENCH_PEERS(mkl) {
  if (Library() == nullptr) return {};
  char text[200] = "";
  const auto version = Find<void (*)(char*, int)>("mkl_get_version_string");
  if (version != nullptr) version(text, sizeof(text) - 1);
  std::string trimmed(text);
  while (!trimmed.empty() && trimmed.back() == ' ') trimmed.pop_back();
  return {{"mkl", trimmed, Prepare}};
}
