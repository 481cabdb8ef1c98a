// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/data.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "hwy/base.h"
#include "runtime/types.h"

namespace lanewise::bench {
namespace {

// Inputs repeat after so many elements: more than a branch predictor learns,
// few enough to be made in no time.
constexpr size_t kPeriod = 65536;
constexpr size_t kHugePage = size_t{2} << 20;

// The same values on every machine: no distribution of the standard library's.
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

bool IsFloat(lw_type type) {
  return type == LW_FLOAT16 || type == LW_BFLOAT16 || type == LW_FLOAT32 ||
         type == LW_FLOAT64;
}
bool IsSigned(lw_type type) {
  return type == LW_INT8 || type == LW_INT16 || type == LW_INT32 ||
         type == LW_INT64;
}

bool Divides(std::string_view op) { return op == "Div" || op == "Reciprocal"; }

// The smallest subnormal's binary exponent.
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
      return random.Uniform(-120, 120);  // where exp leaves f32's range
    default:
      return std::ldexp(random.Sign(), type == LW_FLOAT16 ? 14 : 120);
  }
}

double WideFloat(std::string_view op, lw_type type, Random& random) {
  if (op == "Exp") {
    const bool half = type == LW_FLOAT16;
    const double low = half ? -17 : type == LW_FLOAT64 ? -745 : -92;
    return random.Uniform(low, half ? 11 : type == LW_FLOAT64 ? 709 : 88);
  }
  const int range = type == LW_FLOAT16 ? 12 : type == LW_FLOAT64 ? 500 : 70;
  return random.Sign() *
         std::ldexp(random.Uniform(1, 2), int(random.Below(2 * range)) - range);
}

double FloatFor(std::string_view op, lw_type type, Values values,
                Random& random) {
  if (values == Values::kSpecial && random.Below(4) == 0) {
    return SpecialFloat(type, random);
  }
  if (values == Values::kWide) return WideFloat(op, type, random);
  if (Divides(op)) {
    return random.Sign() *
           std::ldexp(random.Uniform(1, 2), int(random.Below(10)) - 5);
  }
  return random.Uniform(-10, 10);
}

// Integers of all magnitudes: as many of one bit as of all. Never the lowest
// number, whose quotient by -1 is special, and never 0 where it divides.
uint64_t IntegerFor(std::string_view op, lw_type type, int input, Values values,
                    Random& random) {
  const unsigned bits = FindType(type)->bits;
  const unsigned magnitude = IsSigned(type) ? bits - 1 : bits;
  if (values == Values::kSpecial && random.Below(64) == 0) {
    const uint64_t lowest = IsSigned(type) ? uint64_t{1} << (bits - 1) : 0;
    return input == 0 ? lowest : random.Below(2) == 0 ? 0 : ~uint64_t{0};
  }
  const uint64_t top = uint64_t{1} << random.Below(magnitude);
  uint64_t value = top | (random.Bits() & (top - 1));
  if (!Divides(op) && random.Below(16) == 0) value = 0;
  if (IsSigned(type) && (random.Bits() & 1) != 0) value = 0 - value;
  return value;
}

}  // namespace

std::vector<char> MakeElements(std::string_view op, lw_type type, int input,
                               Values values, size_t count) {
  const size_t bits = FindType(type)->bits;
  std::vector<char> bytes(BytesFor(count, bits));
  Random random(1 + static_cast<uint64_t>(input));
  char* to = bytes.data();
  char* const end = to + bytes.size();
  const bool integer = IsSigned(type) || (type >= LW_UINT8 && bits <= 64 &&
                                          !IsFloat(type) && bits >= 8);
  while (to < end) {
    if (IsFloat(type)) {
      to = PutFloat(type, FloatFor(op, type, values, random), to);
    } else if (integer && op != "Reshape") {
      const uint64_t value = IntegerFor(op, type, input, values, random);
      std::memcpy(to, &value, bits / 8);
      to += bits / 8;
    } else {
      *to++ = static_cast<char>(random.Bits());
    }
  }
  return bytes;
}

long double Decode(lw_type type, const void* element) {
  const auto read = [&](auto value) {
    std::memcpy(&value, element, sizeof(value));
    return value;
  };
  switch (type) {
    case LW_FLOAT32:
      return read(float{});
    case LW_FLOAT64:
      return read(double{});
    case LW_FLOAT16:
      return hwy::F32FromF16(read(hwy::float16_t{}));
    case LW_BFLOAT16:
      return hwy::F32FromBF16(read(hwy::bfloat16_t{}));
    case LW_INT8:
      return read(int8_t{});
    case LW_INT16:
      return read(int16_t{});
    case LW_INT32:
      return read(int32_t{});
    case LW_INT64:
      return read(int64_t{});
    case LW_UINT16:
      return read(uint16_t{});
    case LW_UINT32:
      return read(uint32_t{});
    case LW_UINT64:
      return read(uint64_t{});
    default:
      return read(uint8_t{});
  }
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

char* Buffer::Get(size_t bytes) {
  if (bytes <= size_) return data_;
  if (data_ != nullptr) munmap(data_, size_);
  size_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  // One huge page more, so that an aligned start can be cut out.
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

Task Arena::Fill(const Cell& cell) {
  const size_t bits = FindType(cell.type)->bits;
  const Values values =
      cell.pattern == Pattern::kSpecial ? Values::kSpecial : Values::kRealistic;
  Buffer* const buffers[] = {&a_, &b_};
  char* data[2] = {};
  for (int i = 0; i < cell.inputs(); ++i) {
    const size_t size = BytesFor(cell.InputExtent(i).span, bits);
    // The copies that show the limit move as many bytes as the cell does.
    data[i] = buffers[i]->Get(std::max(size, cell.bytes()));
    const std::vector<char> period =
        MakeElements(cell.op, cell.type, i, values, kPeriod);
    for (size_t at = 0; at < size; at += period.size()) {
      std::memcpy(data[i] + at, period.data(),
                  std::min(period.size(), size - at));
    }
  }
  Task task = {cell.op,     cell.type,      cell.pattern,
               cell.n,      cell.columns(), cell.threads,
               data[0],     data[1],        out_.Get(cell.bytes()),
               cell.bytes()};
  if (cell.pattern == Pattern::kInPlace) {
    const int last = cell.inputs() - 1;
    const size_t size = BytesFor(cell.n, bits);
    std::memcpy(pristine_.Get(size), data[last], size);
    task.out = data[last];
  }
  return task;
}

void Arena::Poison(const Task& task) {
  if (task.pattern == Pattern::kInPlace) return;
  std::memset(task.out, 0xA5, BytesFor(task.n, FindType(task.type)->bits));
}

}  // namespace lanewise::bench
