// SPDX-License-Identifier: Apache-2.0
//
// The peers that are called from Python: NumPy, ONNX Runtime and PyTorch. A
// Python process computes on copies of the operands. It times its own calls,
// but only when this program asks, so that its repetitions are interleaved with
// those of the other implementations. python_peers.py describes the protocol.

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <sstream>

#include "benchmarks/peer.h"

extern char** environ;

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

/// The Python process, and the memory shared with the process.
class Python {
 public:
  static Python& Get() {
    static Python& python = *new Python;  // lives as long as the program
    return python;
  }

  /// Sends a line and returns the answer's line. Returns an empty string if
  /// there is no process.
  std::string Ask(const std::string& line) {
    if (to_ == nullptr) return "";
    char answer[1024];
    if (std::fprintf(to_, "%s\n", line.c_str()) < 0 || std::fflush(to_) != 0 ||
        std::fgets(answer, sizeof(answer), from_) == nullptr) {
      std::fprintf(stderr, "bench: the Python peers have ended\n");
      to_ = nullptr;
      return "";
    }
    answer[std::strcspn(answer, "\n")] = '\0';
    return answer;
  }

  /// Returns the shared memory, grown to at least this many bytes.
  char* Shared(size_t bytes) {
    if (bytes <= size_) return shared_;
    if (shared_ != nullptr) munmap(shared_, size_);
    size_ = bytes;
    if (ftruncate(memory_, static_cast<off_t>(bytes)) != 0) std::abort();
    shared_ = static_cast<char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0));
    if (shared_ == MAP_FAILED) std::abort();
    return shared_;
  }

 private:
  Python() {
    memory_ = memfd_create("lanewise_benchmarks", 0);  // inherited
    int down[2];
    int up[2];
    if (memory_ < 0 || pipe2(down, O_CLOEXEC) != 0 ||
        pipe2(up, O_CLOEXEC) != 0) {
      return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
    const char* program = std::getenv("LANEWISE_BENCH_PYTHON");
    if (program == nullptr) {
      program = access(LANEWISE_BENCH_PYTHON, X_OK) == 0 ? LANEWISE_BENCH_PYTHON
                                                         : "python3";
    }
    const std::string memory = std::to_string(memory_);
    const char* const arguments[] = {program, LANEWISE_BENCH_PYTHON_PEERS,
                                     memory.c_str(), nullptr};
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, program, &actions, nullptr,
                     const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]);
    close(up[1]);
    if (failed != 0) return;
    std::signal(SIGPIPE, SIG_IGN);
    to_ = fdopen(down[1], "w");
    from_ = fdopen(up[0], "r");
  }

  int memory_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
  char* shared_ = nullptr;
  size_t size_ = 0;
};

// A task in the Python process. The process keeps the task until its last
// runner is destroyed.
class Remote {
 public:
  Remote(const Task& task, int slot) : task_(task), slot_(slot) {}
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
  ~Remote() { Python::Get().Ask("drop " + std::to_string(slot_)); }

  double Run(int64_t iterations) {
    const std::string answer =
        Python::Get().Ask("run " + std::to_string(slot_) + " " +
                          std::to_string(iterations) + (seen_ ? " 0" : " 1"));
    // Only the first answer is checked.
    if (!seen_) {
      std::memcpy(task_.out, Python::Get().Shared(0) + out_offset, out_bytes);
    }
    seen_ = true;
    return std::atof(answer.c_str());
  }

  size_t out_offset = 0;
  size_t out_bytes = 0;

 private:
  const Task task_;
  const int slot_;
  bool seen_ = false;
};

size_t SizeOf(lw_type type) {
  switch (type) {
    case LW_BOOL:
    case LW_INT8:
    case LW_UINT8:
      return 1;
    case LW_FLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 2;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 4;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
      return 8;
    default:
      return 0;  // no NumPy type
  }
}

// The number of elements in the memory of input `i`.
size_t Span(const Task& task, int i) {
  switch (task.pattern) {
    case Pattern::kScalarA:
      return i == 0 ? 1 : task.n;
    case Pattern::kScalarB:
      return i == 1 ? 1 : task.n;
    case Pattern::kRowB:
    case Pattern::kRow8B:
      return i == 1 ? task.columns : task.n;
    case Pattern::kColB:
    case Pattern::kCol8B:
      return i == 1 ? task.n / task.columns : task.n;
    case Pattern::kStrided:
      return 2 * task.n;
    default:
      return task.n;
  }
}

Runner Prepare(const std::string& impl, const Task& task) {
  static int slots = 0;
  const size_t size = SizeOf(task.type);
  // In place the values would drift: the Python process does not restore them.
  if (size == 0 || task.pattern == Pattern::kInPlace) return {};
  // NumPy uses one thread only.
  if (task.threads != 1 && impl == "numpy") return {};

  const auto page = [](size_t bytes) { return (bytes + 4095) / 4096 * 4096; };
  const size_t a_bytes = Span(task, 0) * size;
  const size_t b_bytes = task.b == nullptr ? 0 : Span(task, 1) * size;
  // Casts widen. `Copy` is no operator, so its task has no operands.
  const size_t out_bytes =
      task.output.bytes != 0 ? task.output.bytes : task.n * size;
  const size_t b_offset = page(a_bytes);
  const size_t out_offset = b_offset + page(b_bytes);

  auto remote = std::make_shared<Remote>(task, ++slots);
  remote->out_offset = out_offset;
  remote->out_bytes = out_bytes;
  char* shared = Python::Get().Shared(out_offset + page(out_bytes));
  std::memcpy(shared, task.a, a_bytes);
  if (b_bytes != 0) std::memcpy(shared + b_offset, task.b, b_bytes);
  std::ostringstream line;
  line << "make " << slots << ' ' << impl << ' ' << task.op << ' ' << task.type
       << ' ' << static_cast<int>(task.pattern) << ' ' << task.n << ' '
       << task.columns << ' ' << task.threads << ' ' << a_bytes << ' '
       << b_bytes << ' ' << b_offset << ' ' << out_offset;
  const std::string answer = Python::Get().Ask(line.str());
  if (answer.rfind("ok", 0) != 0) return {};
  Runner runner;
  if (answer.size() > 3) runner.loose = answer.substr(3);
  runner.timed = [remote](int64_t iterations) {
    return remote->Run(iterations);
  };
  return runner;
}

}  // namespace

LANEWISE_BENCH_PEERS(python) {
  std::vector<Peer> peers;
  // An answer is "numpy 2.0.1;onnxruntime 1.30.0".
  std::istringstream list(Python::Get().Ask("hello"));
  for (std::string item; std::getline(list, item, ';');) {
    const size_t space = item.find(' ');
    const std::string name = item.substr(0, space);
    peers.push_back({name, item.substr(space + 1),
                     [name](const Task& task) { return Prepare(name, task); }});
  }
  return peers;
}
