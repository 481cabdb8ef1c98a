/* SPDX-License-Identifier: Apache-2.0
 *
 * The header in C99, and the library as a C program sees it: version and ISA,
 * Relu on an odd number of bfloat16 through both APIs, an error.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lanewise/lanewise.h"

#define COUNT 7

static int failures = 0;

static void expect(int ok, const char* what) {
  if (ok) return;
  ++failures;
  printf("failed: %s (%s)\n", what, lw_last_error());
}

/* -2, -1, -0, 0, 1, a negative NaN, -inf */
static const uint16_t kIn[COUNT] = {0xC000, 0xBF80, 0x8000, 0x0000,
                                    0x3F80, 0xFFC1, 0xFF80};
static const uint16_t kOut[COUNT] = {0x0000, 0x0000, 0x8000, 0x0000,
                                     0x3F80, 0xFFC1, 0x0000};

static void tensor_api(const lw_engine* engine) {
  const int64_t dims[1] = {COUNT};
  uint16_t in[COUNT];
  uint16_t out[COUNT + 1];
  lw_tensor x = {0};
  lw_tensor y;
  lw_shape shape;
  lw_op* relu = NULL;

  memcpy(in, kIn, sizeof(in));
  memset(out, 0x55, sizeof(out));
  x.data = in;
  x.type = LW_BFLOAT16;
  x.rank = 1;
  x.dims = dims;
  x.bytes = sizeof(in);
  y = x;
  y.data = out;

  expect(lw_op_create(engine, "Relu", 14, NULL, 0, &relu) == LW_OK, "create");
  expect(lw_op_infer(relu, &x, 1, &shape) == LW_OK, "infer");
  expect(shape.type == LW_BFLOAT16 && shape.rank == 1 && shape.dims[0] == COUNT,
         "the inferred shape");
  expect(lw_op_run(relu, &x, 1, &y, 1) == LW_OK, "run");
  expect(memcmp(out, kOut, sizeof(kOut)) == 0, "the result");
  expect(out[COUNT] == 0x5555, "the element behind the output");

  y.data = in + 1; /* overlaps the input */
  y.bytes = 0;
  expect(lw_op_run(relu, &x, 1, &y, 1) == LW_OVERLAP, "overlap");
  expect(strncmp(lw_last_error(), "Relu-14: ", 9) == 0, "the message");
  expect(memcmp(in, kIn, sizeof(in)) == 0, "nothing written");
  lw_op_destroy(relu);
}

static void kernel_api(const lw_engine* engine) {
  lw_op* op = NULL;
  const lw_kernel* relu = NULL;
  uint16_t values[COUNT];
  const void* inputs[1];
  inputs[0] = values;
  memcpy(values, kIn, sizeof(values));
  expect(lw_op_create(engine, "Relu", 13, NULL, 0, &op) == LW_OK, "create");
  expect(lw_op_kernel(op, LW_BFLOAT16, LW_SAME, &relu) == LW_OK, "find");
  expect(lw_kernel_run(relu, inputs, values, COUNT) == LW_OK, "the kernel");
  expect(memcmp(values, kOut, sizeof(values)) == 0, "in place");
  lw_op_destroy(op);
  expect(lw_op_create(engine, "Relu", 6, NULL, 0, &op) == LW_OK, "create");
  expect(lw_op_kernel(op, LW_BFLOAT16, LW_SAME, &relu) == LW_UNSUPPORTED_TYPE,
         "bfloat16 in Relu-6");
  lw_op_destroy(op);
}

int main(void) {
  lw_engine_options options = {0};
  lw_engine* engine = NULL;
  const lw_signature* row = NULL;
  size_t i;

  printf("lanewise %s on %s, %d thread(s)\n", lw_version(), lw_engine_isa(NULL),
         (int)lw_engine_threads(NULL));
  tensor_api(NULL);
  kernel_api(NULL);

  options.struct_size = sizeof(options);
  options.threading = LW_THREADING_SERIAL;
  for (i = 0; lw_isa_name(i) != NULL; ++i) {
    options.max_isa = lw_isa_name(i);
    expect(lw_engine_create(&options, &engine) == LW_OK, "an engine");
    expect(strcmp(lw_engine_isa(engine), lw_isa_name(i)) == 0, "its ISA");
    tensor_api(engine);
    kernel_api(engine);
    lw_engine_destroy(engine);
  }

  row = lw_signature_at(0);
  expect(row != NULL && row->since_version > 0, "a row");
  expect(strcmp(lw_status_name(LW_OVERLAP), "LW_OVERLAP") == 0, "a name");
  expect(strcmp(lw_type_name(LW_BFLOAT16), "bfloat16") == 0, "a type's name");
  if (failures == 0) puts("passed");
  return failures != 0;
}
