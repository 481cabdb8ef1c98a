// SPDX-License-Identifier: Apache-2.0
//
// A peer is another library's way to compute a cell. Each peer file is a small
// shared library of its own, so that its compiler flags (-march=native) do not
// reach lanewise.

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

/// How the operands lie in memory. A row is the last dim of the output, and of
/// a reduction's input.
enum class Pattern {
  kSame,        ///< all operands are contiguous and of one shape
  kScalarB,     ///< b is one element
  kScalarA,     ///< a is one element
  kScalarC,     ///< c is one element
  kRowB,        ///< b is one row of kColumns elements, the same for all rows
  kColB,        ///< b has one element for each row of kColumns elements
  kRow8B,       ///< like kRowB, with rows of 8 elements
  kCol8B,       ///< like kColB, with rows of 8 elements
  kStrided,     ///< each input takes every second element of its memory
  kInPlace,     ///< the output overwrites the last input of equal element size
  kSpecial,     ///< like kSame, on NaN, infinities, subnormals, zeros, limits
  kReduceRows,  ///< each row of kReducedColumns elements is reduced to one
                ///< element
  kReduceColumns,  ///< all rows of kReducedColumns elements are reduced to one
                   ///< row
};
inline constexpr size_t kColumns = 64;
inline constexpr size_t kReducedColumns = 256;

/// The elements of the output.
inline size_t ResultsOf(Pattern pattern, size_t n, size_t columns) {
  return pattern == Pattern::kReduceRows      ? n / columns
         : pattern == Pattern::kReduceColumns ? columns
                                              : n;
}

/// An input or the output of a cell, as a host's tensor.
struct Operand {
  lw_type type;
  int32_t rank;
  int64_t dims[2];
  int64_t stride;  ///< in elements; 1 unless the pattern is kStrided
  size_t bytes;    ///< of the elements, without gaps between them
  void* data;
  /// Models keep such an operand: a bound, a scale, a target.
  bool is_constant = false;
};

/// One cell: the operation, and the memory of the operands.
struct Task {
  std::string_view op;  ///< as ONNX spells it, or "Copy"
  int version;          ///< the operator's newest one; 0 for "Copy"
  lw_type type;
  Pattern pattern;
  size_t n;        ///< elements of the output; of a reduction's input
  size_t columns;  ///< the length of a row if the pattern has rows, else n
  int threads;
  const void* a;
  const void* b;  ///< nullptr: the operator has one input
  const void* c;
  void* out;
  size_t bytes;  ///< bytes read plus bytes written
  /// All inputs, those included that only tell a shape.
  std::vector<Operand> inputs;
  Operand output;
  /// The operator's attribute `axis`, if it has no input that tells the axis.
  const int64_t* axis = nullptr;

  bool Is(std::string_view name) const { return op == name; }
  /// Whether the task is a reduction. The reduced dim stays, as 1.
  bool Reduces() const {
    return pattern == Pattern::kReduceRows ||
           pattern == Pattern::kReduceColumns;
  }
  /// The elements of the output.
  size_t results() const { return ResultsOf(pattern, n, columns); }
  /// Whether each operand is an array of n elements or a single element.
  bool IsFlat() const {
    return pattern != Pattern::kRowB && pattern != Pattern::kColB &&
           pattern != Pattern::kRow8B && pattern != Pattern::kCol8B &&
           pattern != Pattern::kStrided && !Reduces();
  }
  /// Whether the task contains integer divisions x / 0 and MIN / -1, which
  /// trap.
  bool MayTrap() const {
    return pattern == Pattern::kSpecial && (Is("Div") || Is("Mod")) &&
           type != LW_FLOAT16 && type != LW_FLOAT32 && type != LW_FLOAT64 &&
           type != LW_BFLOAT16;
  }
};

/// How to compute a task. One of the three functions is set, or none if the
/// peer cannot compute the task.
struct Runner {
  /// Computes elements [begin, end) on the calling thread. The benchmark
  /// program distributes the parts over threads.
  std::function<void(size_t begin, size_t end)> range;
  /// Computes everything, on task.threads threads of the peer's own.
  std::function<void()> whole;
  /// Computes everything `iterations` times, in another process if need be, and
  /// returns the seconds.
  std::function<double(int64_t iterations)> timed;

  /// Why the answer is known to differ from ONNX's. If this is not empty, the
  /// answer is not checked.
  std::string loose;

  explicit operator bool() const { return range || whole || timed; }
};

struct Peer {
  std::string name;     ///< the <impl> in the names of rows
  std::string version;  ///< for the report
  std::function<Runner(const Task&)> prepare;
  /// The peer shows a limit of the machine and does not compete.
  bool is_limit = false;
};

}  // namespace lanewise::bench

/// Defines the one function that a peer file exports. The function returns
/// nothing if the peer's library is unusable on this machine.
#define LANEWISE_BENCH_PEERS(file)                                         \
  namespace lanewise::bench {                                              \
  __attribute__((visibility("default"))) std::vector<Peer> Peers_##file(); \
  }                                                                        \
  std::vector<lanewise::bench::Peer> lanewise::bench::Peers_##file()

#endif  // LANEWISE_BENCHMARKS_PEER_H_
