// SPDX-License-Identifier: Apache-2.0
//
// glibc's vector functions, called directly by the names of the x86 vector ABI.

#include <gnu/libc-version.h>
#include <immintrin.h>

#include "benchmarks/peers/vector_function.h"

// The vectors, and the names' prefixes for floats and doubles.
#if defined(__AVX512F__)
using Floats = __m512;
using Doubles = __m512d;
#define LANEWISE_FLOATS(name) _ZGVeN16v_##name##f
#define LANEWISE_DOUBLES(name) _ZGVeN8v_##name
#elif defined(__AVX2__)
using Floats = __m256;
using Doubles = __m256d;
#define LANEWISE_FLOATS(name) _ZGVdN8v_##name##f
#define LANEWISE_DOUBLES(name) _ZGVdN4v_##name
#else
using Floats = __m128;
using Doubles = __m128d;
#define LANEWISE_FLOATS(name) _ZGVbN4v_##name##f
#define LANEWISE_DOUBLES(name) _ZGVbN2v_##name
#endif

extern "C" {
Floats LANEWISE_FLOATS(exp)(Floats);
Floats LANEWISE_FLOATS(sin)(Floats);
Floats LANEWISE_FLOATS(cos)(Floats);
Floats LANEWISE_FLOATS(tan)(Floats);
Floats LANEWISE_FLOATS(asin)(Floats);
Floats LANEWISE_FLOATS(acos)(Floats);
Floats LANEWISE_FLOATS(atan)(Floats);
Floats LANEWISE_FLOATS(sinh)(Floats);
Floats LANEWISE_FLOATS(cosh)(Floats);
Floats LANEWISE_FLOATS(asinh)(Floats);
Floats LANEWISE_FLOATS(acosh)(Floats);
Floats LANEWISE_FLOATS(atanh)(Floats);
Doubles LANEWISE_DOUBLES(exp)(Doubles);
Doubles LANEWISE_DOUBLES(sin)(Doubles);
Doubles LANEWISE_DOUBLES(cos)(Doubles);
Doubles LANEWISE_DOUBLES(tan)(Doubles);
Doubles LANEWISE_DOUBLES(asin)(Doubles);
Doubles LANEWISE_DOUBLES(acos)(Doubles);
Doubles LANEWISE_DOUBLES(atan)(Doubles);
Doubles LANEWISE_DOUBLES(sinh)(Doubles);
Doubles LANEWISE_DOUBLES(cosh)(Doubles);
Doubles LANEWISE_DOUBLES(asinh)(Doubles);
Doubles LANEWISE_DOUBLES(acosh)(Doubles);
Doubles LANEWISE_DOUBLES(atanh)(Doubles);
}

namespace {

using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;
using lanewise::bench::VectorFunction;

// x * sigmoid(x) in one loop: the limit of what a compiler makes of the chain.
Floats SiLU(Floats x) { return x * (1 / (1 + LANEWISE_FLOATS(exp)(x * -1))); }

template <auto kFloat, auto kDouble>
Runner ByType(const Task& task) {
  if (task.type == LW_FLOAT32) {
    return VectorFunction<float, Floats, kFloat>(task);
  }
  if (task.type == LW_FLOAT64) {
    return VectorFunction<double, Doubles, kDouble>(task);
  }
  return {};
}
#define LANEWISE_LIBMVEC(name) \
  ByType<LANEWISE_FLOATS(name), LANEWISE_DOUBLES(name)>

Runner Prepare(const Task& task) {
  if (task.Is("Chain.SiLU") && task.type == LW_FLOAT32) {
    return VectorFunction<float, Floats, SiLU>(task);
  }
  if (task.Is("Exp")) return LANEWISE_LIBMVEC(exp)(task);
  if (task.Is("Sin")) return LANEWISE_LIBMVEC(sin)(task);
  if (task.Is("Cos")) return LANEWISE_LIBMVEC(cos)(task);
  if (task.Is("Tan")) return LANEWISE_LIBMVEC(tan)(task);
  if (task.Is("Asin")) return LANEWISE_LIBMVEC(asin)(task);
  if (task.Is("Acos")) return LANEWISE_LIBMVEC(acos)(task);
  if (task.Is("Atan")) return LANEWISE_LIBMVEC(atan)(task);
  if (task.Is("Sinh")) return LANEWISE_LIBMVEC(sinh)(task);
  if (task.Is("Cosh")) return LANEWISE_LIBMVEC(cosh)(task);
  if (task.Is("Asinh")) return LANEWISE_LIBMVEC(asinh)(task);
  if (task.Is("Acosh")) return LANEWISE_LIBMVEC(acosh)(task);
  if (task.Is("Atanh")) return LANEWISE_LIBMVEC(atanh)(task);
  return {};
}

}  // namespace

LANEWISE_BENCH_PEERS(libmvec) {
  return {{"libmvec", std::string("glibc ") + gnu_get_libc_version(), Prepare}};
}
