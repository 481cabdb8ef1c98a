// SPDX-License-Identifier: Apache-2.0
//
// The numbers that depend on the machine, and the file that holds them.
//
// A tuning file is text. A section speaks for one CPU, ISA and library version;
// an engine takes the values of the last section that is its own and keeps the
// built-in ones for the rest:
//
//   [cpu="AMD EPYC 9R14" isa=AVX3_ZEN4 version=0.1.0]
//   memory.serial_bytes 262144
//   memory.stream_bytes 4194304
//   # a comment

#ifndef LANEWISE_RUNTIME_TUNING_H_
#define LANEWISE_RUNTIME_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"

namespace lanewise {

struct Tuning {
  /// One for each Work, in its order.
  struct PerWork {
    /// Below it a call stays on its thread: it takes some 10 us there, which is
    /// what it takes to wake another.
    size_t serial_bytes;
    size_t chunk_bytes;  ///< what one task touches, read plus written
    /// Above it a call on one thread, or on several, stores past the caches.
    /// Streaming for itself pays from the second level on, but whoever reads
    /// the output next should find in the last one what fits there: some 32 MB
    /// of it are common. With much more of it, from twice as many bytes on.
    size_t stream_bytes = size_t{24} << 20;
    size_t stream_parallel_bytes = size_t{24} << 20;
  };
  PerWork work[3] = {
      {1 << 20, 1 << 19},  // memory
      {1 << 20, 1 << 18},  // division
      {1 << 19, 1 << 17},  // transcendental
  };

  const PerWork& For(Work kind) const {
    return work[static_cast<size_t>(kind)];
  }
};

/// The names in a file: "memory.serial_bytes".
inline constexpr const char* kWorkNames[] = {"memory", "division",
                                             "transcendental"};
inline constexpr struct {
  const char* name;
  size_t Tuning::PerWork::*value;
} kTuningKeys[] = {
    {"serial_bytes", &Tuning::PerWork::serial_bytes},
    {"chunk_bytes", &Tuning::PerWork::chunk_bytes},
    {"stream_bytes", &Tuning::PerWork::stream_bytes},
    {"stream_parallel_bytes", &Tuning::PerWork::stream_parallel_bytes},
};

/// Reads the section of `file` that fits `cpu` and `isa` into `tuning`.
lw_status LoadTuning(const char* file, const char* cpu, const char* isa,
                     Tuning* tuning);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_TUNING_H_
