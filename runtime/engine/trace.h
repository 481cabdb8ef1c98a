// SPDX-License-Identifier: Apache-2.0
//
// LANEWISE_VERBOSE: one CSV line per event, with the names that benchmarks use.
//
//   lanewise,dispatch,Relu/f32/-/lanewise@AVX3,version:14,way:usual
//   lanewise,exec,Relu/f32/same/lanewise@AVX3/n:65536/threads:1,4211
//
// The way tells which kernel runs where there are several (kernels/kernel.h).
// For fast and exact engines, the name is lanewise+fast@AVX3,
// lanewise+exact@AVX3.
//
// The last field of an exec line is the duration of the call in nanoseconds.
// Its third field is a name as the benchmark program prints it. To measure such
// a row, pass the operator, type and pattern to `--filter`, the instruction set
// to `--isa` and the number of elements to `--sizes`.

#ifndef LANEWISE_RUNTIME_ENGINE_TRACE_H_
#define LANEWISE_RUNTIME_ENGINE_TRACE_H_

#include <cstdint>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"

namespace lanewise {

class Trace {
 public:
  Trace() = default;
  /// `sink` nullptr means stdout.
  Trace(lw_trace sink, void* context, lw_accuracy accuracy)
      : sink_(sink),
        context_(context),
        name_(accuracy == LW_ACCURACY_FAST    ? "lanewise+fast"
              : accuracy == LW_ACCURACY_EXACT ? "lanewise+exact"
                                              : "lanewise") {}

  /// `events`: a comma-separated list of "dispatch", "exec" and "none".
  lw_status Enable(const char* events);

  bool dispatch() const { return dispatch_; }
  bool exec() const { return exec_; }
  /// A clock for Exec.
  static uint64_t Nanoseconds();

  void Dispatch(const char* op, int version, int32_t type, const char* isa,
                Way way) const;
  void Exec(const char* op, int32_t type, const char* pattern, const char* isa,
            uint64_t elements, uint64_t threads, uint64_t nanoseconds) const;

 private:
  void Print(const char* line) const;

  lw_trace sink_ = nullptr;
  void* context_ = nullptr;
  const char* name_ = "lanewise";
  bool dispatch_ = false;
  bool exec_ = false;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_TRACE_H_
