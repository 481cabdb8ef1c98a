// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/data.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "benchmarks/task.h"
#include "hwy/base.h"
#include "runtime/engine/types.h"
#include "tests/support/operator_spec.h"

namespace lanewise::bench {
namespace {

// Inputs repeat after this many elements. A branch predictor cannot learn so
// many, and making them takes no noticeable time.
constexpr size_t kPeriod = 65536;
constexpr size_t kHugePage = size_t{2} << 20;

// Gives the same values on every machine. The standard library's distributions
// do not.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t Bits() { return engine_(); }
  uint64_t Below(uint64_t n) { return engine_() % n; }
  double Uniform(double low, double high) {
    return low + (high - low) * std::ldexp(double(engine_() >> 11), -53);
  }
  double Sign() { return (engine_() & 1) != 0 ? -1.0 : 1.0; }

 private:
  std::mt19937_64 engine_;
};

template <typename T>
char* Put(char* to, T value) {
  std::memcpy(to, &value, sizeof(value));
  return to + sizeof(value);
}

char* PutFloat(lw_type type, double value, char* to) {
  switch (type) {
    case LW_FLOAT32:
      return Put(to, static_cast<float>(value));
    case LW_FLOAT64:
      return Put(to, value);
    case LW_FLOAT16:
      return Put(to, hwy::F16FromF32(static_cast<float>(value)));
    default:
      return Put(to, hwy::BF16FromF32(static_cast<float>(value)));
  }
}

bool IsFloat(lw_type type) { return test::kF4.count(type) != 0; }

// The operator's spec, or an empty one for `Copy`.
const test::OperatorSpec& SpecOf(const Cell& cell) {
  static const test::OperatorSpec none = {};
  const auto& specs = test::AllSpecs();
  const auto found = specs.find(cell.op);
  return found == specs.end() ? none : *found->second;
}

// The exponent of the smallest subnormal number, which is a power of two.
int MinExponent(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
      return -24;
    case LW_BFLOAT16:
      return -133;
    case LW_FLOAT32:
      return -149;
    default:
      return -1074;
  }
}

double SpecialFloat(lw_type type, Random& random) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  switch (random.Below(6)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return kInf * random.Sign();
    case 2:
      return 0.0 * random.Sign();
    case 3:
      return std::ldexp(random.Sign(), MinExponent(type) + 3);
    case 4:
      return random.Uniform(-120, 120);  // Exp leaves float32's range here
    default:
      return std::ldexp(random.Sign(), type == LW_FLOAT16 ? 14 : 120);
  }
}

double FloatIn(const test::Range& range, Random& random) {
  if (range.kind == test::Range::kUniform) {
    return random.Uniform(range.low, range.high);
  }
  const auto span = static_cast<uint64_t>(range.high - range.low);
  const int exponent =
      static_cast<int>(range.low) + static_cast<int>(random.Below(span));
  return random.Sign() * std::ldexp(random.Uniform(1, 2), exponent);
}

double FloatFor(const test::OperatorSpec& spec, lw_type type, Values values,
                Random& random) {
  if (values == Values::kSpecial && random.Below(4) == 0) {
    return SpecialFloat(type, random);
  }
  if (values == Values::kWide && spec.wide != nullptr) {
    return FloatIn(spec.wide(type), random);
  }
  return FloatIn(spec.typical, random);
}

// A scale. Quotients of typical floats are small numbers.
double ScaleFor(Random& random) { return random.Uniform(0.0625, 0.125); }

// A factor of ReduceProd. Products of 4,096 floats stay in float16's range,
// though each factor comes 16 times there; those of integers are not 0, and
// exact in float32, in which ONNX Runtime multiplies.
double FactorFor(lw_type type, Random& random) {
  return IsFloat(type) ? random.Uniform(0.984, 1.016) : random.Sign();
}

// An element of another reduction. Sums do not cancel, and those of integers
// are exact in float32, in which ONNX Runtime adds them up.
double TermFor(lw_type type, Random& random) {
  return IsFloat(type) ? random.Uniform(0.75, 1.25)
                       : double(random.Below(type == LW_BOOL ? 2 : 9));
}

// A random integer; every number of significant bits is equally likely. Apart
// from special values, it is never the type's lowest number, whose quotient by
// -1 is special, and a divisor is never 0.
uint64_t IntegerFor(const test::OperatorSpec& spec, lw_type type, int input,
                    Values values, Random& random) {
  const bool is_signed = test::IsSignedInteger(type);
  const unsigned bits = FindType(type)->bits;
  const unsigned magnitude = is_signed ? bits - 1 : bits;
  if (values == Values::kSpecial && random.Below(64) == 0) {
    const uint64_t lowest = is_signed ? uint64_t{1} << (bits - 1) : 0;
    return input == 0 ? lowest : random.Below(2) == 0 ? 0 : ~uint64_t{0};
  }
  const uint64_t top = uint64_t{1} << random.Below(magnitude);
  uint64_t value = top | (random.Bits() & (top - 1));
  if (!spec.divides && random.Below(16) == 0) value = 0;
  if (is_signed && (random.Bits() & 1) != 0) value = 0 - value;
  return value;
}

}  // namespace

