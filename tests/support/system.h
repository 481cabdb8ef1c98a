// SPDX-License-Identifier: Apache-2.0
//
// What POSIX and Windows name differently: pages of memory, environment
// variables, libraries.

#ifndef LANEWISE_TESTS_SUPPORT_SYSTEM_H_
#define LANEWISE_TESTS_SUPPORT_SYSTEM_H_

#include <cstddef>

namespace lanewise::test {

enum class Access { kNone, kReadWrite };

size_t PageSize();
/// New pages, or nullptr.
void* MapPages(size_t bytes, Access access);
/// Changes what may be done with whole pages.
bool SetAccess(void* pages, size_t bytes, Access access);
void UnmapPages(void* pages, size_t bytes);

int ProcessId();
/// Sets an environment variable, or removes it (nullptr).
void SetVariable(const char* name, const char* value);

/// nullptr if the library cannot be loaded.
void* OpenLibrary(const char* path);
bool CloseLibrary(void* library);
void* FindSymbol(void* library, const char* name);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SYSTEM_H_
