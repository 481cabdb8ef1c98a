/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise: ONNX's elementwise operators as SIMD kernels for CPUs.
 *
 * Two doors:
 *   the tensor door   lw_op_create once, lw_op_run many times: shapes, types,
 *                     broadcasting, strides, threads, and every check.
 *   the direct door   lw_kernel_find once, lw_kernel_run many times: one typed
 *                     kernel on contiguous memory, on the calling thread.
 *
 * Rules that hold for every function here:
 *   - A function that can fail returns an lw_status. When it is not LW_OK,
 *     lw_last_error() tells this thread what was wrong. Nothing has been
 *     written then, except for LW_DIVIDE_BY_ZERO (see there).
 *   - Nothing throws, aborts, raises a signal or writes to stderr.
 *   - Memory belongs to the caller. Handles come from a *_create and go to the
 *     *_destroy of the same name; destroying NULL does nothing.
 *   - Handles are safe to use from many threads at once.
 */
#ifndef LANEWISE_LANEWISE_H_
#define LANEWISE_LANEWISE_H_

#include <stddef.h>
#include <stdint.h>

#define LW_VERSION_MAJOR 0
#define LW_VERSION_MINOR 1
#define LW_VERSION_PATCH 0

/* The highest rank that a tensor may have. */
#define LW_MAX_RANK 64

#if defined(_WIN32) && !defined(LW_STATIC)
#if defined(LW_BUILDING)
#define LW_API __declspec(dllexport)
#else
#define LW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define LW_API __attribute__((visibility("default")))
#else
#define LW_API
#endif

