// SPDX-License-Identifier: Apache-2.0
//
// SLEEF's exp with an error of at most 1.0 ULP, on the widest vectors of this
// CPU.

#include <sleef.h>

#include "benchmarks/peers/vector_exp.h"

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::VectorExp;

Runner Prepare(const Task& task) {
  if (!task.Is("Exp")) return {};
#if defined(__AVX512F__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m512, Sleef_expf16_u10avx512f>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m512d, Sleef_expd8_u10avx512f>(task);
#elif defined(__AVX2__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m256, Sleef_expf8_u10avx2>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m256d, Sleef_expd4_u10avx2>(task);
#elif defined(__SSE2__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m128, Sleef_expf4_u10>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m128d, Sleef_expd2_u10>(task);
#elif defined(__aarch64__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, float32x4_t, Sleef_expf4_u10>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, float64x2_t, Sleef_expd2_u10>(task);
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
