// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_BENCHMARKS_OPTIONS_H_
#define LANEWISE_BENCHMARKS_OPTIONS_H_

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace lanewise::bench {

struct Options {
  bool quick = false;
  bool provider = false;
  bool peers = true;
  bool list = false;
  bool read_after = false;
  std::string filter_text = ".";
  std::regex filter{"."};
  std::string json;
  std::vector<size_t> sizes;         ///< empty: the default ones
  std::vector<int> threads;          ///< default: 1 and all of the machine
  std::vector<std::string> isas;     ///< forced, in addition to the best
  std::vector<std::string> tunings;  ///< files, in addition to the default
  int repetitions = 5;
  double min_time = 0.02;  ///< seconds of each repetition
};

/// Exits with a message and code 2 on an unknown argument. Passes arguments
/// that begin with --benchmark_ on to Google Benchmark.
Options ParseOptions(int argc, char** argv);

/// Describes the machine and the run in the context of the JSON file.
void AddMachineContext(const Options& options);

bool IsTerminal();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_OPTIONS_H_
