// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/cpu_provider.h"

#include <algorithm>
#include <iterator>

#if defined(__linux__) && defined(__aarch64__)
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lanewise::ort {
namespace {

template <typename... Types>
constexpr uint32_t Set(Types... types) {
  return ((1u << types) | ...);
}

constexpr uint32_t kWide = Set(LW_INT32, LW_INT64, LW_UINT32, LW_UINT64);
constexpr uint32_t kNarrow = Set(LW_INT8, LW_INT16, LW_UINT8, LW_UINT16);
constexpr uint32_t kFloats = Set(LW_FLOAT32, LW_FLOAT64);
constexpr uint32_t kFloat8 =
    Set(LW_FLOAT8E4M3FN, LW_FLOAT8E4M3FNUZ, LW_FLOAT8E5M2, LW_FLOAT8E5M2FNUZ);

constexpr uint32_t kReduced = kFloats | Set(LW_INT32, LW_INT64);
constexpr uint32_t kBytes = Set(LW_INT8, LW_UINT8);

// From version `since` on, the operator also has these types.
struct Row {
  std::string_view op;
  int since;
  uint32_t types;
  int before = 1 << 30;  // the first version without the types
};

// Tried with 1.24.4 and 1.32.0 on x64. These agree but for Cos, of which 1.32.0
// also has float64, Where, of which it has int8 and uint32, Cast, of which it
// has float8e8m0, LayerNormalization, of which it has bfloat16, and version 22
// of LpNormalization. tests/onnxruntime/signatures_test.cc tries them again.
constexpr Row kRows[] = {
    {"Abs", 6, kFloats | kWide | kNarrow},
    {"Acos", 7, Set(LW_FLOAT32)},
    {"Acosh", 9, Set(LW_FLOAT32)},
    {"Add", 7, kFloats | kWide},
    {"Add", 14, kNarrow},
    {"And", 7, Set(LW_BOOL)},
    {"ArgMax", 1, kReduced | kBytes},
    {"ArgMin", 1, kReduced | kBytes},
    {"Asin", 7, Set(LW_FLOAT32)},
    {"Asinh", 9, Set(LW_FLOAT32)},
    {"Atan", 7, Set(LW_FLOAT32)},
    {"Atanh", 9, Set(LW_FLOAT32)},
    {"BatchNormalization", 7, kFloats},
    {"BitShift", 11, Set(LW_UINT8, LW_UINT32, LW_UINT64)},
    {"BitwiseAnd", 18, kWide | kNarrow},
    {"BitwiseNot", 18, kWide | kNarrow},
    {"BitwiseOr", 18, kWide | kNarrow},
    {"BitwiseXor", 18, kWide | kNarrow},
    {"Cast", 6, kFloats | kWide | kNarrow | Set(LW_FLOAT16, LW_BOOL)},
    {"Cast", 13, Set(LW_BFLOAT16)},
    {"Cast", 19, kFloat8},
    {"Cast", 21, Set(LW_INT4, LW_UINT4)},
    {"Cast", 25, Set(LW_INT2, LW_UINT2)},
    {"Ceil", 6, kFloats},
    {"Celu", 12, Set(LW_FLOAT32)},
    {"Clip", 6, Set(LW_FLOAT32)},
    {"Clip", 12, Set(LW_FLOAT16, LW_FLOAT64, LW_INT8, LW_UINT8) | kWide},
    {"Cos", 7, Set(LW_FLOAT32)},
    {"Cosh", 9, Set(LW_FLOAT32)},
    {"Div", 7, kFloats | kWide},
    {"Div", 14, kNarrow},
    {"Elu", 6, Set(LW_FLOAT32)},
    {"Equal", 7, Set(LW_INT32, LW_INT64, LW_BOOL)},
    {"Equal", 11, kFloats | kWide | kNarrow},
    {"Equal", 19, Set(LW_STRING)},
    {"Erf", 9, Set(LW_FLOAT32)},
    {"Exp", 6, kFloats},
    {"Floor", 6, kFloats},
    {"Gelu", 20, Set(LW_FLOAT32)},
    {"GlobalAveragePool", 1, Set(LW_FLOAT32)},
    {"GlobalLpPool", 2, Set(LW_FLOAT32), 22},
    {"GlobalMaxPool", 1, Set(LW_FLOAT32)},
    {"Greater", 7, kFloats},
    {"Greater", 9, kWide | kNarrow},
    {"GreaterOrEqual", 12, kFloats | kWide | kNarrow},
    {"HardSigmoid", 6, Set(LW_FLOAT32)},
    {"Hardmax", 1, Set(LW_FLOAT32)},
    {"InstanceNormalization", 6, Set(LW_FLOAT32)},
    {"IsInf", 10, kFloats},
    {"IsInf", 20, Set(LW_FLOAT16, LW_BFLOAT16) | kFloat8},
    {"IsNaN", 9, kFloats | Set(LW_FLOAT16)},
    {"IsNaN", 20, Set(LW_BFLOAT16) | kFloat8},
    {"LayerNormalization", 17, kFloats | Set(LW_FLOAT16)},
    {"LeakyRelu", 6, Set(LW_FLOAT32)},
    {"Less", 7, kFloats},
    {"Less", 9, kWide | kNarrow},
    {"LessOrEqual", 12, kFloats | kWide | kNarrow},
    {"Log", 6, kFloats},
    {"LogSoftmax", 1, kFloats},
    {"LpNormalization", 1, kFloats, 22},
    {"Max", 6, Set(LW_FLOAT32)},
    {"Max", 8, kFloats},
    {"Max", 12, kWide | Set(LW_FLOAT16, LW_INT8, LW_UINT8)},
    {"Mean", 6, Set(LW_FLOAT32)},
    {"MeanVarianceNormalization", 9, Set(LW_FLOAT32)},
    {"Min", 6, Set(LW_FLOAT32)},
    {"Min", 8, kFloats},
    {"Min", 12, kWide | Set(LW_FLOAT16, LW_INT8, LW_UINT8)},
    {"Mod", 10, kFloats | kWide | kNarrow | Set(LW_FLOAT16)},
    {"Mul", 7, kFloats | kWide},
    {"Mul", 14, kNarrow},
    {"Neg", 6, kFloats | Set(LW_INT8, LW_INT16, LW_INT32, LW_INT64)},
    {"Not", 1, Set(LW_BOOL)},
    {"Or", 7, Set(LW_BOOL)},
    {"PRelu", 7, Set(LW_FLOAT32)},
    {"Pow", 7, kFloats},
    {"Pow", 12, Set(LW_INT32, LW_INT64)},
    {"RMSNormalization", 23, kFloats | Set(LW_FLOAT16)},
    {"Reciprocal", 6, kFloats},
    {"ReduceL1", 1, kReduced},
    {"ReduceL2", 1, kReduced},
    {"ReduceLogSum", 1, kReduced, 28},
    {"ReduceLogSumExp", 1, kReduced, 28},
    {"ReduceMax", 1, kReduced},
    {"ReduceMax", 12, kBytes},
    {"ReduceMax", 20, Set(LW_BOOL)},
    {"ReduceMean", 1, kReduced},
    {"ReduceMin", 1, kReduced},
    {"ReduceMin", 12, kBytes},
    {"ReduceMin", 20, Set(LW_BOOL)},
    {"ReduceProd", 1, kReduced},
    {"ReduceSum", 1, kReduced},
    {"ReduceSumSquare", 1, kReduced},
    {"Relu", 6, kFloats},
    {"Relu", 14, Set(LW_INT8, LW_INT32)},
    {"Reshape", 1, kFloats | Set(LW_FLOAT16)},
    {"Reshape", 5, kWide | kNarrow | Set(LW_STRING, LW_BOOL)},
    {"Reshape", 13, Set(LW_BFLOAT16)},
    {"Reshape", 21, kFloat8},
    {"Round", 11, kFloats | Set(LW_FLOAT16)},
    {"Selu", 6, Set(LW_FLOAT32)},
    {"Shrink", 9, kFloats | kWide | kNarrow | Set(LW_FLOAT16)},
    {"Sigmoid", 6, kFloats},
    {"Sign", 9, kFloats | kWide | kNarrow | Set(LW_FLOAT16)},
    {"Sign", 13, Set(LW_BFLOAT16)},
    {"Sin", 7, kFloats},
    {"Sinh", 9, Set(LW_FLOAT32)},
    {"Softmax", 1, kFloats},
    {"Softplus", 1, Set(LW_FLOAT32)},
    {"Softsign", 1, Set(LW_FLOAT32)},
    {"Sqrt", 6, kFloats},
    {"Sub", 7, kFloats | kWide},
    {"Sub", 14, kNarrow},
    {"Sum", 6, kFloats},
    {"Tan", 7, Set(LW_FLOAT32)},
    {"Tanh", 6, kFloats},
    {"ThresholdedRelu", 10, Set(LW_FLOAT32)},
    {"Where", 9, kFloats | Set(LW_UINT8, LW_INT32, LW_INT64, LW_STRING)},
    {"Xor", 7, Set(LW_BOOL)},
};

// On Arm with float16 arithmetic. Tried with 1.24.4 and 1.32.0 under qemu.
constexpr Row kHalfRows[] = {
    {"Add", 14, Set(LW_FLOAT16)},      {"Div", 14, Set(LW_FLOAT16)},
    {"LeakyRelu", 6, Set(LW_FLOAT16)}, {"Mul", 14, Set(LW_FLOAT16)},
    {"Relu", 6, Set(LW_FLOAT16)},      {"Sub", 14, Set(LW_FLOAT16)},
};

template <size_t kCount>
bool Lists(const Row (&rows)[kCount], std::string_view op, int since,
           int32_t type) {
  return std::any_of(std::begin(rows), std::end(rows), [&](const Row& row) {
    return row.op == op && row.since <= since && since < row.before &&
           (row.types >> type & 1) != 0;
  });
}

// ONNX operators that compute float16 as it is.
constexpr std::string_view kHalfOperators[] = {
    "Cast",
    "Compress",
    "Concat",
    "DequantizeLinear",
    "Expand",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Identity",
    "If",
    "IsInf",
    "IsNaN",
    "LayerNormalization",
    "Loop",
    "Max",
    "Min",
    "Mod",
    "QuantizeLinear",
    "ReverseSequence",
    "Round",
    "Scan",
    "ScatterElements",
    "ScatterND",
    "SequenceConstruct",
    "Shape",
    "Shrink",
    "Sign",
    "Slice",
    "Split",
    "SplitToSequence",
    "Squeeze",
    "Transpose",
    "Unsqueeze",
};

}  // namespace

Native CpuProviderHas(std::string_view op, int since, int32_t type,
                      bool half_arithmetic) {
  if (Lists(kRows, op, since, type)) return Native::kYes;
  if (type != LW_FLOAT16) return Native::kNo;
  // ONNX Runtime puts the body in place of the node, and has no kernels for
  // that.
  if (op == "MeanVarianceNormalization") return Native::kNo;
  if (half_arithmetic && Lists(kHalfRows, op, since, type)) return Native::kYes;
  return Lists(kRows, op, since, LW_FLOAT32) ? Native::kByCasts : Native::kNo;
}

bool CpuProviderUsesHalfArithmetic() {
#if defined(__linux__) && defined(__aarch64__)
  constexpr unsigned long kHalfArithmetic = 1 << 10;  // HWCAP_ASIMDHP
  return (getauxval(AT_HWCAP) & kHalfArithmetic) != 0;
#elif defined(__APPLE__) && defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

#if defined(__x86_64__)
// Whether CPU and system have AVX-512F. __builtin_cpu_supports would need a
// part of the compiler's library that not every shared library can link.
static bool HasAvx512() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kSystemSaves = 1u << 27;  // OSXSAVE
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSystemSaves) == 0) {
    return false;
  }
  constexpr unsigned kAvx512 = 1u << 16;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & kAvx512) == 0) {
    return false;
  }
  constexpr unsigned kRegisters = 0xE6;  // SSE, AVX, and all of AVX-512
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & kRegisters) == kRegisters;
}
#endif

int CpuProviderBlockChannels() {
#if defined(__x86_64__)
  return HasAvx512() ? 16 : 8;
#else
  return 1;
#endif
}

bool CpuProviderCastsHalf(std::string_view op, std::string_view domain) {
  return !domain.empty() ||
         std::find(std::begin(kHalfOperators), std::end(kHalfOperators), op) ==
             std::end(kHalfOperators);
}

}  // namespace lanewise::ort
