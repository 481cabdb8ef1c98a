/* SPDX-License-Identifier: Apache-2.0
 *
 * A C99 program that uses an installed lanewise: Relu on an odd number of
 * bfloat16 elements, in place and not in place. The program prints the
 * instruction set and a hash of the result's bits. */
#include <inttypes.h>
#include <lanewise/lanewise.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 1031 };

static void check(lw_status status) {
  if (status == LW_OK) return;
  fprintf(stderr, "%s: %s\n", lw_status_name(status), lw_last_error());
  exit(1);
}

/* FNV-1a: a hash that shows any differing bit. */
static uint64_t hash(const uint16_t* values, size_t count) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < count; ++i) {
    h = (h ^ (values[i] & 0xFF)) * UINT64_C(1099511628211);
    h = (h ^ (values[i] >> 8)) * UINT64_C(1099511628211);
  }
  return h;
}

int main(void) {
  static uint16_t in[kCount];
  static uint16_t out[kCount];
  uint32_t state = 1;
  for (size_t i = 0; i < kCount; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = (uint16_t)(state >> 16);
  }

  const int64_t dims[1] = {kCount};
  lw_tensor input = {in, LW_BFLOAT16, 1, dims, NULL, sizeof(in)};
  lw_tensor output = {out, LW_BFLOAT16, 1, dims, NULL, sizeof(out)};
  lw_op* relu = NULL;
  check(lw_op_create(NULL, "Relu", 14, NULL, 0, &relu));
  check(lw_op_run(relu, &input, 1, &output, 1));
  check(lw_op_run(relu, &input, 1, &input, 1));
  lw_op_destroy(relu);

  size_t positive = 0;
  for (size_t i = 0; i < kCount; ++i) {
    positive += out[i] > 0 && out[i] < 0x7F80;
    if (out[i] != in[i]) return 2;
  }
  if (positive < kCount / 3) return 3;

  size_t isas = 0;
  while (lw_isa_name(isas) != NULL) ++isas;
  printf("version %s\nisa %s\nisas %zu\nlowest %s\nbits %016" PRIx64 "\n",
         lw_version(), lw_engine_isa(NULL), isas, lw_isa_name(isas - 1),
         hash(out, kCount));
  return 0;
}
