// SPDX-License-Identifier: Apache-2.0
//
// What a peer is: somebody else's way to compute one of our cells. A peer file
// is a small shared library of its own, so that whatever it is compiled with
// (-march=native) stays out of lanewise.

#ifndef LANEWISE_BENCHMARKS_PEER_H_
#define LANEWISE_BENCHMARKS_PEER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::bench {

/// Where the operands lie. "Rows" are the last dim of the output.
enum class Pattern {
  kSame,     ///< all operands are contiguous and of one shape
  kScalarB,  ///< b is one element
  kScalarA,  ///< a is one element
  kRowB,     ///< b is one row of kColumns elements, the same for all rows
  kColB,     ///< b has one element for each row of kColumns elements
  kRow8B,    ///< as kRowB with rows of 8 elements
  kCol8B,    ///< as kColB with rows of 8 elements
  kStrided,  ///< the inputs are every second element of their memory
  kInPlace,  ///< the output is the last input
  kSpecial,  ///< kSame on NaN, infinities, subnormals, zeros, limits
};
inline constexpr size_t kColumns = 64;

/// One cell of the table: what is computed, and the memory to do it in.
struct Task {
  std::string_view op;  ///< as ONNX spells it, or "Copy"
  lw_type type;
  Pattern pattern;
  size_t n;        ///< elements of the output
  size_t columns;  ///< length of a row where the pattern has rows, else n
  int threads;
  const void* a;
  const void* b;
  void* out;
  size_t bytes;  ///< read plus written

  bool Is(std::string_view name) const { return op == name; }
  /// The operands are arrays of n elements and single elements.
  bool IsFlat() const {
    return pattern != Pattern::kRowB && pattern != Pattern::kColB &&
           pattern != Pattern::kRow8B && pattern != Pattern::kCol8B &&
           pattern != Pattern::kStrided;
  }
  /// Integer division may meet x / 0 and MIN / -1 here, which trap.
  bool MayTrap() const {
    return pattern == Pattern::kSpecial && Is("Div") && type != LW_FLOAT16 &&
           type != LW_FLOAT32 && type != LW_FLOAT64 && type != LW_BFLOAT16;
  }
};

/// How to compute a task; one of the three, or none if the peer cannot.
struct Runner {
  /// Elements [begin, end) on the calling thread: the harness spreads them.
  std::function<void(size_t begin, size_t end)> range;
  /// Everything, on task.threads threads of the peer's own.
  std::function<void()> whole;
  /// Everything, so many times, elsewhere; returns the seconds it took.
  std::function<double(int64_t iterations)> timed;

  /// Why the answer is known to differ from ONNX's; it is not checked then.
  std::string loose;

  explicit operator bool() const { return range || whole || timed; }
};

struct Peer {
  std::string name;     ///< the <impl> of the benchmark's name
  std::string version;  ///< for the report
  std::function<Runner(const Task&)> prepare;
  /// A limit of the machine rather than somebody to beat.
  bool is_limit = false;
};

}  // namespace lanewise::bench

/// Defines the one function that a peer file exports. A peer whose library
/// turns out to be unusable on this machine returns nothing.
#define LANEWISE_BENCH_PEERS(file)                                         \
  namespace lanewise::bench {                                              \
  __attribute__((visibility("default"))) std::vector<Peer> Peers_##file(); \
  }                                                                        \
  std::vector<lanewise::bench::Peer> lanewise::bench::Peers_##file()

#endif  // LANEWISE_BENCHMARKS_PEER_H_
