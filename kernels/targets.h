// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that a file is compiled for. Include this header before
// foreach_target.h. Most code is the same on AVX3, AVX3_DL and AVX3_SPR, so a
// file has one version for the three: that of AVX3. A file that gains from
// another set names that set above the #include:
//
//   #define LANEWISE_GAINS_FROM HWY_AVX3_DL  // why
//
// Each set costs size and time to build, sixty times. Therefore only operators
// in which models spend much time have code for SSE4 and AVX3_ZEN4. The others
// run the code for SSE2 and AVX3 there, and say so:
//
//   #define LANEWISE_FEW_TARGETS 1
//
// An engine takes the best version that is not above the engine's own
// instruction set (OnTarget).

#ifndef LANEWISE_KERNELS_TARGETS_H_
#define LANEWISE_KERNELS_TARGETS_H_

#ifndef LANEWISE_GAINS_FROM
#define LANEWISE_GAINS_FROM 0
#endif

#ifndef LANEWISE_FEW_TARGETS
#define LANEWISE_FEW_TARGETS 0
#endif

// LANEWISE_DISABLED_TARGETS: what no file of this build is compiled for.
// LANEWISE_ELSEWHERE: what this unit is not compiled for (units.cmake).
#ifndef LANEWISE_ELSEWHERE
#define LANEWISE_ELSEWHERE 0
#endif
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                 \
  (LANEWISE_DISABLED_TARGETS | LANEWISE_ELSEWHERE |          \
   ((HWY_AVX3_DL | HWY_AVX3_SPR) & ~(LANEWISE_GAINS_FROM)) | \
   (LANEWISE_FEW_TARGETS ? HWY_SSE4 | HWY_AVX3_ZEN4 : 0))

// Returns from a function what other units have for `targets`, if that is
// better.
#ifndef LANEWISE_KERNELS_APART
#define LANEWISE_KERNELS_APART(space)
#endif

#endif  // LANEWISE_KERNELS_TARGETS_H_
