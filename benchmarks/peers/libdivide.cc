// SPDX-License-Identifier: Apache-2.0
//
// libdivide: division of all elements by one divisor. Each call turns the
// divisor into a multiplication.

#if defined(__AVX512F__)
#define LIBDIVIDE_AVX512
#endif
#if defined(__AVX2__)
#define LIBDIVIDE_AVX2
#endif
#if defined(__SSE2__)
#define LIBDIVIDE_SSE2
#endif
#if defined(__aarch64__)
#define LIBDIVIDE_NEON
#endif
#include <libdivide.h>

#include <cstring>

#include "benchmarks/peers/flat.h"

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

#if defined(__AVX512F__)
using Vector = __m512i;
#elif defined(__AVX2__)
using Vector = __m256i;
#elif defined(__SSE2__)
using Vector = __m128i;
#else
using Vector = void;
#endif

template <typename T>
void DivideAll(const T* a, T b, T* out, size_t n) {
  const libdivide::divider<T> by(b);
  size_t i = 0;
  if constexpr (!std::is_void_v<Vector>) {
    constexpr size_t kLanes = sizeof(Vector) / sizeof(T);
    for (; i + kLanes <= n; i += kLanes) {
      Vector v;
      std::memcpy(&v, a + i, sizeof(v));
      v = v / by;
      std::memcpy(out + i, &v, sizeof(v));
    }
  }
  for (; i < n; ++i) out[i] = a[i] / by;
}

template <typename T>
Runner ByScalar(const Task& task) {
  Runner runner;
  runner.range = [a = static_cast<const T*>(task.a),
                  b = static_cast<const T*>(task.b),
                  out = static_cast<T*>(task.out)](size_t begin, size_t end) {
    DivideAll(a + begin, *b, out + begin, end - begin);
  };
  return runner;
}

Runner Prepare(const Task& task) {
  if (!task.Is("Div") || task.pattern != Pattern::kScalarB) return {};
  switch (task.type) {
    case LW_INT32:
      return ByScalar<int32_t>(task);
    case LW_UINT32:
      return ByScalar<uint32_t>(task);
    case LW_INT64:
      return ByScalar<int64_t>(task);
    case LW_UINT64:
      return ByScalar<uint64_t>(task);
    default:
      return {};
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(libdivide) {
  return {{"libdivide", LIBDIVIDE_VERSION, Prepare}};
}
