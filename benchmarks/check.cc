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

#include "benchmarks/data.h"
#include "runtime/types.h"

namespace lanewise::bench {
namespace {

// A right answer in f32 and f64 Div and Reciprocal is the IEEE quotient, half
// an ULP off at most; the rest is for what long double cannot tell.
constexpr double kHalf = 0.5001;
constexpr double kLooseExp = 4;
// Worse is no approximation any more but a mistake.
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
  // Past this every rounding is to infinity.
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

// nullopt: an operator that has no oracle here.
std::optional<long double> Expected(std::string_view op, long double a,
                                    long double b) {
  if (op == "Exp") return std::exp(a);
  if (op == "Reciprocal") return 1 / a;
  if (op == "Relu") return a < 0 ? 0.0L : a;
  if (op == "Div") return a / b;
  if (op == "Copy" || op == "Reshape") return a;
  return std::nullopt;
}

// 64 bits do not fit into the long double of every machine.
bool IntegerIsRight(lw_type type, const char* a, const char* b, const char* got,
                    std::string_view op) {
  const auto as = [type](const char* p) {
    uint64_t bits = 0;
    std::memcpy(&bits, p, FindType(type)->bits / 8);
    const int shift = 64 - FindType(type)->bits;
    const bool is_signed = type == LW_INT8 || type == LW_INT16 ||
                           type == LW_INT32 || type == LW_INT64;
    return is_signed
               ? std::pair(true, static_cast<int64_t>(bits << shift) >> shift)
               : std::pair(false, static_cast<int64_t>(bits));
  };
  const auto [is_signed, x] = as(a);
  const int64_t result = as(got).second;
  if (op == "Relu") return result == std::max<int64_t>(x, 0);
  if (op != "Div") return true;
  const int64_t y = as(b).second;
  if (y == 0) return true;  // only specials, and only ours: tests check them
  if (!is_signed) {
    return static_cast<uint64_t>(result) ==
           static_cast<uint64_t>(x) / static_cast<uint64_t>(y);
  }
  if (y == -1) {
    int64_t negated;
    __builtin_sub_overflow(int64_t{0}, x, &negated);
    const int shift = 64 - FindType(type)->bits;
    return result ==
           static_cast<int64_t>(static_cast<uint64_t>(negated) << shift) >>
               shift;
  }
  return result == x / y;
}

struct Views {
  const char* a;
  const char* b;
  const char* out;
};

// Where element `i` of each operand lies.
Views ElementAt(const Cell& cell, const Task& task, const Views& base,
                size_t i) {
  const size_t size = FindType(task.type)->bits / 8;
  const auto index = [&](int input) {
    const size_t columns = cell.columns();
    switch (cell.pattern) {
      case Pattern::kScalarA:
        return input == 0 ? 0 : i;
      case Pattern::kScalarB:
        return input == 1 ? 0 : i;
      case Pattern::kRowB:
      case Pattern::kRow8B:
        return input == 1 ? i % columns : i;
      case Pattern::kColB:
      case Pattern::kCol8B:
        return input == 1 ? i / columns : i;
      case Pattern::kStrided:
        return 2 * i;
      default:
        return i;
    }
  };
  return {base.a + index(0) * size,
          base.b == nullptr ? nullptr : base.b + index(1) * size,
          base.out + i * size};
}

Answer Wrong(std::string reason) {
  Answer answer;
  answer.verdict = Verdict::kWrong;
  answer.reason = std::move(reason);
  return answer;
}

Answer Judge(const Cell& cell, const Task& task, const Views& base,
             size_t begin, size_t end, Answer answer) {
  const std::optional<Format> format = FormatOf(cell.type);
  for (size_t i = begin; i < end; ++i) {
    const Views at = ElementAt(cell, task, base, i);
    const bool moves = cell.op == "Copy" || cell.op == "Reshape";
    if (moves || !format) {
      const size_t size = FindType(cell.type)->bits / 8;
      if (moves ? std::memcmp(at.a, at.out, size) != 0
                : !IntegerIsRight(cell.type, at.a, at.b, at.out, cell.op)) {
        return Wrong("element " + std::to_string(i));
      }
      continue;
    }
    const long double a = Decode(cell.type, at.a);
    const long double b = at.b == nullptr ? 0 : Decode(cell.type, at.b);
    const auto want = Expected(cell.op, a, b);
    if (!want) return answer;
    const double error = UlpError(*format, *want, Decode(cell.type, at.out));
    const bool tiny = std::fabs(*want) < std::ldexp(1.0L, format->min_exponent);
    double& worst = tiny ? answer.tiny_ulp : answer.ulp;
    worst = std::max(worst, error);
  }
  if (!format) return answer;
  const double allowed = cell.op == "Exp" ? kLooseExp : kHalf;
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
  constexpr size_t kSample = 2048;
  const size_t bits = FindType(cell.type)->bits;
  if (bits < 8) {
    RunOnce(runner, cell.n);
    const bool same =
        std::memcmp(task.a, task.out, BytesFor(cell.n, bits)) == 0;
    return same ? Answer() : Wrong("bytes differ");
  }
  Views base = {static_cast<const char*>(task.a),
                static_cast<const char*>(task.b),
                static_cast<const char*>(task.out)};
  // In place, the last input is gone once the answer is there.
  std::vector<char> kept;
  if (cell.pattern == Pattern::kInPlace) {
    const char*& last = cell.inputs() == 2 ? base.b : base.a;
    kept.assign(last, last + BytesFor(cell.n, bits));
    RunOnce(runner, cell.n);
    std::vector<char> result(base.out, base.out + kept.size());
    std::memcpy(task.out, kept.data(), kept.size());
    last = kept.data();
    base.out = result.data();
    const size_t head = std::min(cell.n, kSample);
    return Judge(cell, task, base, 0, head, {});
  }
  RunOnce(runner, cell.n);
  const size_t head = std::min(cell.n, kSample);
  const size_t tail = std::max(head, cell.n - std::min(cell.n, kSample / 8));
  const Answer answer = Judge(cell, task, base, 0, head, {});
  if (answer.verdict == Verdict::kWrong) return answer;
  return Judge(cell, task, base, tail, cell.n, answer);
}

Answer CheckRange(const Cell& cell, const Peer& peer) {
  constexpr size_t kCount = 4096;
  if (!FormatOf(cell.type)) return {};
  const Cell wide = {cell.op, cell.type, Pattern::kSame, kCount, 1};
  const std::vector<char> a =
      MakeElements(cell.op, cell.type, 0, Values::kWide, kCount);
  const std::vector<char> b =
      MakeElements(cell.op, cell.type, 1, Values::kWide, kCount);
  alignas(64) static char out[kCount * 8];
  std::memset(out, 0xA5, sizeof(out));
  Task task = {wide.op, wide.type, wide.pattern, kCount, kCount,
               1,       a.data(),  b.data(),     out,    wide.bytes()};
  if (wide.inputs() == 1) task.b = nullptr;
  const Runner runner = peer.prepare(task);
  if (!runner) return {};
  RunOnce(runner, kCount);
  const Views base = {a.data(), wide.inputs() == 1 ? nullptr : b.data(), out};
  Answer answer = Judge(wide, task, base, 0, kCount, {});
  // Far from the usual inputs nothing is worse than loose.
  if (answer.verdict == Verdict::kWrong) answer.verdict = Verdict::kLoose;
  return answer;
}

}  // namespace lanewise::bench
