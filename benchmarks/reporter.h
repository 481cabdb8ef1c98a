// SPDX-License-Identifier: Apache-2.0
//
// Collects the runs of many small Google Benchmark sessions into one JSON file.

#ifndef LANEWISE_BENCHMARKS_REPORTER_H_
#define LANEWISE_BENCHMARKS_REPORTER_H_

#include <benchmark/benchmark.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace lanewise::bench {

class Reporter final : public benchmark::BenchmarkReporter {
 public:
  /// Writes no file if the name is empty.
  explicit Reporter(const std::string& json_file);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Ends the JSON. Call it once after all sessions.
  void Close();

  /// The median time of each row in nanoseconds, by the row's name.
  const std::map<std::string, double>& medians() const { return medians_; }

 private:
  benchmark::JSONReporter json_;
  std::ofstream file_;
  bool started_ = false;
  std::map<std::string, double> medians_;
};

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_REPORTER_H_
