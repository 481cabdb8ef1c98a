// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_values.h"

#include <atomic>
#include <numeric>
#include <thread>

namespace lanewise::test {

bool ExactOrNan(uint64_t expected, uint64_t actual, lw_type type) {
  if (expected == actual) return true;
  const int m = MantissaBits(type);
  switch (ElementSize(type)) {
    case 2:
      return IsNan(static_cast<uint16_t>(expected), m) &&
             IsNan(static_cast<uint16_t>(actual), m);
    case 4:
      return IsNan(static_cast<uint32_t>(expected), m) &&
             IsNan(static_cast<uint32_t>(actual), m);
    default:
      return IsNan(expected, m) && IsNan(actual, m);
  }
}

size_t FirstRejected(const Array& expected, const Array& actual,
                     Accept accept) {
  const size_t n = expected.size();
  const size_t size = expected.element_size();
  size_t i = FirstDifference(expected.data(), actual.data(), n, size);
  for (; i < n; ++i) {
    const uint64_t wanted = ReadBits(expected.at(i), size);
    const uint64_t got = ReadBits(actual.at(i), size);
    if (wanted != got && !accept(wanted, got, expected.type())) {
      return i;
    }
  }
  return n;
}

bool CheckBlock(const Subject& subject, const char* isa, const Array& in,
                const Array& expected, Array& actual, Accept accept) {
  const size_t n = in.size();
  const lw_status status =
      subject.compute(in.data(), nullptr, actual.data(), n);
  if (status != LW_OK) {
    ADD_FAILURE() << isa << ": " << lw_last_error();
    return false;
  }
  const size_t i = FirstRejected(expected, actual, accept);
  if (i == n) return true;
  const size_t size = in.element_size();
  ADD_FAILURE() << lw_type_name(in.type()) << " on " << isa << ": "
                << BitsText(in.at(i), size) << " gives "
                << BitsText(actual.at(i), size) << ", not "
                << BitsText(expected.at(i), size);
  return false;
}

void CheckValues(const OpId& op, const Array& in, Oracle oracle, Accept accept,
                 const Isas& isas) {
  Array expected(in.type(), in.size());
  oracle(in.data(), expected.data(), in.size());
  for (const Isa& isa : isas) {
    Array actual(in.type(), in.size());
    CheckBlock(KernelApi(isa.engine, op, in.type()), isa.name, in, expected,
               actual, accept);
  }
}

uint64_t TestShare() {
  const char* text = std::getenv("LANEWISE_TEST_SHARE");
  const int value = text == nullptr ? 1 : std::atoi(text);
  return static_cast<uint64_t>(std::max(value, 1));
}

void OnEveryCore(uint64_t count,
                 const std::function<void(const NextBlock&)>& body) {
  constexpr uint64_t kMany = 1 << 14;
  const uint64_t step = count < kMany ? 1 : TestShare();
  std::atomic<uint64_t> taken{0};
  const NextBlock next = [&](uint64_t* i) {
    const uint64_t k = taken.fetch_add(1, std::memory_order_relaxed);
    // Another place in each stretch, as some faults repeat with a power of 2.
    *i = k * step + k % step;
    return *i < count;
  };
  std::vector<std::thread> threads;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < cores; ++i) {
    threads.emplace_back([&] { body(next); });
  }
  for (std::thread& thread : threads) thread.join();
}

void CheckAll32Bits(const OpId& op, lw_type type, Oracle oracle, Accept accept,
                    const Isas& all) {
  const Isas isas = BestAndLowest(all);
  constexpr uint64_t kBlock = 1 << 13;  // three such buffers fit into L2
  std::vector<Subject> subjects;
  for (const Isa& isa : isas) {
    subjects.push_back(KernelApi(isa.engine, op, type));
  }
  std::atomic<bool> failed{false};
  OnEveryCore((uint64_t{1} << 32) / kBlock, [&](const NextBlock& next) {
    Array in(type, kBlock);
    Array expected(type, kBlock);
    Array actual(type, kBlock);
    for (uint64_t block = 0; !failed && next(&block);) {
      uint32_t* bits = in.as<uint32_t>();
      std::iota(bits, bits + kBlock, static_cast<uint32_t>(block * kBlock));
      oracle(in.data(), expected.data(), kBlock);
      for (size_t i = 0; i < subjects.size(); ++i) {
        if (!CheckBlock(subjects[i], isas[i].name, in, expected, actual,
                        accept)) {
          failed = true;
        }
      }
    }
  });
}

}  // namespace lanewise::test
