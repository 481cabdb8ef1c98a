// SPDX-License-Identifier: Apache-2.0
//
// The machine-dependent parameters, and the file format that stores them.
//
// A tuning file is text. Each section is for one CPU, ISA and library version.
// An engine applies every section that matches all three, in the order of the
// file; of two values for a key, the later one counts. A key that no such
// section sets keeps its built-in value:
//
//   [cpu="AMD EPYC 9R14" isa=AVX3_ZEN4 version=0.1.0]
//   memory.serial_bytes 262144
//   memory.stream_bytes 4194304
//   way divider
//   # a comment
//
// `way` is `divider` or `usual`: which kernels run where the instruction set
// has both and CPUs differ (cpu.h). Without this line, the CPU's family
// decides. Keys that this version does not know are skipped in sections of
// other versions, so that one file serves machines with different releases.

#ifndef LANEWISE_RUNTIME_ENGINE_TUNING_H_
#define LANEWISE_RUNTIME_ENGINE_TUNING_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/operator.h"

namespace lanewise {

struct Tuning {
  /// One per CostClass, in the order of the enum.
  struct PerCostClass {
    /// Below this size a call stays on the calling thread. Such a call takes
    /// some 10 us, which is also the cost of waking another thread.
    size_t serial_bytes;
    size_t chunk_bytes;  ///< bytes that one task reads and writes
    /// Above this size a call that runs on one thread (stream_bytes) or on
    /// several (stream_parallel_bytes) stores past the caches. An engine takes
    /// the values from the machine (caches.h).
    size_t stream_bytes = size_t{24} << 20;
    size_t stream_parallel_bytes = size_t{32} << 20;
  };
  PerCostClass work[3] = {
      {1 << 20, 1 << 19},  // memory
      {1 << 20, 1 << 18},  // division
      {1 << 19, 1 << 17},  // transcendental
  };

  std::optional<Way> way = {};

  void SetStreamBytes(size_t serial, size_t parallel) {
    for (PerCostClass& kind : work) {
      kind.stream_bytes = serial;
      kind.stream_parallel_bytes = parallel;
    }
  }

  /// `weight`: that of the kernel's type (KernelEntry).
  PerCostClass For(CostClass kind, size_t weight) const {
    PerCostClass found = work[static_cast<size_t>(kind)];
    if (weight > 1) found.serial_bytes = (found.serial_bytes - 1) / weight + 1;
    return found;
  }
};

/// The prefixes of the keys in a file, as in "memory.serial_bytes".
inline constexpr const char* kCostClassNames[] = {"memory", "division",
                                                  "transcendental"};
inline constexpr struct {
  const char* name;
  size_t Tuning::PerCostClass::*value;
} kTuningKeys[] = {
    {"serial_bytes", &Tuning::PerCostClass::serial_bytes},
    {"chunk_bytes", &Tuning::PerCostClass::chunk_bytes},
    {"stream_bytes", &Tuning::PerCostClass::stream_bytes},
    {"stream_parallel_bytes", &Tuning::PerCostClass::stream_parallel_bytes},
};

/// Updates `tuning` from the section of `file` for `cpu` and `isa`.
lw_status LoadTuning(const char* file, const char* cpu, const char* isa,
                     Tuning* tuning);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_TUNING_H_
