// SPDX-License-Identifier: Apache-2.0
//
// A malloc that counts, and fails on request. A program that includes this
// header has this malloc instead of the C library's: include it in one file
// only.

#ifndef LANEWISE_TESTS_SUPPORT_OWN_MALLOC_H_
#define LANEWISE_TESTS_SUPPORT_OWN_MALLOC_H_

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "tests/support/not_run.h"

// Sanitizers replace malloc themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LANEWISE_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LANEWISE_OWN_MALLOC 0
#endif
#endif
#if !defined(LANEWISE_OWN_MALLOC) && defined(__GLIBC__)
#define LANEWISE_OWN_MALLOC 1
#endif

#if LANEWISE_OWN_MALLOC
#include <dlfcn.h>

namespace lanewise::test {

/// Of this thread.
struct Allocations {
  size_t made = 0;
  size_t first_to_fail = 0;  ///< counted from 1; 0: none fails
  size_t last_to_fail = 0;
  ptrdiff_t alive = 0;
  size_t bytes = 0;  ///< of all that were made

  bool Fails(size_t size) {
    ++made;
    bytes += size;
    if (made < first_to_fail || made > last_to_fail) return false;
    errno = ENOMEM;
    return true;
  }
};
inline thread_local Allocations allocations;

template <class Body>
size_t CountAllocations(const Body& body) {
  const size_t before = allocations.made;
  body();
  return allocations.made - before;
}

}  // namespace lanewise::test

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

void* malloc(size_t size) noexcept {
  if (lanewise::test::allocations.Fails(size)) return nullptr;
  ++lanewise::test::allocations.alive;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
  if (lanewise::test::allocations.Fails(count * size)) return nullptr;
  ++lanewise::test::allocations.alive;
  return __libc_calloc(count, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  if (lanewise::test::allocations.Fails(size)) return nullptr;
  ++lanewise::test::allocations.alive;
  return __libc_memalign(alignment, size);
}
// What operator new calls for wide alignments in some builds of libstdc++;
// others call aligned_alloc.
int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  void* const made = aligned_alloc(alignment, size);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}
void free(void* memory) noexcept {
  if (memory != nullptr) --lanewise::test::allocations.alive;
  __libc_free(memory);
}
// To register a destructor for the end of the program allocates now and then.
int __cxa_atexit(void (*destroy)(void*), void* object, void* library) noexcept {
  ++lanewise::test::allocations.made;
  static const auto next = reinterpret_cast<decltype(&__cxa_atexit)>(
      dlsym(RTLD_NEXT, "__cxa_atexit"));
  return next(destroy, object, library);
}
}  // extern "C"

/// What a test does in a build that cannot replace malloc. Where a sanitizer is
/// the reason, other builds of CI run the test.
#elif defined(LANEWISE_OWN_MALLOC)
#define LANEWISE_NO_OWN_MALLOC() GTEST_SKIP() << "a sanitizer replaces malloc"
#else
#define LANEWISE_NO_OWN_MALLOC() LANEWISE_NOT_RUN("no C library of GNU")
#endif  // LANEWISE_OWN_MALLOC

#endif  // LANEWISE_TESTS_SUPPORT_OWN_MALLOC_H_
