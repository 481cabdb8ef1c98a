// SPDX-License-Identifier: Apache-2.0

#include "tests/support/system.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdlib>

namespace lanewise::test {

#if defined(_WIN32)

size_t PageSize() {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwPageSize;
}

void* MapPages(size_t bytes, Access access) {
  return access == Access::kNone
             ? VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS)
             : VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT,
                            PAGE_READWRITE);
}

bool SetAccess(void* pages, size_t bytes, Access access) {
  DWORD before = 0;
  return access == Access::kNone
             ? VirtualProtect(pages, bytes, PAGE_NOACCESS, &before) != 0
             : VirtualAlloc(pages, bytes, MEM_COMMIT, PAGE_READWRITE) !=
                   nullptr;
}

void UnmapPages(void* pages, size_t /*bytes*/) {
  VirtualFree(pages, 0, MEM_RELEASE);
}

int ProcessId() { return _getpid(); }

void SetVariable(const char* name, const char* value) {
  _putenv_s(name, value == nullptr ? "" : value);
}

void* OpenLibrary(const char* path) { return LoadLibraryA(path); }

bool CloseLibrary(void* library) {
  return FreeLibrary(static_cast<HMODULE>(library)) != 0;
}

void* FindSymbol(void* library, const char* name) {
  return reinterpret_cast<void*>(
      GetProcAddress(static_cast<HMODULE>(library), name));
}

#else

namespace {

int Protection(Access access) {
  return access == Access::kNone ? PROT_NONE : PROT_READ | PROT_WRITE;
}

}  // namespace

size_t PageSize() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

void* MapPages(size_t bytes, Access access) {
  void* pages = mmap(nullptr, bytes, Protection(access),
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

bool SetAccess(void* pages, size_t bytes, Access access) {
  return mprotect(pages, bytes, Protection(access)) == 0;
}

void UnmapPages(void* pages, size_t bytes) { munmap(pages, bytes); }

int ProcessId() { return getpid(); }

void SetVariable(const char* name, const char* value) {
  if (value != nullptr) {
    setenv(name, value, 1);
  } else {
    unsetenv(name);
  }
}

void* OpenLibrary(const char* path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool CloseLibrary(void* library) { return dlclose(library) == 0; }

void* FindSymbol(void* library, const char* name) {
  return dlsym(library, name);
}

#endif

}  // namespace lanewise::test
