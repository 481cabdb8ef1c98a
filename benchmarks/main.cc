// SPDX-License-Identifier: Apache-2.0
//
// Measures every kernel of the library, and the peers: other libraries that a
// user could choose instead. scripts/bench runs this program and makes the
// report from its JSON.
//
// Times are comparable only if they were measured side by side. So a cell
// (operator, type, pattern, size, threads) is one session of Google Benchmark:
// all implementations work on the same memory, and their repetitions are
// interleaved at random.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/cell.h"
#include "benchmarks/check.h"
#include "benchmarks/data.h"
#include "benchmarks/library.h"
#include "benchmarks/measure.h"
#include "benchmarks/options.h"
#include "benchmarks/peer.h"
#include "benchmarks/reporter.h"
#include "benchmarks/whole.h"

namespace lanewise::bench {

// One declaration for each file in peers/ that was built.
#define LANEWISE_BENCH_PEER(file) std::vector<Peer> Peers_##file();
#include "lanewise_bench_peers.inc"
#undef LANEWISE_BENCH_PEER

namespace {

std::vector<Peer> AllPeers(const Options& options) {
  std::vector<Peer> peers;
  const auto add = [&](std::vector<Peer> more) {
    for (Peer& peer : more) {
      // ONNX Runtime may be there twice. The C API comes before Python.
      const bool known =
          std::any_of(peers.begin(), peers.end(),
                      [&](const Peer& one) { return one.name == peer.name; });
      if (known || !(peer.is_limit || options.peers)) continue;
      peers.push_back(std::move(peer));
    }
  };
#define LANEWISE_BENCH_PEER(file) add(Peers_##file());
#include "lanewise_bench_peers.inc"
#undef LANEWISE_BENCH_PEER
  return peers;
}

// Checks implementations before they are timed, and remembers the results for
// the report.
class Judgement {
 public:
  /// Returns whether to time the peer. Sets the label of the peer's rows.
  bool Admit(const Cell& cell, const Task& task, const Peer& peer,
             const Runner& runner, Measured* measured) {
    if (!runner.loose.empty()) {
      measured->label = "loose: " + runner.loose;
      return true;
    }
    Answer answer = CheckCell(cell, task, runner);
    measured->ulp = answer.ulp;
    if (answer.verdict == Verdict::kWrong) {
      Note(cell.Name(peer.name) + " is wrong: " + answer.reason);
      return false;
    }
    if (answer.verdict == Verdict::kRight && !peer.is_limit) {
      const std::string key =
          peer.name + "/" + cell.op + "/" + std::to_string(cell.type);
      const auto [known, is_new] = range_.try_emplace(key);
      if (is_new) known->second = CheckRange(cell, peer);
      answer = known->second;
      measured->ulp = std::max(measured->ulp, answer.ulp);
    }
    if (answer.verdict != Verdict::kRight) {
      measured->label = "loose: " + answer.reason;
    }
    return true;
  }
  const std::string& notes() const { return notes_; }

 private:
  void Note(const std::string& line) {
    std::fprintf(stderr, "bench: %s\n", line.c_str());
    if (!notes_.empty()) notes_ += "; ";
    notes_ += line;
  }
  std::map<std::string, Answer> range_;
  std::string notes_;
};

bool IsOwn(const Peer& peer) {
  return peer.name.rfind("lanewise", 0) == 0 || peer.name == "direct" ||
         peer.name == "kernel" || peer.name == "prepared";
}

// Measures a cell and returns how many implementations ran.
size_t RunCell(const Cell& cell, const std::vector<Peer>& peers,
               const Options& options, Arena& arena, Judgement& judgement,
               Reporter& reporter) {
  std::vector<const Peer*> wanted;
  for (const Peer& peer : peers) {
    if (std::regex_search(cell.Name(peer.name), options.filter)) {
      wanted.push_back(&peer);
    }
  }
  if (wanted.empty()) return 0;

  const Task task = arena.Fill(cell);
  std::vector<Measured> all;
  for (const Peer* peer : wanted) {
    if (!IsOwn(*peer) && task.MayTrap()) continue;
    arena.Poison(cell, task);
    Measured one;
    one.runner = peer->prepare(task);
    if (!one.runner) continue;
    one.name = cell.Name(peer->name);
    // A copy beside an operator shows a limit: it has no answer to check.
    const bool limit = peer->is_limit && cell.op != "Copy";
    if (limit || judgement.Admit(cell, task, *peer, one.runner, &one)) {
      all.push_back(std::move(one));
    }
  }
  const void* pristine =
      cell.pattern == Pattern::kInPlace ? arena.Pristine() : nullptr;
  Measure(cell, task, pristine, all, options, reporter);
  return all.size();
}

// Shows the progress: one line that is rewritten on a terminal, a new line
// every few seconds in a log.
class Progress {
 public:
  explicit Progress(size_t total) : total_(total) {}
  void Show(size_t done, const Cell& cell) {
    const double seconds = Seconds(start_);
    const bool first = done == 0;
    if (!IsTerminal() && !first && Seconds(shown_) < 10) return;
    shown_ = Clock::now();
    const double left =
        first ? 0 : seconds / double(done) * double(total_ - done);
    std::fprintf(stderr, "%sbench: %3.0f %%  %s  %zu of %zu cells", Lead(),
                 100.0 * double(done) / double(total_), cell.Name("*").c_str(),
                 done + 1, total_);
    if (!first) std::fprintf(stderr, ", about %.0f s left", left);
    std::fprintf(stderr, IsTerminal() ? "   " : "\n");
    std::fflush(stderr);
  }
  void Done() {
    std::fprintf(stderr, "%sbench: measured %zu cells in %.0f s\n", Lead(),
                 total_, Seconds(start_));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double Seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  }
  static const char* Lead() { return IsTerminal() ? "\r\033[K" : ""; }

