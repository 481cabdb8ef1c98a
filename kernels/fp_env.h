// SPDX-License-Identifier: Apache-2.0
//
// The floating-point control word of a thread: rounding mode, exception masks,
// flush-to-zero.
//
// Float operators obey the caller's control word on every thread that works on
// the call. Integer operators that compute in float lanes switch to the default
// control word for the duration and leave no trace of it. Exp does the same
// with the rounding mode only. On AVX-512 neither needs to: instructions say
// how they round (quiet-inl.h). Mod of floats keeps the caller's rounding mode
// and no more of the word.

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

/// Sets a control word for the lifetime of the object, then restores the
/// previous control word and exception flags.
class FpEnv {
 public:
  // WithoutSubnormals: subnormal operands count as 0, on CPUs where they are
  // slow (x86: a multiplication takes some 140 cycles). OnlyRounding: the
  // default word with the rounding mode of another one. Flushes: whether
  // subnormal results become 0.
#if HWY_ARCH_X86
  // Only MXCSR: no kernel uses the x87 unit, and fegetenv costs 20 times as
  // much.
  using Word = uint32_t;
  static Word Current() { return _mm_getcsr() & ~kFlags; }
  static constexpr Word Default() { return 0x1F80; }
  static constexpr Word ToNearest(Word word) { return word & ~0x6000u; }
  static constexpr Word WithoutSubnormals(Word word) { return word | 0x40; }
  static constexpr Word OnlyRounding(Word word) {
    return Default() | (word & 0x6000u);
  }
  static bool Flushes() { return (_mm_getcsr() & 0x8000) != 0; }
  // An operation that raises a flag for the first time takes long. Flags that
  // are set stay set, so that not every call raises them anew.
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
  static constexpr Word OnlyRounding(Word word) { return word & 0xC00000; }
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
  static Word OnlyRounding(Word word) { return word; }
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
