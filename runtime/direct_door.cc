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

// An input that is a scalar has one element, any other as many bytes as out.
bool Overlaps(const lw_kernel& kernel, const void* in, lw_run scalar,
              const void* out, size_t bytes) {
  const size_t in_bytes =
      kernel.row.run == scalar ? kernel.element_bits / 8 : bytes;
  return in != out && Address(in) < Address(out) + bytes &&
         Address(out) < Address(in) + in_bytes;
}

lw_status Refuse(const lw_kernel& kernel, const void* a, const void* b,
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
                    void* out, size_t n) {
  if (n == 0) return LW_OK;
  const bool binary = kernel.op->form == Form::kBinary;
  if (!binary) b = a;
  const size_t bytes = BytesFor(n, kernel.element_bits);
  if (a == nullptr || b == nullptr || out == nullptr || n > kMaxElements ||
      ((Address(a) | Address(b) | Address(out)) & kernel.misaligned) != 0 ||
      Overlaps(kernel, a, LW_SCALAR_A, out, bytes) ||
      (binary && Overlaps(kernel, b, LW_SCALAR_B, out, bytes))) {
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