  size_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

std::vector<Cell> CellsOf(const Options& options, bool quick) {
  return AllCells({.quick = quick,
                   .provider = options.provider,
                   .sizes = options.sizes,
                   .threads = options.threads});
}

// Says which operators --quick leaves out, and how they are measured.
void TellWhatIsLeftOut(const Options& options) {
  std::set<std::string> measured;
  for (const Cell& cell : CellsOf(options, true)) measured.insert(cell.op);
  std::set<std::string> rest;
  for (const Cell& cell : CellsOf(options, false)) {
    if (measured.count(cell.op) == 0) rest.insert(cell.op);
  }
  std::string names;
  for (const std::string& op : rest) names += " " + op;
  if (names.empty()) return;
  std::fprintf(stderr,
               "bench: --quick measures operators of each kind, in fewer "
               "types, sizes and patterns, and all chains.\n"
               "bench: --quick leaves out:%s\n"
               "bench: without --quick, --filter='^%s/' measures one of them "
               "in full; without --filter, everything is measured, in hours\n",
               names.c_str(), rest.begin()->c_str());
}

std::vector<Cell> Wanted(const Options& options,
                         const std::vector<Peer>& peers) {
  std::vector<Cell> cells;
  for (const Cell& cell : CellsOf(options, options.quick)) {
    for (const Peer& peer : peers) {
      if (!std::regex_search(cell.Name(peer.name), options.filter)) continue;
      cells.push_back(cell);
      break;
    }
  }
  return cells;
}

void AddVersions(const std::vector<Peer>& peers) {
  std::string versions;
  for (const Peer& peer : peers) {
    if (IsOwn(peer) || peer.is_limit) continue;
    if (!versions.empty()) versions += "; ";
    versions += peer.name + " " + peer.version;
  }
  benchmark::AddCustomContext("lanewise_peers", versions);
  benchmark::AddCustomContext("lanewise_absent", LANEWISE_BENCH_ABSENT);
}

int Main(int argc, char** argv) {
  const Options options = ParseOptions(argc, argv);
  std::vector<Peer> peers =
      OwnImplementations(options, options.tunings.empty());
  for (Peer& peer : AllPeers(options)) peers.push_back(std::move(peer));
  const std::vector<Cell> cells = Wanted(options, peers);
  if (options.quick) TellWhatIsLeftOut(options);
  if (options.list) {
    for (const Cell& cell : cells) std::puts(cell.Name("*").c_str());
    return 0;
  }
  if (cells.empty()) {
    std::fprintf(stderr, "bench: no cell matches the filter\n");
    return 1;
  }

  AddMachineContext(options);
  AddVersions(peers);
  AddWholeLibraryContext(cells);
  Arena arena;
  Judgement judgement;
  Reporter reporter(options.json);
  Progress progress(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    progress.Show(i, cells[i]);
    RunCell(cells[i], peers, options, arena, judgement, reporter);
  }
  progress.Done();
  reporter.Close();
  if (options.json.empty()) {
    for (const auto& [name, nanoseconds] : reporter.medians()) {
      std::printf("%-64s %14.1f ns\n", name.c_str(), nanoseconds);
    }
  }
  return judgement.notes().empty() ? 0 : 3;
}

}  // namespace
}  // namespace lanewise::bench

int main(int argc, char** argv) { return lanewise::bench::Main(argc, argv); }
