// SPDX-License-Identifier: Apache-2.0
//
// The floating-point control word of a thread: rounding mode, exception masks,
// flush-to-zero.
//
// Operators on floats obey the caller's, on every thread that works for the
// call. Integer operators that go through float lanes inside need the default
// one for a moment, and leave no trace of it; so does Exp the rounding mode.

#ifndef LANEWISE_KERNELS_FP_ENV_H_
#define LANEWISE_KERNELS_FP_ENV_H_

#include <cstdint>

#include "hwy/detect_compiler_arch.h"

#if HWY_ARCH_X86
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace lanewise {

/// Sets a control word for as long as it lives; then control word and flags are
/// as they were.
class FpEnv {
 public:
  // WithoutSubnormals: as operands they count as 0, where they take time (x86:
  // a multiplication some 140 cycles). Flushes: as results they are to be 0.
#if HWY_ARCH_X86
  // MXCSR alone: no kernel touches the x87 unit, and fegetenv costs 20 times
  // as much.
  using Word = uint32_t;
  static Word Current() { return _mm_getcsr() & ~kFlags; }
  static constexpr Word Default() { return 0x1F80; }
  static constexpr Word ToNearest(Word word) { return word & ~0x6000u; }
  static constexpr Word WithoutSubnormals(Word word) { return word | 0x40; }
  static bool Flushes() { return (_mm_getcsr() & 0x8000) != 0; }
  // The first time that an operation raises a flag takes 140 ns: those that are
  // up stay up, so as not to be raised once more by each call.
  explicit FpEnv(Word word)
      : saved_(_mm_getcsr()), changed_((saved_ & ~kFlags) != word) {
    if (changed_) _mm_setcsr(word | (saved_ & kFlags));
  }
  ~FpEnv() {
    if (changed_ || _mm_getcsr() != saved_) _mm_setcsr(saved_);
  }

 private:
  static constexpr Word kFlags = 0x3F;
  Word saved_;
  bool changed_;
#elif HWY_ARCH_ARM_A64
  using Word = uint64_t;
  static Word Current() {
    Word word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static constexpr Word Default() { return 0; }
  static constexpr Word ToNearest(Word word) { return word & ~Word{0xC00000}; }
  static constexpr Word WithoutSubnormals(Word word) { return word; }
  explicit FpEnv(Word word) : saved_(Current()) {
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags_));
    if (saved_ != word) __asm__ volatile("msr fpcr, %0" : : "r"(word));
  }
  ~FpEnv() {
    __asm__ volatile("msr fpcr, %0" : : "r"(saved_));
    __asm__ volatile("msr fpsr, %0" : : "r"(flags_));
  }

 private:
  Word saved_;
  Word flags_;
#else
  using Word = int;
  static Word Current() { return std::fegetround(); }
  static Word Default() { return FE_TONEAREST; }
  static Word ToNearest(Word) { return FE_TONEAREST; }
  static Word WithoutSubnormals(Word word) { return word; }
  explicit FpEnv(Word word) {
    std::feholdexcept(&saved_);
    std::fesetround(word);
  }
  ~FpEnv() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif

 public:
  FpEnv(const FpEnv&) = delete;
  FpEnv& operator=(const FpEnv&) = delete;
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_FP_ENV_H_
