// SPDX-License-Identifier: Apache-2.0
//
// The vector math of Intel's MKL: Exp and Log in the mode of low accuracy
// (below 4 ULP), Div and Reciprocal in the default mode. MKL is loaded at run
// time from the folder into which scripts/setup --peers installs the PyPI
// package.

#include <dlfcn.h>

#include <cstdint>

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
Runner DivBy(const Task& task, const char* name) {
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

Runner Prepare(const Task& task) {
  const bool f64 = task.type == LW_FLOAT64;
  if (task.type == LW_FLOAT32) {
    if (task.Is("Exp")) return UnaryBy<float>(task, "vmsExp", kLow);
    if (task.Is("Log")) return UnaryBy<float>(task, "vmsLn", kLow);
    if (task.Is("Reciprocal")) return UnaryBy<float>(task, "vmsInv", kHigh);
    if (task.Is("Div")) return DivBy<float>(task, "vmsDiv");
  } else if (f64) {
    if (task.Is("Exp")) return UnaryBy<double>(task, "vmdExp", kLow);
    if (task.Is("Log")) return UnaryBy<double>(task, "vmdLn", kLow);
    if (task.Is("Reciprocal")) return UnaryBy<double>(task, "vmdInv", kHigh);
    if (task.Is("Div")) return DivBy<double>(task, "vmdDiv");
  }
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
