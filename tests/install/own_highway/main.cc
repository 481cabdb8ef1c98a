// SPDX-License-Identifier: Apache-2.0
//
// A host with a Highway of its own, of another version than the one in
// lanewise. `run` has changed that Highway: it reports the baseline as the only
// target. So the host's kernel must run on the baseline, and lanewise as if it
// were alone.
#include <lanewise/lanewise.h>

#include <cstdio>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "main.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace host {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

const char* Square(float* values, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = hn::LoadN(d, values + i, count - i);
    hn::StoreN(hn::Mul(v, v), d, values + i, count - i);
  }
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace host {

HWY_EXPORT(Square);

int Run() {
  float values[19], squares[19];
  for (int i = 0; i < 19; ++i) values[i] = squares[i] = static_cast<float>(i);
  const char* target = HWY_DYNAMIC_DISPATCH(Square)(squares, 19);
  for (int i = 0; i < 19; ++i) {
    if (squares[i] != values[i] * values[i]) return 1;
  }

  float quotients[19];
  const int64_t dims[1] = {19};
  const lw_tensor inputs[2] = {
      {squares, LW_FLOAT32, 1, dims, nullptr, sizeof(squares)},
      {values, LW_FLOAT32, 1, dims, nullptr, sizeof(values)}};
  const lw_tensor output = {quotients, LW_FLOAT32, 1,
                            dims,      nullptr,    sizeof(quotients)};
  lw_op* div = nullptr;
  if (lw_op_create(nullptr, "Div", 14, nullptr, 0, &div) != LW_OK) return 2;
  if (lw_op_run(div, inputs, 2, &output, 1) != LW_OK) return 3;
  lw_op_destroy(div);
  for (int i = 1; i < 19; ++i) {
    if (quotients[i] != values[i]) return 4;
  }

  size_t isas = 0;
  while (lw_isa_name(isas) != nullptr) ++isas;
  std::printf("host %d on %s, baseline %s\nisa %s\nisas %zu\n", HWY_MAJOR,
              target, hwy::TargetName(HWY_STATIC_TARGET),
              lw_engine_isa(nullptr), isas);
  return 0;
}

}  // namespace host

int main() { return host::Run(); }
#endif  // HWY_ONCE
