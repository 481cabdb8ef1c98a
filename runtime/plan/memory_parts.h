// SPDX-License-Identifier: Apache-2.0
//
// One block of memory for the arrays of an object, each as long as it has to
// be.

#ifndef LANEWISE_RUNTIME_PLAN_MEMORY_PARTS_H_
#define LANEWISE_RUNTIME_PLAN_MEMORY_PARTS_H_

#include <cstddef>
#include <memory>
#include <type_traits>

namespace lanewise {

/// What blocks are made of. On some architectures, operator new aligns bytes
/// less than the functor of a step (kernels/step.h) needs.
struct alignas(16) MemoryUnit {
  char bytes[16];
};
inline size_t MemoryUnits(size_t bytes) {
  return (bytes + sizeof(MemoryUnit) - 1) / sizeof(MemoryUnit);
}

/// Hands out the parts of a block, one behind the other. Without a block
/// (nullptr), only counts the bytes of all parts.
class MemoryParts {
 public:
  explicit MemoryParts(MemoryUnit* block)
      : block_(reinterpret_cast<char*>(block)) {}

  template <class T>
  T* Take(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> &&
                  alignof(T) <= alignof(MemoryUnit));
    const size_t at = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    used_ = at + count * sizeof(T);
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + at);
  }
  size_t used() const { return used_; }

 private:
  char* block_;
  size_t used_ = 0;
};

/// An object of T, whose constructor takes its parts behind `arguments`, and
/// the block that they are parts of.
template <class T>
class WithMemory {
 public:
  template <class... Arguments>
  explicit WithMemory(const Arguments&... arguments)
      : block_(new MemoryUnit[MemoryUnits(BytesOf(arguments...))]),
        parts_(block_.get()),
        object_(arguments..., parts_) {}
  WithMemory(const WithMemory&) = delete;
  WithMemory& operator=(const WithMemory&) = delete;

  template <class... Arguments>
  static size_t BytesOf(const Arguments&... arguments) {
    MemoryParts counted(nullptr);
    T(arguments..., counted);
    return counted.used();
  }

  T& operator*() { return object_; }
  T* operator->() { return &object_; }
  const T& operator*() const { return object_; }
  const T* operator->() const { return &object_; }

 private:
  std::unique_ptr<MemoryUnit[]> block_;
  MemoryParts parts_;
  T object_;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_MEMORY_PARTS_H_
