// SPDX-License-Identifier: Apache-2.0
//
// SLEEF's functions with an error of at most 1.0 ULP, on the widest vectors of
// this CPU.

#include <sleef.h>

#include "benchmarks/peers/vector_function.h"

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::VectorFunction;

// Sleef_<name>f16_u10avx512f and so on.
#if defined(__AVX512F__)
#define LANEWISE_SLEEF(name)                            \
  ByType<__m512, Sleef_##name##f16_u10avx512f, __m512d, \
         Sleef_##name##d8_u10avx512f>
#elif defined(__AVX2__)
#define LANEWISE_SLEEF(name) \
  ByType<__m256, Sleef_##name##f8_u10avx2, __m256d, Sleef_##name##d4_u10avx2>
#elif defined(__SSE2__)
#define LANEWISE_SLEEF(name) \
  ByType<__m128, Sleef_##name##f4_u10, __m128d, Sleef_##name##d2_u10>
#elif defined(__aarch64__)
#define LANEWISE_SLEEF(name) \
  ByType<float32x4_t, Sleef_##name##f4_u10, float64x2_t, Sleef_##name##d2_u10>
#endif

#ifdef LANEWISE_SLEEF
template <typename VFloat, auto kFloat, typename VDouble, auto kDouble>
Runner ByType(const Task& task) {
  if (task.type == LW_FLOAT32) {
    return VectorFunction<float, VFloat, kFloat>(task);
  }
  if (task.type == LW_FLOAT64) {
    return VectorFunction<double, VDouble, kDouble>(task);
  }
  return {};
}
#endif

Runner Prepare(const Task& task) {
#ifdef LANEWISE_SLEEF
  if (task.Is("Exp")) return LANEWISE_SLEEF(exp)(task);
  if (task.Is("Sin")) return LANEWISE_SLEEF(sin)(task);
  if (task.Is("Cos")) return LANEWISE_SLEEF(cos)(task);
  if (task.Is("Tan")) return LANEWISE_SLEEF(tan)(task);
  if (task.Is("Asin")) return LANEWISE_SLEEF(asin)(task);
  if (task.Is("Acos")) return LANEWISE_SLEEF(acos)(task);
  if (task.Is("Atan")) return LANEWISE_SLEEF(atan)(task);
  if (task.Is("Sinh")) return LANEWISE_SLEEF(sinh)(task);
  if (task.Is("Cosh")) return LANEWISE_SLEEF(cosh)(task);
  if (task.Is("Asinh")) return LANEWISE_SLEEF(asinh)(task);
  if (task.Is("Acosh")) return LANEWISE_SLEEF(acosh)(task);
  if (task.Is("Atanh")) return LANEWISE_SLEEF(atanh)(task);
#endif
  return {};
}

}  // namespace

LANEWISE_BENCH_PEERS(sleef) {
  const std::string version = std::to_string(SLEEF_VERSION_MAJOR) + "." +
                              std::to_string(SLEEF_VERSION_MINOR) + "." +
                              std::to_string(SLEEF_VERSION_PATCHLEVEL);
  return {{"sleef", version + " u10", Prepare}};
}
