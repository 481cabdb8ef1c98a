// SPDX-License-Identifier: Apache-2.0
//
// The kernel API: one kernel on pointers, for a host that has shapes of its
// own.

#include <cstdint>

#include "hwy/base.h"
#include "kernels/fp_env.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/status.h"
#include "runtime/engine/types.h"
#include "runtime/node/node.h"

namespace lanewise {
namespace {

// No element of ONNX's own types is wider than 16 bytes.
constexpr size_t kMaxElements = static_cast<size_t>(PTRDIFF_MAX) / 16;

uintptr_t Address(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Whether an input and the output share bytes. One comparison, modulo the
// address space: such an input starts less than `in_bytes` before the output's
// start, or less than `bytes` behind it.
bool Overlap(const void* in, size_t in_bytes, const void* out, size_t bytes) {
  const uintptr_t behind = Address(in) - Address(out);
  return behind + in_bytes - 1 < in_bytes + bytes - 1;
}

// The bytes of n > 0 elements; a scalar is one element.
size_t BytesOf(const lw_kernel::Operand& operand, size_t n) {
  if (HWY_UNLIKELY(operand.packed_bits != 0)) {
    return BytesFor(n, operand.packed_bits);
  }
  return (n - 1) * operand.step + operand.bytes;
}

// Whether an input that shares bytes with the output may do so: if the elements
// are the same. A scalar may be at the output's address, too: kernels read
// scalars first.
bool MayShare(const lw_kernel::Operand& operand, const void* in,
              const void* out) {
  return in == out && operand.is_as_wide;
}

// Whether input `k` may be used for an output at `out`.
bool IsFine(const lw_kernel& kernel, size_t k, const void* in, const void* out,
            size_t n, size_t bytes) {
  const lw_kernel::Operand& operand = kernel.in[k];
  if (HWY_UNLIKELY(in == nullptr)) return operand.optional;
  if ((Address(in) & operand.alignment_mask) != 0) return false;
  return !Overlap(in, BytesOf(operand, n), out, bytes) ||
         MayShare(operand, in, out);
}

// LW_OK, or what is wrong with the arguments.
lw_status Examine(const lw_kernel& kernel, const void* const* inputs, void* out,
                  size_t n) {
  const Label& label = kernel.node->label;
  if (inputs == nullptr || out == nullptr) {
    return Fail(label, LW_NULL_DATA, "the %s is NULL",
                out == nullptr ? "output" : "array of inputs");
  }
  if (n > kMaxElements) {
    return Fail(label, LW_SIZE_OVERFLOW,
                "%zu elements exceed the address space", n);
  }
  const auto misaligned = [&](const char* role, int32_t type) {
    return Fail(label, LW_MISALIGNED,
                "%s is not aligned to the %zu bytes of %s", role,
                kernel.node->LayoutOf(type).alignment, lw_type_name(type));
  };
  const auto type_of = [&](size_t k) {
    return kernel.node->Bind(kernel.type)->types[k];
  };
  if ((Address(out) & kernel.out.alignment_mask) != 0) {
    return misaligned("the output", type_of(BoundTypes::kOutput));
  }
  const size_t bytes = BytesOf(kernel.out, n);
  for (size_t k = 0; k <= kernel.last_input; ++k) {
    const void* in = inputs[k];
    const OperandInfo& info = kernel.node->InputInfo(k);
    if (IsFine(kernel, k, in, out, n, bytes)) continue;
    if (in == nullptr) {
      return Fail(label, LW_NULL_DATA, "input %zu (%s) is NULL", k, info.name);
    }
    if ((Address(in) & kernel.in[k].alignment_mask) != 0) {
      return misaligned(info.name, type_of(k));
    }
    return Fail(label, LW_OVERLAP,
                "the output overlaps input %zu in part: only exactly the same "
                "elements (in place) or no common byte will do",
                k);
  }
  return LW_OK;
}

// Runs a kernel whose arguments have been checked, and reports zero divisors.
[[gnu::noinline]] lw_status RunReporting(const lw_kernel& kernel,
                                         const void* const* inputs, void* out,
                                         size_t n) noexcept {
  Zeros zeros;
  kernel.fn(kernel.setup, inputs, out, n, &zeros);
  if (HWY_LIKELY(zeros.count == 0)) return LW_OK;
  return kernel.node->ReportZeros({zeros.first_column, zeros.count});
}

// The same for an exact engine: in the default environment.
[[gnu::noinline]] lw_status RunExact(const lw_kernel& kernel,
                                     const void* const* inputs, void* out,
                                     size_t n) noexcept {
  const FpEnv env(FpEnv::Default());
  return RunReporting(kernel, inputs, out, n);
}

// Runs a kernel whose arguments have been checked.
[[gnu::always_inline]] inline lw_status RunChecked(const lw_kernel& kernel,
                                                   const void* const* inputs,
                                                   void* out,
                                                   size_t n) noexcept {
  if (HWY_LIKELY(kernel.is_simple)) {
    return kernel.fn(kernel.setup, inputs, out, n, nullptr);
  }
  return kernel.exact ? RunExact(kernel, inputs, out, n)
                      : RunReporting(kernel, inputs, out, n);
}

[[gnu::noinline]] lw_status RunExamined(const lw_kernel* kernel,
                                        const void* const* inputs, void* out,
                                        size_t n) noexcept {
  if (kernel == nullptr) return FailNull("lw_kernel_run", "kernel");
  if (n == 0) return LW_OK;
  const lw_status status = Examine(*kernel, inputs, out, n);
  return status == LW_OK ? RunChecked(*kernel, inputs, out, n) : status;
}

// An output. An input of as many bytes shares bytes with the output if the
// input starts at one of the `width` addresses from `from` on.
struct Place {
  const void* out;
  uintptr_t from;
  uintptr_t width;
};

// Whether input `k` may surely be used: Examine decides where the answer is no.
[[gnu::always_inline]] inline bool IsSurelyFine(const lw_kernel& kernel,
                                                size_t k, const void* in,
                                                const Place& place) {
  if (HWY_UNLIKELY(in == nullptr)) return kernel.in[k].optional;
  return HWY_LIKELY(Address(in) - place.from >= place.width) ||
         MayShare(kernel.in[k], in, place.out);
}

// Checks a call, and runs the kernel. The checks are most of a call of a few
// elements, so they have few jumps. Every operand counts as if it were as wide
// as the widest one. The first and the last input are always checked; with one
// input, both are the same. The call ends with a jump to the kernel.
template <bool kHasThird>
[[gnu::always_inline]] inline lw_status RunIfFine(const lw_kernel& kernel,
                                                  const void* const* inputs,
                                                  void* out, size_t n) {
  const size_t bytes = n * kernel.most_bytes;
  const size_t last = kernel.last_input;
  const Place place = {out, Address(out) - (bytes - 1), 2 * bytes - 1};
  const bool fine = IsSurelyFine(kernel, 0, inputs[0], place) &&
                    IsSurelyFine(kernel, last, inputs[last], place) &&
                    (!kHasThird || IsSurelyFine(kernel, 1, inputs[1], place));
  uintptr_t addresses =
      Address(out) | Address(inputs[0]) | Address(inputs[last]);
  if (kHasThird) addresses |= Address(inputs[1]);
  if (HWY_UNLIKELY(!fine) ||
      HWY_UNLIKELY((addresses & kernel.alignment_mask) != 0)) {
    return RunExamined(&kernel, inputs, out, n);
  }
  return RunChecked(kernel, inputs, out, n);
}

// Out of line, as are the functions above, so that calls with one or two inputs
// save no registers. Calls with four inputs take the longer way: no operator
// has four.
[[gnu::noinline]] lw_status RunWithManyInputs(const lw_kernel& kernel,
                                              const void* const* inputs,
                                              void* out, size_t n) noexcept {
  return HWY_LIKELY(kernel.last_input == 2)
             ? RunIfFine<true>(kernel, inputs, out, n)
             : RunExamined(&kernel, inputs, out, n);
}

}  // namespace
}  // namespace lanewise

lw_status lw_kernel_run(const lw_kernel* kernel, const void* const* inputs,
                        void* output, size_t n) noexcept {
  // n = 0 wraps round.
  if (HWY_UNLIKELY(kernel == nullptr) || HWY_UNLIKELY(inputs == nullptr) ||
      HWY_UNLIKELY(output == nullptr) ||
      HWY_UNLIKELY(n - 1 >= lanewise::kMaxElements)) {
    return lanewise::RunExamined(kernel, inputs, output, n);
  }
  if (HWY_UNLIKELY(kernel->last_input > 1)) {
    return lanewise::RunWithManyInputs(*kernel, inputs, output, n);
  }
  return lanewise::RunIfFine<false>(*kernel, inputs, output, n);
}
