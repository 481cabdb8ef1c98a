/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise: ONNX's elementwise operators as SIMD kernels for CPUs.
 *
 * Three ways to call an operator, from the most convenient to the leanest:
 *   the tensor API   lw_op_create once, lw_op_run many times: checks types,
 *                    shapes and strides in every call.
 *   a prepared call  lw_call_create once, lw_call_run many times on new
 *                    pointers: checks shapes once.
 *   the kernel API   lw_op_kernel once, lw_kernel_run many times: one kernel on
 *                    contiguous memory, on the calling thread.
 * Several operators in one pass over memory are a chain (lw_chain_create).
 *
 * Rules that hold for every function here:
 *   - A function that can fail returns an lw_status. When the status is not
 *     LW_OK, lw_last_error() tells this thread what was wrong. Nothing has been
 *     written then, except for LW_DIVIDE_BY_ZERO and LW_THREADING_FAILED, which
 *     say what the output holds.
 *   - Nothing throws, aborts, raises a signal or writes to stderr.
 *   - In an optimized build for x86, no function takes more than 48 KiB of
 *     stack on any thread. What functions of the host take comes on top.
 *   - Memory belongs to the caller. A handle comes from a *_create function and
 *     goes to the *_destroy function of the same name. Destroying NULL does
 *     nothing.
 *   - Any number of threads may use a handle at the same time.
 *   - Structs that start with struct_size, the sizeof of your header, may grow
 *     at their end. A smaller struct is accepted, and a larger one if the bytes
 *     that this library does not know are 0. All other structs never change.
 */
#ifndef LANEWISE_LANEWISE_H_
#define LANEWISE_LANEWISE_H_

#include <stddef.h>
#include <stdint.h>

#define LW_VERSION_MAJOR 0
#define LW_VERSION_MINOR 1
#define LW_VERSION_PATCH 0

#define LW_MAX_RANK 64   /* of a tensor */
#define LW_MAX_INPUTS 16 /* of a call */
/* Of a chain. */
#define LW_MAX_STEPS 64
#define LW_MAX_CONSTANTS 64
#define LW_MAX_OUTPUTS 8

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
  /* Integer Div met a zero divisor (lw_zero_divisors). The output is complete:
   * 0 at those positions, the quotient elsewhere. */
  LW_DIVIDE_BY_ZERO = 13,
  LW_UNKNOWN_ISA = 14,    /* no such instruction set, or none up to it runs */
  LW_INVALID_TUNING = 15, /* tuning file missing or malformed */
  LW_OUT_OF_MEMORY = 16,
  /* The host's parallel_for, or the threading library, reported a failure. Each
   * element of the output is either its old value or the right result; inputs
   * are unchanged unless the call was in place. */
  LW_THREADING_FAILED = 17,
  LW_NOT_EXACT = 18 /* an exact engine; nobody has proven the operator exact */
} lw_status;

/* "LW_OK", ...; "LW_UNKNOWN_STATUS" for any other number. */
LW_API const char* lw_status_name(int32_t status) LW_NOEXCEPT;

/* The message of this thread's last failure. It names the operator, its version
 * and the fault. Never NULL. Valid until this thread's next failure. */
LW_API const char* lw_last_error(void) LW_NOEXCEPT;

/* Where an integer division met zero divisors. */
typedef struct lw_zero_divisors {
  uint64_t first; /* the row-major output index of the first one */
  uint64_t count; /* how many outputs had one */
} lw_zero_divisors;

/* The zero divisors of this thread's last LW_DIVIDE_BY_ZERO. */
LW_API lw_zero_divisors lw_last_zero_divisors(void) LW_NOEXCEPT;

/* ---- Types, tensors ----------------------------------------------------- */

