/* SPDX-License-Identifier: Apache-2.0
 *
 * What Python.h asks its configuration for, when the module is compiled for
 * another machine or C library than those of the installed Python: 64-bit Linux
 * or Windows. Only the sizes and CPython's stable interface depend on this
 * file.
 */
#ifndef LANEWISE_PYCONFIG_H_
#define LANEWISE_PYCONFIG_H_

#define HAVE_INTTYPES_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SHORT 2
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF__BOOL 1
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 16
#define WITH_THREAD 1

#if defined(_WIN32)
#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define NT_THREADS 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_PY_SSIZE_T 1
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define SIZEOF_OFF_T 4
#define SIZEOF_PID_T 4
#define ALIGNOF_LONG 4
#include <basetsd.h>
typedef __int64 Py_ssize_t;
#define PY_SSIZE_T_MAX 0x7fffffffffffffffLL
#else
#define HAVE_SSIZE_T 1
#define HAVE_UNISTD_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_PTHREAD_H 1
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF_OFF_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_PTHREAD_T 8
#define SIZEOF_PTHREAD_KEY_T 4
#define ALIGNOF_LONG 8
#endif

#endif /* LANEWISE_PYCONFIG_H_ */
