// SPDX-License-Identifier: Apache-2.0
//
// glibc's vector exp, called directly by the names of the x86 vector ABI.

#include <gnu/libc-version.h>
#include <immintrin.h>

#include "benchmarks/peers/vector_exp.h"

extern "C" {
#if defined(__AVX512F__)
__m512 _ZGVeN16v_expf(__m512);
__m512d _ZGVeN8v_exp(__m512d);
#elif defined(__AVX2__)
__m256 _ZGVdN8v_expf(__m256);
__m256d _ZGVdN4v_exp(__m256d);
#else
__m128 _ZGVbN4v_expf(__m128);
__m128d _ZGVbN2v_exp(__m128d);
#endif
}

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::VectorExp;

// x * sigmoid(x) in one loop: the limit of what a compiler makes of the chain.
#if defined(__AVX512F__)
using Floats = __m512;
Floats ExpOf(Floats x) { return _ZGVeN16v_expf(x); }
#elif defined(__AVX2__)
using Floats = __m256;
Floats ExpOf(Floats x) { return _ZGVdN8v_expf(x); }
#else
using Floats = __m128;
Floats ExpOf(Floats x) { return _ZGVbN4v_expf(x); }
#endif
Floats SiLU(Floats x) { return x * (1 / (1 + ExpOf(x * -1))); }

Runner Prepare(const Task& task) {
  if (task.Is("Chain.SiLU") && task.type == LW_FLOAT32) {
    return VectorExp<float, Floats, SiLU>(task);
  }
  if (!task.Is("Exp")) return {};
#if defined(__AVX512F__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m512, _ZGVeN16v_expf>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m512d, _ZGVeN8v_exp>(task);
#elif defined(__AVX2__)
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m256, _ZGVdN8v_expf>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m256d, _ZGVdN4v_exp>(task);
#else
  if (task.type == LW_FLOAT32)
    return VectorExp<float, __m128, _ZGVbN4v_expf>(task);
  if (task.type == LW_FLOAT64)
    return VectorExp<double, __m128d, _ZGVbN2v_exp>(task);
#endif
  return {};
}

}  // namespace

LANEWISE_BENCH_PEERS(libmvec) {
  return {{"libmvec", std::string("glibc ") + gnu_get_libc_version(), Prepare}};
}