/* The codes of ONNX's TensorProto.DataType: pass a model's own through. */
typedef enum lw_type {
  LW_ABSENT = 0, /* no tensor: an optional input that is left out */
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

/* A view of a tensor in the caller's memory. An optional input or output is
 * left out by the type LW_ABSENT (then nothing else is read) or, behind the
 * last one that is there, by a smaller count. */
typedef struct lw_tensor {
  void* data;          /* the first element; unused if there are none */
  int32_t type;        /* an lw_type */
  int32_t rank;        /* 0 is a scalar; at most LW_MAX_RANK */
  const int64_t* dims; /* rank of them; NULL only for rank 0 */
  /* rank of them, in elements; NULL: row-major without gaps. Negative is fine;
   * 0 on inputs only. Packed types cannot be strided. What lies between the
   * elements of an input may be read. */
  const int64_t* strides;
  size_t bytes; /* from the lowest element on; checked unless 0 */
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
  /* TBB_JOIN; TBB_OWN with a max_threads; SERIAL with a max_threads of 1, or in
   * a build without oneTBB */
  LW_THREADING_AUTO = 0,
  LW_THREADING_SERIAL = 1,   /* always on the calling thread */
  LW_THREADING_TBB_JOIN = 2, /* oneTBB, in the arena that the caller is in */
  LW_THREADING_TBB_OWN = 3,  /* oneTBB, in an arena of the engine's own */
  LW_THREADING_HOST = 4      /* the host's parallel_for */
} lw_threading;

/* A host's own threads. Runs task(data, i) once for each i in [0, count), on
 * any threads, and returns when all have run: 0, or any other value if it could
 * not run all of them (the call then returns LW_THREADING_FAILED). */
typedef void (*lw_task)(void* data, size_t index);
typedef int32_t (*lw_parallel_for)(void* context, lw_task task, size_t count,
                                   void* data);

/* Receives each line of the trace, without its newline, instead of stdout. */
typedef void (*lw_trace)(void* context, const char* line);

/* LW_STRING elements. By default an element is an lw_string: a pointer and a
 * size, copied as these two words and compared by their bytes. */
typedef struct lw_string {
  const char* data; /* not owned; need not end in 0 */
  size_t size;
} lw_string;

/* A host's own string type, such as std::string. The functions are called on
 * the thread that makes the call and must not throw. */
typedef struct lw_string_type {
  size_t element_size;      /* 0: elements are lw_string */
  size_t element_alignment; /* a power of two; 0 means that of a pointer */
  /* Assigns `count` elements; both sides are constructed already. */
  void (*copy)(void* context, void* destination, const void* source,
               size_t count);
  /* Whether two elements are equal: 1 or 0. Only Equal needs it. */
  int32_t (*equal)(void* context, const void* a, const void* b);
  void* context;
} lw_string_type;

/* How exact float32 and float64 functions are: Exp, Tanh, Gelu, ... All other
 * results of single operators are the same in each grade. */
typedef enum lw_accuracy {
  /* Errors below 4 ULP. Chains of 16-bit floats compute in float32 and round
   * what leaves them. */
  LW_ACCURACY_FAST = 1,
  LW_ACCURACY_TIGHT = 2, /* errors below 1 ULP; the default */
  /* Every float result is the correctly rounded one, and thus the same on every
   * CPU. Types for which nobody has proven that are refused (LW_NOT_EXACT). */
  LW_ACCURACY_EXACT = 3
} lw_accuracy;

/* Zero-initialise, set struct_size, then what matters. 0 and NULL mean: the
 * environment variable, if the field has one that is set, else the default. */
typedef struct lw_engine_options {
  size_t struct_size;  /* sizeof(lw_engine_options) */
  const char* max_isa; /* "AVX2": the best not above it. LANEWISE_MAX_ISA */
  int32_t threading;   /* an lw_threading */
  int32_t max_threads; /* LANEWISE_NUM_THREADS; all of the machine's */
  lw_parallel_for parallel_for; /* for LW_THREADING_HOST */
  void* parallel_for_context;
  const char* tuning_file;    /* LANEWISE_TUNING */
  int32_t allow_zero_divisor; /* 1: an integer x / 0 = 0 is LW_OK */
  int32_t strict_opset; /* 1: no opset that is newer than the newest one that
                           an operator was verified against (last_opset) */
  const char* verbose;  /* "dispatch,exec". LANEWISE_VERBOSE */
  lw_trace trace;
  void* trace_context;
  lw_string_type string_type;
  int32_t accuracy; /* an lw_accuracy. LANEWISE_ACCURACY: fast, tight, exact */
  int32_t reserved; /* 0 */
} lw_engine_options;

LW_API lw_status lw_engine_create(const lw_engine_options* options,
                                  lw_engine** engine) LW_NOEXCEPT;
/* Operators made from the engine stay valid. */
LW_API void lw_engine_destroy(lw_engine* engine) LW_NOEXCEPT;

/* The instruction set of the engine's kernels: "AVX2", ... NULL stands for the
 * default engine, here and below. If an environment variable is wrong, so that
 * there is none, these functions return "none", 0 and 0 (lw_last_error). */
LW_API const char* lw_engine_isa(const lw_engine* engine) LW_NOEXCEPT;
LW_API int32_t lw_engine_threads(const lw_engine* engine) LW_NOEXCEPT;
/* An lw_accuracy. Calls of exact engines compute in the default floating-point
 * environment (round to nearest, subnormal numbers kept), whatever the caller's
 * is, and leave the caller's as it was. */
LW_API int32_t lw_engine_accuracy(const lw_engine* engine) LW_NOEXCEPT;

/* The instruction sets of this CPU and this build, best first; then NULL. */
LW_API const char* lw_isa_name(size_t index) LW_NOEXCEPT;

/* "0.1.0" */
LW_API const char* lw_version(void) LW_NOEXCEPT;

/* ---- The tensor API ----------------------------------------------------- */

/* The codes of ONNX's AttributeProto.AttributeType. */
typedef enum lw_attribute_kind {
  LW_ATTRIBUTE_FLOAT = 1,  /* values: const float* */
  LW_ATTRIBUTE_INT = 2,    /* values: const int64_t* */
  LW_ATTRIBUTE_STRING = 3, /* values: const lw_string* */
  LW_ATTRIBUTE_FLOATS = 6,
  LW_ATTRIBUTE_INTS = 7,
  LW_ATTRIBUTE_STRINGS = 8
} lw_attribute_kind;

/* An attribute of a node. Its values are copied. */
typedef struct lw_attribute {
  const char* name;
  int32_t kind;       /* an lw_attribute_kind */
  size_t count;       /* 1 for FLOAT, INT and STRING; any for the others */
  const void* values; /* `count` of them; NULL only for 0 */
} lw_attribute;

/* One operator at one version with its attributes: the node of a model. */
typedef struct lw_op lw_op;

/* `opset` is the model's: the newest version not above it is meant. */
LW_API lw_status lw_op_create(const lw_engine* engine, const char* name,
                              int32_t opset, const lw_attribute* attributes,
                              size_t attribute_count, lw_op** op) LW_NOEXCEPT;
LW_API void lw_op_destroy(lw_op* op) LW_NOEXCEPT;

/* The types and shapes of all outputs of the operator's signature. Reads dims
 * and the data of inputs that are shapes (Reshape's second), no other data. */
LW_API lw_status lw_op_infer(const lw_op* op, const lw_tensor* inputs,
                             size_t input_count, lw_shape* outputs) LW_NOEXCEPT;

/* Computes. Each output's dims are those that lw_op_infer tells; an optional
 * output is left out as an optional input is. An output may be exactly one of
 * the inputs (in place): the same size of elements, the same shape and strides.
 * Any other overlap is an error, except for operators that only move elements
 * (Reshape): these may leave contiguous data where it is. */
LW_API lw_status lw_op_run(const lw_op* op, const lw_tensor* inputs,
                           size_t input_count, const lw_tensor* outputs,
                           size_t output_count) LW_NOEXCEPT;

/* Of one call. Zero-initialise, set struct_size, then only what matters. */
typedef struct lw_run_options {
  size_t struct_size;           /* sizeof(lw_run_options) */
  lw_parallel_for parallel_for; /* NULL: the engine's threads */
  void* parallel_for_context;
  int32_t max_threads; /* 0: as many as the engine has */
  int32_t reserved;    /* 0 */
  /* Receives the zero divisors of this call, {0, 0} if there is none; also
   * where the engine allows them. NULL: only lw_last_zero_divisors tells. */
  lw_zero_divisors* zero_divisors;
} lw_run_options;

/* lw_op_run with options for this call only. NULL: none. */
LW_API lw_status lw_op_run_with(const lw_op* op, const lw_run_options* options,
                                const lw_tensor* inputs, size_t input_count,
                                const lw_tensor* outputs,
                                size_t output_count) LW_NOEXCEPT;

/* ---- Prepared calls ----------------------------------------------------- */

/* One call with settled types, shapes and strides, to be run on any data. The
 * operator may be destroyed before its calls. */
typedef struct lw_call lw_call;

/* Reads no data but that of inputs that are shapes. Copies dims and strides. */
LW_API lw_status lw_call_create(const lw_op* op, const lw_tensor* inputs,
                                size_t input_count, const lw_tensor* outputs,
                                size_t output_count,
                                lw_call** call) LW_NOEXCEPT;
LW_API void lw_call_destroy(lw_call* call) LW_NOEXCEPT;

/* Computes on these pointers, one for each tensor of lw_call_create. Checks
 * that they are there, aligned, and do not overlap, but not how many bytes are
 * behind them. The pointer of what is left out or of a shape is not read. */
LW_API lw_status lw_call_run(const lw_call* call, const void* const* inputs,
                             void* const* outputs) LW_NOEXCEPT;
LW_API lw_status lw_call_run_with(const lw_call* call,
                                  const lw_run_options* options,
                                  const void* const* inputs,
                                  void* const* outputs) LW_NOEXCEPT;

/* ---- Chains ------------------------------------------------------------- */

/* Several operators in one pass over memory, with the bits of the same
 * operators called one by one (but see LW_ACCURACY_FAST).
 *
 * Values have numbers: first the inputs, then the constants, then one result
 * for each step, in the order in which they are given. A step reads inputs,
 * constants, and the (first) results of steps before it; every result is an
 * output, or a later step reads the result. Shapes broadcast as they do for the
 * operators. For y = (x + 1) * x, with one input and one constant, x is value
 * 0, the 1 is value 1, the sum is value 2, the product value 3:
 *
 *   const int32_t types[] = {LW_FLOAT32};
 *   const int32_t sum[] = {0, 1}, product[] = {2, 0}, outputs[] = {3};
 *   const lw_step steps[] = {{add, sum, 2}, {mul, product, 2}};
 *   lw_chain_create(NULL, types, 1, &one, 1, steps, 2, outputs, 1, &chain);
 *
 * There are no strings, no packed types, no CastLike, and neither
 * QuantizeLinear nor DequantizeLinear. Reshape is possible only at the ends: on
 * an input or a constant, or as the last step before an output; the tensor on
 * its other side must have no gaps. Reductions are steps like any other, in
 * front of others and behind; their axes are an attribute, a constant or an
 * input, and never computed. */
typedef struct lw_chain lw_chain;

typedef struct lw_step {
  const lw_op* op;
  const int32_t* operands; /* values; -1 leaves an optional input out */
  size_t operand_count;
} lw_step;

/* Copies all, also the constants' elements; the operators, all of `engine`, may
 * be destroyed before the chain. Inputs and constants of more than one element
 * are at most LW_MAX_INPUTS together. An output is the result of a step. */
LW_API lw_status lw_chain_create(const lw_engine* engine,
                                 const int32_t* input_types, size_t input_count,
                                 const lw_tensor* constants,
                                 size_t constant_count, const lw_step* steps,
                                 size_t step_count, const int32_t* outputs,
                                 size_t output_count,
                                 lw_chain** chain) LW_NOEXCEPT;
LW_API void lw_chain_destroy(lw_chain* chain) LW_NOEXCEPT;

/* The types and shapes of all outputs, as lw_op_infer tells them. */
LW_API lw_status lw_chain_infer(const lw_chain* chain, const lw_tensor* inputs,
                                size_t input_count,
                                lw_shape* outputs) LW_NOEXCEPT;

/* Computes. Quick if the tensors differ from those of the last call in nothing
 * but data. `options` may be NULL. An output may be exactly one of the inputs
 * (as for lw_op_run) if no step after the output's own reads that input; any
 * other overlap is an error. LW_DIVIDE_BY_ZERO is about the first step that met
 * a zero divisor: positions are those in the step's own result. What goes only
 * into outputs without elements is not computed. A run leaves no floating-point
 * flags. A run on one thread, of tensors of up to 8 dims, allocates nothing
 * unless shapes depend on data or another thread runs this chain; with
 * reductions, also unless the tensors differ in more than data. */
LW_API lw_status lw_chain_run(const lw_chain* chain,
                              const lw_run_options* options,
                              const lw_tensor* inputs, size_t input_count,
                              const lw_tensor* outputs,
                              size_t output_count) LW_NOEXCEPT;

/* A prepared call for lw_call_run and lw_call_destroy. Inputs that are shapes
 * are read here. The chain may be destroyed before its calls. */
LW_API lw_status lw_chain_prepare(const lw_chain* chain,
                                  const lw_tensor* inputs, size_t input_count,
                                  const lw_tensor* outputs, size_t output_count,
                                  lw_call** call) LW_NOEXCEPT;

/* ---- The kernel API ----------------------------------------------------- */

/* Which inputs have one element for all elements of the output: the sum of
 * their SCALAR values. All other inputs have an element for each. */
typedef enum lw_pattern {
  LW_SAME = 0,     /* every input has n elements */
  LW_SCALAR_A = 1, /* the first input has one element */
  LW_SCALAR_B = 2, /* the second input has one element */
  LW_SCALAR_C = 4,
  LW_SCALAR_D = 8
} lw_pattern;

/* One kernel of an operator. It belongs to the operator and lives as long. */
typedef struct lw_kernel lw_kernel;

/* `type` is that of the operator's type parameter T; other operands have the
 * types that its signature tells, and T's if there are several (Pow's Y).
 * Inputs that are always one element (Clip's bounds) are scalars in every
 * pattern. Reductions and composed operators (ReduceSum, Softmax) have no
 * kernels: LW_INVALID_ARGUMENT. */
LW_API lw_status lw_op_kernel(const lw_op* op, int32_t type, int32_t pattern,
                              const lw_kernel** kernel) LW_NOEXCEPT;

/* output[i] = op(inputs[0][i], ...) for i < n, on this thread, without
 * allocation. `inputs` has a pointer for each input of the operator's
 * signature, shapes excepted; two if the signature's input is variadic. NULL
 * leaves an optional input out. The output may start exactly where an input of
 * the same element size starts. */
LW_API lw_status lw_kernel_run(const lw_kernel* kernel,
                               const void* const* inputs, void* output,
                               size_t n) LW_NOEXCEPT;

/* ---- What there is ------------------------------------------------------ */

/* An input or output of an operator. */
typedef struct lw_operand {
  const char* name;           /* as ONNX's document names it: "condition" */
  const char* type_parameter; /* operands with the same one have one type */
  const int32_t* types;       /* the types that the version lists, ascending */
  size_t type_count;
  int32_t optional; /* may be left out */
  int32_t in_place; /* the output may be written over this input */
  int32_t variadic; /* the one input, given 1 to LW_MAX_INPUTS times */
} lw_operand;

typedef struct lw_attribute_info {
  const char* name;
  int32_t kind; /* an lw_attribute_kind */
  int32_t required;
  int32_t tells_type; /* an output's: an lw_type, or ONNX's name ("FLOAT") */
} lw_attribute_info;

/* One version of one operator. */
typedef struct lw_signature {
  const char* name;      /* "Relu" */
  int32_t since_version; /* the version */
  int32_t last_opset;    /* the last opset that means this version; of the
                            newest version, the newest verified opset */
  const lw_operand* inputs;
  size_t input_count;
  const lw_operand* outputs;
  size_t output_count;
  const lw_attribute_info* attributes;
  size_t attribute_count;
  int32_t moves_only; /* the output has the first input's elements in order: in
                         contiguous memory, both may always be at one address */
} lw_signature;

/* Row `index` of the support table; NULL past the end. An operator's versions
 * stand together, oldest first. Rows stay, and may get fields at their end. */
LW_API const lw_signature* lw_signature_at(size_t index) LW_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* LANEWISE_LANEWISE_H_ */
