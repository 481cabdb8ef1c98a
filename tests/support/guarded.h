// SPDX-License-Identifier: Apache-2.0
//
// Memory between two inaccessible pages: a kernel that reads or writes one byte
// out of bounds ends the test at once.

#ifndef LANEWISE_TESTS_SUPPORT_GUARDED_H_
#define LANEWISE_TESTS_SUPPORT_GUARDED_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tests/support/system.h"

namespace lanewise::test {

/// The guard page that a buffer is placed next to.
enum class Side { kLower, kUpper };

class GuardedMemory {
 public:
  explicit GuardedMemory(size_t bytes) {
    const size_t page = PageSize();
    size_ = (bytes / page + 1) * page;
    mapped_ = size_ + 2 * page;
    base_ = static_cast<uint8_t*>(MapPages(mapped_, Access::kNone));
    if (base_ == nullptr) std::abort();
    low_ = base_ + page;
    if (!SetAccess(low_, size_, Access::kReadWrite)) std::abort();
  }
  ~GuardedMemory() { UnmapPages(base_, mapped_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  uint8_t* low() const { return low_; }
  uint8_t* high() const { return low_ + size_; }

  /// Space for `bytes` bytes at `distance` bytes from the guard page.
  uint8_t* Place(Side side, size_t distance, size_t bytes) const {
    return side == Side::kLower ? low_ + distance : high() - distance - bytes;
  }
  /// The same, and copies `source` there.
  uint8_t* Copy(Side side, size_t distance, const void* source,
                size_t bytes) const {
    uint8_t* place = Place(side, distance, bytes);
    if (bytes != 0) std::memcpy(place, source, bytes);
    return place;
  }

 private:
  uint8_t* base_;
  uint8_t* low_;
  size_t size_;
  size_t mapped_;
};

/// Fill value of memory that must not be written.
inline constexpr uint8_t kUntouched = 0xA5;

inline void Untouch(void* memory, size_t bytes) {
  std::memset(memory, kUntouched, bytes);
}

inline bool IsUntouched(const void* memory, size_t bytes) {
  const auto* p = static_cast<const uint8_t*>(memory);
  // The first byte has the fill value, and every other byte equals its
  // predecessor.
  return bytes == 0 ||
         (p[0] == kUntouched && std::memcmp(p, p + 1, bytes - 1) == 0);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_GUARDED_H_
