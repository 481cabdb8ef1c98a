// SPDX-License-Identifier: Apache-2.0

#include "runtime/direct_door.h"

#include <cstdint>

#include "runtime/registry.h"
#include "runtime/status.h"
#include "runtime/types.h"

namespace lanewise {
namespace {

// No element is wider than 16 bytes.
constexpr size_t kMaxElements = static_cast<size_t>(PTRDIFF_MAX) / 16;

uintptr_t Address(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Whether they share bytes, but not all. In one comparison, modulo the address
// space: such an input starts less than `in_bytes` before the output or less
// than `bytes` behind its start.
bool Overlaps(const void* in, size_t in_bytes, const void* out, size_t bytes) {
  const uintptr_t behind = Address(in) - Address(out);
  return behind != 0 && behind + in_bytes - 1 < in_bytes + bytes - 1;
}

[[gnu::cold, gnu::noinline]] lw_status Refuse(const lw_kernel& kernel,
                                              const void* a, const void* b,
                                              void* out, size_t n) {
  const Label label = {kernel.op->name, kernel.version};
  if (a == nullptr || b == nullptr || out == nullptr) {
    return Fail(label, LW_NULL_DATA, "a pointer is NULL");
  }
  const TypeInfo& type = *FindType(kernel.row.type);
  if (((Address(a) | Address(b) | Address(out)) & kernel.misaligned) != 0) {
    return Fail(label, LW_MISALIGNED,
                "a pointer is not aligned to the %d bytes of %s",
                type.alignment, type.name);
  }
  if (n > kMaxElements) {
    return Fail(label, LW_SIZE_OVERFLOW,
                "%zu elements exceed the address space", n);
  }
  return Fail(label, LW_OVERLAP,
              "out overlaps an input in part: only exactly the same elements "
              "(in place) or no common byte will do");
}

}  // namespace

lw_status RunKernel(const lw_kernel& kernel, const void* a, const void* b,
                    void* out, size_t n) noexcept {
  if (n == 0) return LW_OK;
  if (!kernel.binary) b = a;
  const size_t bytes = BytesFor(n, kernel.element_bits);
  // A scalar is one element; Reshape's elements of a few bits are never one.
  const size_t element = kernel.element_bits / 8;
  const size_t a_bytes = kernel.row.run == LW_SCALAR_A ? element : bytes;
  const size_t b_bytes = kernel.row.run == LW_SCALAR_B ? element : bytes;
  if (a == nullptr || b == nullptr || out == nullptr || n > kMaxElements ||
      ((Address(a) | Address(b) | Address(out)) & kernel.misaligned) != 0 ||
      Overlaps(a, a_bytes, out, bytes) || Overlaps(b, b_bytes, out, bytes)) {
    return Refuse(kernel, a, b, out, n);
  }
  Job job;
  job.a = a;
  job.b = b;
  job.out = out;
  job.n = n;
  kernel.row.fn(job);
  if (job.zero_divisors == 0 || kernel.allow_zero_divisor) return LW_OK;
  return FailZeroDivisors({kernel.op->name, kernel.version},
                          job.first_zero_column, job.zero_divisors);
}

}  // namespace lanewise
