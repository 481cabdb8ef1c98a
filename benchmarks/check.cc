// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "benchmarks/chain_runners.h"
#include "benchmarks/chains.h"
#include "benchmarks/data.h"
#include "benchmarks/task.h"
#include "runtime/engine/types.h"
#include "tests/support/operator_spec.h"

namespace lanewise::bench {
namespace {

// A correctly rounded result is wrong by at most half an ULP. The margin covers
// the precision of long double.
constexpr double kHalf = 0.5001;
// Where the spec allows more than half an ULP, peers may have this much.
constexpr double kLoose = 4;
// A larger error is a mistake, not an approximation.
constexpr double kWrong = 1000;

struct Format {
  int digits;        // of the significand
  int min_exponent;  // of the smallest normal number 1.0 * 2^e
  int max_exponent;
};

std::optional<Format> FormatOf(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
      return Format{11, -14, 15};
    case LW_BFLOAT16:
      return Format{8, -126, 127};
    case LW_FLOAT32:
      return Format{24, -126, 127};
    case LW_FLOAT64:
      return Format{53, -1022, 1023};
    default:
      return std::nullopt;
  }
}

double UlpError(const Format& format, long double want, long double got) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got)) {
    return std::isnan(want) && std::isnan(got) ? 0 : kInfinite;
  }
  // A value of at least this magnitude rounds to infinity.
  const long double limit =
      std::ldexp(2.0L - std::ldexp(1.0L, -format.digits), format.max_exponent);
  if (std::fabs(want) >= limit) {
    return std::isinf(got) && std::signbit(got) == std::signbit(want)
               ? 0
               : kInfinite;
  }
  if (std::isinf(got)) return kInfinite;
  const int exponent = want == 0
                           ? format.min_exponent
                           : std::max(std::ilogb(want), format.min_exponent);
  return static_cast<double>(std::fabs(got - want) /
                             std::ldexp(1.0L, exponent - format.digits + 1));
}

// An element of the output, and the element of each input that belongs to it.
struct Element {
  const char* in[3];
  const char* out;
};

// Where the operands of a cell start.
struct Views {
  const char* in[3];
  const char* out;
};

Element ElementAt(const Cell& cell, const Views& base, size_t i) {
  const auto index = [&](int input) -> size_t {
    const size_t columns = cell.columns();
    if (cell.InputExtent(input).span == 1) return 0;
    switch (cell.pattern) {
      case Pattern::kRowB:
      case Pattern::kRow8B:
        return i % cell.InputExtent(input).used;  // of a row, or of all
      case Pattern::kColB:
      case Pattern::kCol8B:
        return input == 1 ? i / columns : i;
      case Pattern::kStrided:
        return 2 * i;
      default:
        return i;
    }
  };
  Element element = {};
  for (int k = 0; k < cell.inputs(); ++k) {
    element.in[k] =
        base.in[k] + index(k) * (FindType(cell.input_type(k))->bits / 8);
  }
  element.out = base.out + i * (FindType(cell.output_type())->bits / 8);
  return element;
}

// The operator's spec. `Copy` has its own: the output equals the input.
const test::OperatorSpec& SpecOf(const Cell& cell) {
  static const test::OperatorSpec copy = {
      .name = "Copy",
      .versions = {},
      .output = {},
      .bits = [](lw_type type, const void* const* in, void* out) {
        std::memcpy(out, in[0], test::ElementSize(type));
      }};
  const bool is_operator = cell.op != copy.name && !FindChain(cell.op);
  return is_operator ? *test::AllSpecs().at(cell.op) : copy;
}

// Whether the element has the bits that the spec demands.
bool HasOracleBits(const Cell& cell, const test::OperatorSpec& spec,
                   const Element& element) {
  alignas(16) char want[16];
  const void* in[3] = {element.in[0], element.in[1], element.in[2]};
  int32_t types[3] = {};
  for (int k = 0; k < cell.inputs(); ++k) types[k] = cell.input_type(k);
  if (spec.is_aligned()) {
    spec.aligned({types[0], types[1], cell.output_type()}, in, want);
  } else if (spec.of_types != nullptr) {
    spec.of_types(types, in, want);
  } else {
    spec.bits(cell.type, in, want);
  }
  return std::memcmp(want, element.out,
                     FindType(cell.output_type())->bits / 8) == 0;
}

Answer Wrong(std::string reason) {
  Answer answer;
  answer.verdict = Verdict::kWrong;
  answer.reason = std::move(reason);
  return answer;
}

