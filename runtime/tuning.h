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
//   stream_bytes 4194304
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
    size_t serial_bytes;  ///< below it a call stays on its thread
    size_t chunk_bytes;   ///< what one task touches, read plus written
  };
  PerWork work[3] = {
      {512 * 1024, 512 * 1024},  // memory
      {256 * 1024, 256 * 1024},  // division
      {128 * 1024, 128 * 1024},  // transcendental
  };
  /// Calls that touch more than this many bytes, read plus written, store past
  /// the caches: beyond the last level nothing is left of the output anyway.
  size_t stream_bytes = 16 * 1024 * 1024;

  const PerWork& For(Work kind) const {
    return work[static_cast<size_t>(kind)];
  }
};

/// Reads the section of `file` that fits `cpu` and `isa` into `tuning`.
lw_status LoadTuning(const char* file, const char* cpu, const char* isa,
                     Tuning* tuning);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_TUNING_H_
