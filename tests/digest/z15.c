// SPDX-License-Identifier: Apache-2.0
//
// Loaded before the C library, tells that the CPU has the vectors of z15.
// qemu 7.2 has these instructions, but does not tell.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>

#define VXRS_EXT2 0x8000ul

unsigned long getauxval(unsigned long type) {
  unsigned long (*next)(unsigned long);
  *(void**)&next = dlsym(RTLD_NEXT, "getauxval");
  return next(type) | (type == AT_HWCAP ? VXRS_EXT2 : 0);
}