Answer Judge(const Cell& cell, const Views& base, size_t begin, size_t end,
             Answer answer) {
  const test::OperatorSpec& spec = SpecOf(cell);
  const std::optional<Format> format = FormatOf(cell.output_type());
  const bool by_value = format && spec.exact != nullptr;
  for (size_t i = begin; i < end; ++i) {
    const Element element = ElementAt(cell, base, i);
    if (!by_value) {
      if (HasOracleBits(cell, spec, element)) continue;
      return Wrong("element " + std::to_string(i));
    }
    long double in[3] = {};
    for (int k = 0; k < cell.inputs(); ++k) {
      in[k] = test::ReadNumber(cell.input_type(k), element.in[k]);
    }
    const long double want = spec.exact(cell.type, in);
    const double error = UlpError(
        *format, want, test::ReadFloat(cell.output_type(), element.out));
    const bool tiny = std::fabs(want) < std::ldexp(1.0L, format->min_exponent);
    double& worst = tiny ? answer.tiny_ulp : answer.ulp;
    worst = std::max(worst, error);
  }
  if (!by_value) return answer;
  const double allowed = spec.allowed_ulp > 0.5 ? kLoose : kHalf;
  if (answer.ulp > allowed) {
    answer.verdict = answer.ulp > kWrong ? Verdict::kWrong : Verdict::kLoose;
    char text[64];
    std::snprintf(text, sizeof(text), "%.3g ULP", answer.ulp);
    answer.reason = text;
  } else if (answer.tiny_ulp > allowed) {
    answer.verdict = Verdict::kLoose;
    answer.reason = "subnormal results lost";
  }
  return answer;
}

// A chain is held against its operators, called one by one: each rounds its
// result, so peers that round less may differ in the last places.
Answer CheckChain(const Cell& cell, const Task& task, const Runner& runner) {
  const lw_type type = cell.output_type();
  const size_t bytes = BytesFor(cell.n, FindType(type)->bits);
  // Large chains take seconds: all implementations of a cell have one answer.
  static std::string answered;
  static std::vector<char> wanted;
  if (answered != cell.Name("")) {
    answered = cell.Name("");
    wanted.assign(bytes, 0);
    Task one_by_one = task;
    one_by_one.out = wanted.data();
    RunOnce(ChainRunner(one_by_one, nullptr, ChainWay::kSteps), cell.n);
  }
  RunOnce(runner, cell.n);
  if (std::memcmp(wanted.data(), task.out, bytes) == 0) return {};
  const std::optional<Format> format = FormatOf(type);
  if (!format) return Wrong("bytes differ");
  const size_t size = bytes / cell.n;
  constexpr long double kTiny = 1;  // results near 0 cancel
  const long double allowed = std::ldexp(16.0L, -format->digits);
  for (size_t i = 0; i < cell.n; ++i) {
    const auto* got = static_cast<const char*>(task.out) + i * size;
    const long double x = test::ReadFloat(type, got);
    const long double y = test::ReadFloat(type, &wanted[i * size]);
    if (std::fabs(x - y) > allowed * std::max(std::fabs(y), kTiny)) {
      return Wrong("element " + std::to_string(i));
    }
  }
  return {};
}

// The oracle's result of a reduction's output i, and the length of its
// sequence.
struct Reduced {
  long double result;
  size_t count;
};
Reduced ReducedAt(const Cell& cell, const char* input, size_t i) {
  const size_t size = FindType(cell.type)->bits / 8;
  const bool by_row = cell.pattern == Pattern::kReduceRows;
  const size_t count = cell.n / cell.results();
  std::vector<uint8_t> elements(count * size);
  for (size_t k = 0; k < count; ++k) {
    const size_t at = by_row ? i * count + k : k * cell.results() + i;
    std::memcpy(&elements[k * size], input + at * size, size);
  }
  const test::Sequence sequence = {cell.type, elements.data(), count, by_row};
  const test::OperatorSpec& spec = SpecOf(cell);
  if (spec.reduced_within != nullptr) {
    const test::Bounds bounds = spec.reduced_within(sequence);
    return {(bounds.low + bounds.high) / 2, count};
  }
  alignas(16) char want[16] = {};
  spec.reduced(sequence, want);
  return {test::ReadNumber(cell.output_type(), want), count};
}

// How far a result may be from the oracle's, as a share of the oracle's.
struct Tolerance {
  long double right;
  long double loose;
};
// The errors of `count` operations in any order grow with its root: the factor
// is for errors that repeat, and for Exp, Log, Sqrt. Sums of 16-bit floats are
// right if they are rounded at the end. They are loose if each operation
// rounds: such a sum may stop growing.
Tolerance ToleranceOf(const Cell& cell, size_t count) {
  const std::optional<Format> format = FormatOf(cell.output_type());
  const bool picks = cell.op == "ReduceMax" || cell.op == "ReduceMin";
  if (!format || picks) return {0, 0};
  constexpr int kFloat32Digits = 24;
  const auto number = static_cast<long double>(count);
  const long double last = std::ldexp(4.0L, -format->digits);
  const long double right =
      last + std::ldexp(16 * std::sqrt(number),
                        -std::max(format->digits, kFloat32Digits));
  const bool is_narrow = format->digits < kFloat32Digits;
  return {right,
          is_narrow ? last + std::ldexp(number, -format->digits) : right};
}

