// SPDX-License-Identifier: Apache-2.0
//
// The caches that the threads of a call have together.

#ifndef LANEWISE_RUNTIME_ENGINE_CACHES_H_
#define LANEWISE_RUNTIME_ENGINE_CACHES_H_

#include <cstddef>

namespace lanewise {

/// The last level of caches. The values are those of a common server CPU, for
/// systems that do not tell.
struct Caches {
  size_t bytes = size_t{32} << 20;  ///< of one cache
  size_t cpus = 8;                  ///< that share one cache

  bool operator==(const Caches&) const = default;
};

/// Reads what Linux tells about a CPU, from a folder such as
/// /sys/devices/system/cpu/cpu0/cache.
Caches ReadCaches(const char* folder);

/// Those of this machine, read once.
const Caches& OwnCaches();

/// The bytes that a call on some threads can move before it should store past
/// the caches. Up to there, most of an output is still in a cache when the next
/// operator reads it, and a usual store costs no more than a store past the
/// caches: three quarters of the last-level cache for one thread. Several
/// threads have caches of their own beside those that they share, and fill all
/// of the last level.
size_t StreamBytes(const Caches& caches, size_t threads);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_CACHES_H_