std::vector<char> MakeElements(const Cell& cell, int input, Values values,
                               size_t count) {
  const test::OperatorSpec& spec = SpecOf(cell);
  const lw_type type = cell.input_type(input);
  const size_t bits = FindType(type)->bits;
  std::vector<char> bytes(BytesFor(count, bits));
  Random random(1 + static_cast<uint64_t>(input));
  char* to = bytes.data();
  char* const end = to + bytes.size();
  while (to < end) {
    if (spec.is_aligned() && input == 1) {
      to = PutFloat(type, ScaleFor(random), to);
    } else if (spec.is_aligned() && input == 2 && type == LW_INT32) {
      to = Put(to, int32_t{0});  // ONNX Runtime takes no other zero point
    } else if (spec.is_reduction() || (spec.scalar != nullptr && input > 0)) {
      const double value = cell.op == "ReduceProd" ? FactorFor(type, random)
                           : spec.is_reduction()   ? TermFor(type, random)
                                                   : spec.scalar(type, input);
      if (IsFloat(type)) {
        to = PutFloat(type, value, to);
      } else {
        test::WriteInteger(type, static_cast<int64_t>(value), to);
        to += bits / 8;
      }
    } else if (IsFloat(type)) {
      to = PutFloat(type, FloatFor(spec, type, values, random), to);
    } else if (type == LW_BOOL) {
      *to++ = static_cast<char>(random.Below(2));
    } else if (IsInteger(type)) {
      const uint64_t value = IntegerFor(spec, type, input, values, random);
      std::memcpy(to, &value, bits / 8);
      to += bits / 8;
    } else {
      *to++ = static_cast<char>(random.Bits());
    }
  }
  return bytes;
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

char* Buffer::Get(size_t bytes) {
  if (bytes <= size_) return data_;
  if (data_ != nullptr) munmap(data_, size_);
  size_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  // Map one huge page more than needed, then unmap what is not aligned.
  void* got = mmap(nullptr, size_ + kHugePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) {
    std::perror("bench: out of memory");
    std::exit(1);
  }
  const auto start = reinterpret_cast<uintptr_t>(got);
  const size_t skip = (kHugePage - start % kHugePage) % kHugePage;
  data_ = static_cast<char*>(got) + skip;
  if (skip != 0) munmap(got, skip);
  if (skip != kHugePage) munmap(data_ + size_, kHugePage - skip);
  madvise(data_, size_, MADV_HUGEPAGE);
  std::memset(data_, 1, size_);
  return data_;
}

namespace {

// Places operands one after the other, each on a page of its own, as a program
// that works on small tensors finds them. Two distances would cost time that
// has nothing to do with the kernels:
// - At the same place of another page, a load may wait for the store that the
//   call before has made. On a Zen 4, Add of one float32 took 8.6 ns instead of
//   4.9.
// - At some multiples of 64 MiB, the L1 cache of a Zen 4 seems to take two
// lines
//   for the same. A loop that adds 2,048 bytes took up to 39 ns instead of 22
//   with vectors of 512 bits, and up to 33 ns instead of 20 with 256 bits.
class Places {
 public:
  /// Where the next operand lies, counted from the start of the memory.
  size_t Add(size_t bytes) {
    constexpr size_t kPage = 4096;
    constexpr size_t kApart = 17 * 64;
    const size_t at = end_;
    end_ += (bytes + kPage - 1) / kPage * kPage + kApart;
    return at;
  }
  size_t end() const { return end_; }

 private:
  size_t end_ = 0;
};

}  // namespace

Task Arena::Fill(const Cell& cell) {
  const Values values =
      cell.pattern == Pattern::kSpecial ? Values::kSpecial : Values::kRealistic;
  const auto size_of = [&](int input) {
    return BytesFor(cell.InputExtent(input).span,
                    FindType(cell.input_type(input))->bits);
  };
  Places places;
  std::array<size_t, 3> starts = {};
  for (int i = 0; i < cell.inputs(); ++i) {
    // The copies that show the limit read from the inputs, and move as many
    // bytes as the cell does.
    starts[static_cast<size_t>(i)] =
        places.Add(std::max(size_of(i), cell.bytes()));
  }
  const size_t out_start = places.Add(cell.bytes());
  const size_t pristine_start = places.Add(cell.bytes());
  char* const memory = memory_.Get(places.end());

  std::array<char*, 3> data = {};
  for (int i = 0; i < cell.inputs(); ++i) {
    const auto at = static_cast<size_t>(i);
    data[at] = memory + starts[at];
    const std::vector<char> period = MakeElements(cell, i, values, kPeriod);
    const size_t size = size_of(i);
    for (size_t done = 0; done < size; done += period.size()) {
      std::memcpy(data[at] + done, period.data(),
                  std::min(period.size(), size - done));
    }
  }
  void* out = memory + out_start;
  if (cell.pattern == Pattern::kInPlace) {
    char* const over = data[static_cast<size_t>(cell.in_place_input())];
    const size_t size = BytesFor(cell.n, FindType(cell.output_type())->bits);
    pristine_ = memory + pristine_start;
    std::memcpy(pristine_, over, size);
    out = over;
  }
  return MakeTask(cell, data, out);
}

void Arena::Poison(const Cell& cell, const Task& task) {
  if (task.pattern == Pattern::kInPlace) return;
  std::memset(task.out, 0xA5,
              BytesFor(cell.results(), FindType(cell.output_type())->bits));
}

}  // namespace lanewise::bench