#if defined(__cplusplus)
#define LW_NOEXCEPT noexcept
extern "C" {
#else
#define LW_NOEXCEPT
#endif

/* ---- Status ------------------------------------------------------------- */

typedef enum lw_status {
  LW_OK = 0,
  LW_INVALID_ARGUMENT = 1,    /* NULL or malformed argument, wrong size */
  LW_UNKNOWN_OPERATOR = 2,    /* no operator of that name here */
  LW_UNSUPPORTED_VERSION = 3, /* no version of it at that opset */
  LW_UNSUPPORTED_TYPE = 4,    /* the version does not list that type */
  LW_WRONG_COUNT = 5,         /* number of inputs, outputs or elements */
  LW_INVALID_ATTRIBUTE = 6,   /* unknown to the version, or a bad value */
  LW_INVALID_SHAPE = 7,       /* shapes that do not fit the operator */
  LW_SIZE_OVERFLOW = 8,       /* a product of dims exceeds the address space */
  LW_NULL_DATA = 9,           /* elements are there, the pointer is not */
  LW_MISALIGNED = 10,         /* data is not aligned to its element type */
  LW_BUFFER_TOO_SMALL = 11,   /* fewer bytes than the shape needs */
  LW_OVERLAP = 12,            /* an output overlaps an input or itself */
  LW_DIVIDE_BY_ZERO = 13,     /* integer Div met a zero divisor. The output is
                                 complete: 0 at those positions, the quotient
                                 elsewhere. See lw_last_zero_divisors. */
  LW_UNKNOWN_ISA = 14,        /* no such instruction set, or not below it */
  LW_INVALID_TUNING = 15,     /* tuning file missing or malformed */
  LW_OUT_OF_MEMORY = 16
} lw_status;

/* "LW_OK", "LW_OVERLAP", ...; "LW_UNKNOWN_STATUS" for any other number. */
LW_API const char* lw_status_name(int32_t status) LW_NOEXCEPT;

/* What the last failure on this thread was, for people: it names operator,
 * version and fault. Never NULL. Valid until this thread's next failure. */
LW_API const char* lw_last_error(void) LW_NOEXCEPT;

/* After LW_DIVIDE_BY_ZERO on this thread: the flat output index (row-major) of
 * the first zero divisor, and how many outputs had one. Either may be NULL. */
LW_API void lw_last_zero_divisors(uint64_t* first, uint64_t* count) LW_NOEXCEPT;

/* ---- Types, tensors ----------------------------------------------------- */

/* The codes of ONNX's TensorProto.DataType: pass a model's own through. */
typedef enum lw_type {
  LW_FLOAT32 = 1,
  LW_UINT8 = 2,
  LW_INT8 = 3,
  LW_UINT16 = 4,
  LW_INT16 = 5,
  LW_INT32 = 6,
  LW_INT64 = 7,
  LW_STRING = 8, /* elements of the host's string type, see lw_string_type */
  LW_BOOL = 9,
  LW_FLOAT16 = 10,
  LW_FLOAT64 = 11,
  LW_UINT32 = 12,
  LW_UINT64 = 13,
  LW_COMPLEX64 = 14,
  LW_COMPLEX128 = 15,
  LW_BFLOAT16 = 16,
  LW_FLOAT8E4M3FN = 17,
  LW_FLOAT8E4M3FNUZ = 18,
  LW_FLOAT8E5M2 = 19,
  LW_FLOAT8E5M2FNUZ = 20,
  LW_UINT4 = 21, /* two to a byte, the first element in the low bits */
  LW_INT4 = 22,
  LW_FLOAT4E2M1 = 23,
  LW_FLOAT8E8M0 = 24,
  LW_UINT2 = 25, /* four to a byte, the first element in the low bits */
  LW_INT2 = 26
} lw_type;

/* "float32", "bfloat16", ...; "unknown" for a number that is no type. */
LW_API const char* lw_type_name(int32_t type) LW_NOEXCEPT;

/* A view of a tensor in the caller's memory. */
typedef struct lw_tensor {
  void* data;             /* the first element; unused if there are none */
  int32_t type;           /* an lw_type */
  int32_t rank;           /* 0 is a scalar; at most LW_MAX_RANK */
  const int64_t* dims;    /* rank of them; NULL only for rank 0 */
  const int64_t* strides; /* rank of them, in elements; NULL: row-major without
                             gaps. Negative is fine; 0 on inputs only. Packed
                             types cannot be strided. What lies between the
                             elements of an input may be read. */
  size_t bytes;           /* the memory's size in bytes, counted from its lowest
                             element; checked unless 0 */
} lw_tensor;

/* What a run will write: the answer of lw_op_infer. */
typedef struct lw_shape {
  int32_t type;
  int32_t rank;
  int64_t dims[LW_MAX_RANK];
} lw_shape;

/* ---- Engine ------------------------------------------------------------- */

/* Where and how work runs: instruction set, threads, tuning. */
typedef struct lw_engine lw_engine;

typedef enum lw_threading {
  LW_THREADING_AUTO = 0,     /* TBB_JOIN, or SERIAL in a build without oneTBB */
  LW_THREADING_SERIAL = 1,   /* always on the calling thread */
  LW_THREADING_TBB_JOIN = 2, /* oneTBB, in the arena that the caller is in */
  LW_THREADING_TBB_OWN = 3,  /* oneTBB, in an arena of the engine's own */
  LW_THREADING_HOST = 4      /* the host's parallel_for */
} lw_threading;

/* Runs task(data, i) once for each i in [0, count), on any threads, and
 * returns when all are done. */
typedef void (*lw_task)(void* data, size_t index);
typedef void (*lw_parallel_for)(void* context, lw_task task, size_t count,
                                void* data);

/* Receives each line of the trace, without its newline, instead of stdout. */
typedef void (*lw_trace)(void* context, const char* line);

/* How LW_STRING elements are laid out and copied: copy assigns `count` elements
 * from source to destination (both already constructed) and must not throw.
 * Without one, an element is an lw_string and is copied as those two words. */
typedef struct lw_string {
  const char* data; /* not owned; need not end in 0 */
  size_t size;
} lw_string;
typedef struct lw_string_type {
  size_t element_size;      /* 0: elements are lw_string */
  size_t element_alignment; /* a power of two; 0 means that of a pointer */
  void (*copy)(void* context, void* destination, const void* source,
               size_t count);
  void* context;
} lw_string_type;

/* Zero-initialise, set struct_size, then only what matters. 0 and NULL always
 * mean: the environment variable if it is set, else the default. */
typedef struct lw_engine_options {
  size_t struct_size; /* sizeof(lw_engine_options) */
  const char*
      max_isa;       /* "AVX2", ...: the best not above it. LANEWISE_MAX_ISA */
  int32_t threading; /* an lw_threading */
  int32_t max_threads;          /* LANEWISE_NUM_THREADS; all of the machine's */
  lw_parallel_for parallel_for; /* for LW_THREADING_HOST */
  void* parallel_for_context;
  const char* tuning_file;    /* LANEWISE_TUNING */
  int32_t allow_zero_divisor; /* 1: integer x / 0 = 0 is LW_OK */
  const char* verbose;        /* "dispatch,exec". LANEWISE_VERBOSE */
  lw_trace trace;
  void* trace_context;
  lw_string_type string_type;
} lw_engine_options;

LW_API lw_status lw_engine_create(const lw_engine_options* options,
                                  lw_engine** engine) LW_NOEXCEPT;
/* Operators made from the engine stay valid. */
LW_API void lw_engine_destroy(lw_engine* engine) LW_NOEXCEPT;

/* The instruction set that the engine's kernels were built for: "AVX2", ...
 * NULL stands for the default engine, here and below. */
LW_API const char* lw_engine_isa(const lw_engine* engine) LW_NOEXCEPT;
LW_API int32_t lw_engine_threads(const lw_engine* engine) LW_NOEXCEPT;

/* The instruction sets that this CPU runs and this build holds, best first;
 * NULL past the end. */
LW_API const char* lw_isa_name(size_t index) LW_NOEXCEPT;

/* "0.1.0" */
LW_API const char* lw_version(void) LW_NOEXCEPT;

/* ---- The tensor door ---------------------------------------------------- */

/* An ONNX attribute. All that these operators have are integers. */
typedef struct lw_attribute {
  const char* name;
  const int64_t* ints;
  size_t count; /* 1 for ONNX's INT, any for INTS */
} lw_attribute;

/* One operator at one version with its attributes: the node of a model. */
typedef struct lw_op lw_op;

/* `opset` is the model's: the newest version not above it is meant. */
LW_API lw_status lw_op_create(const lw_engine* engine, const char* name,
                              int32_t opset, const lw_attribute* attributes,
                              size_t attribute_count, lw_op** op) LW_NOEXCEPT;
LW_API void lw_op_destroy(lw_op* op) LW_NOEXCEPT;

/* The type and shape of the output. Reads dims, and the data of inputs that
 * are shapes themselves (Reshape's second), but no other data. */
LW_API lw_status lw_op_infer(const lw_op* op, const lw_tensor* inputs,
                             size_t input_count, lw_shape* output) LW_NOEXCEPT;

/* Computes. Each output's dims are those that lw_op_infer tells. An output may
 * be exactly one of the inputs (in place); any other overlap is an error. */
LW_API lw_status lw_op_run(const lw_op* op, const lw_tensor* inputs,
                           size_t input_count, const lw_tensor* outputs,
                           size_t output_count) LW_NOEXCEPT;

/* ---- The direct door ---------------------------------------------------- */

/* Which operands move along a run, and which are one element. */
typedef enum lw_run {
  LW_SAME = 0,     /* every operand has n elements */
  LW_SCALAR_B = 1, /* b is one element */
  LW_SCALAR_A = 2  /* a is one element */
} lw_run;

/* One kernel; it lives as long as the program. */
typedef struct lw_kernel lw_kernel;

LW_API lw_status lw_kernel_find(const lw_engine* engine, const char* name,
                                int32_t opset, int32_t type, int32_t run,
                                const lw_kernel** kernel) LW_NOEXCEPT;

/* out[i] = op(a[i], b[i]) for i < n, on this thread, without allocation. One
 * input kernels ignore b. out may be a or b itself. */
LW_API lw_status lw_kernel_run(const lw_kernel* kernel, const void* a,
                               const void* b, void* out, size_t n) LW_NOEXCEPT;

/* ---- What there is ------------------------------------------------------ */

/* One element type of one operator. */
typedef struct lw_support {
  const char* name;      /* "Relu" */
  int32_t type;          /* an lw_type */
  int32_t since_version; /* the first version that lists the type */
} lw_support;

/* Fills in row `index`; returns 1, or 0 past the end. Rows of an operator stand
 * together, ordered by type. */
LW_API int32_t lw_support_row(size_t index, lw_support* row) LW_NOEXCEPT;

/* Version `index` of an operator, oldest first; 0 past the end. */
LW_API int32_t lw_operator_version(const char* name, size_t index) LW_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* LANEWISE_LANEWISE_H_ */