Answer CheckReduction(const Cell& cell, const Task& task,
                      const Runner& runner) {
  constexpr size_t kSample = 64;
  RunOnce(runner, cell.n);
  const lw_type type = cell.output_type();
  const size_t size = FindType(type)->bits / 8;
  const size_t results = cell.results();
  Answer answer;
  // The first and the last results.
  for (size_t i = 0; i < results; ++i) {
    if (i == kSample) i = std::max(i, results - std::min(results, kSample));
    const auto [want, count] =
        ReducedAt(cell, static_cast<const char*>(task.a), i);
    const long double got =
        test::ReadNumber(type, static_cast<const char*>(task.out) + i * size);
    const long double error = std::fabs(got - want);
    const Tolerance allowed = ToleranceOf(cell, count);
    // A NaN fails.
    if (!(error <= allowed.loose * std::fabs(want))) {
      return Wrong("element " + std::to_string(i));
    }
    if (error > allowed.right * std::fabs(want)) {
      answer.verdict = Verdict::kLoose;
      answer.reason = "partial results rounded";
    }
  }
  return answer;
}

}  // namespace

void RunOnce(const Runner& runner, size_t n) {
  if (runner.range) {
    runner.range(0, n);
  } else if (runner.whole) {
    runner.whole();
  } else {
    runner.timed(1);
  }
}

Answer CheckCell(const Cell& cell, const Task& task, const Runner& runner) {
  if (FindChain(cell.op) != nullptr) return CheckChain(cell, task, runner);
  if (task.Reduces()) return CheckReduction(cell, task, runner);
  constexpr size_t kSample = 2048;
  const size_t bits = FindType(cell.output_type())->bits;
  if (bits < 8) {
    RunOnce(runner, cell.n);
    const bool same =
        std::memcmp(task.a, task.out, BytesFor(cell.n, bits)) == 0;
    return same ? Answer() : Wrong("bytes differ");
  }
  Views base = {
      {static_cast<const char*>(task.a), static_cast<const char*>(task.b),
       static_cast<const char*>(task.c)},
      static_cast<const char*>(task.out)};
  const size_t head = std::min(cell.n, kSample);
  // In place, the answer overwrites an input: keep a copy of the input.
  if (cell.pattern == Pattern::kInPlace) {
    const char*& over = base.in[cell.in_place_input()];
    const std::vector<char> kept(over, over + BytesFor(cell.n, bits));
    RunOnce(runner, cell.n);
    const std::vector<char> result(base.out, base.out + kept.size());
    std::memcpy(task.out, kept.data(), kept.size());
    over = kept.data();
    base.out = result.data();
    return Judge(cell, base, 0, head, {});
  }
  RunOnce(runner, cell.n);
  const size_t tail = std::max(head, cell.n - std::min(cell.n, kSample / 8));
  const Answer answer = Judge(cell, base, 0, head, {});
  if (answer.verdict == Verdict::kWrong) return answer;
  return Judge(cell, base, tail, cell.n, answer);
}

Answer CheckRange(const Cell& cell, const Peer& peer) {
  constexpr size_t kCount = 4096;
  const Cell wide = {cell.op, cell.type, Pattern::kSame, kCount, 1};
  if (!FormatOf(cell.output_type()) || SpecOf(cell).exact == nullptr) return {};
  std::vector<char> in[3];
  Views base = {};
  for (int k = 0; k < wide.inputs(); ++k) {
    in[k] = MakeElements(wide, k, Values::kWide, kCount);
    base.in[k] = in[k].data();
  }
  alignas(64) static char out[kCount * 8];
  std::memset(out, 0xA5, sizeof(out));
  base.out = out;
  const Task task =
      MakeTask(wide, {in[0].data(), in[1].data(), in[2].data()}, out);
  const Runner runner = peer.prepare(task);
  if (!runner) return {};
  RunOnce(runner, kCount);
  Answer answer = Judge(wide, base, 0, kCount, {});
  // Outside the usual inputs, a wrong answer counts only as loose.
  if (answer.verdict == Verdict::kWrong) answer.verdict = Verdict::kLoose;
  return answer;
}

}  // namespace lanewise::bench
