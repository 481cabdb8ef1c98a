// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/reporter.h"

#include <cstdio>
#include <cstdlib>

namespace lanewise::bench {

Reporter::Reporter(const std::string& json_file) {
  if (json_file.empty()) return;
  file_.open(json_file);
  if (!file_) {
    std::fprintf(stderr, "bench: cannot write %s\n", json_file.c_str());
    std::exit(1);
  }
  json_.SetOutputStream(&file_);
}

bool Reporter::ReportContext(const Context& context) {
  if (started_ || !file_.is_open()) return true;
  started_ = true;
  return json_.ReportContext(context);
}

void Reporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> kept;
  for (const Run& run : runs) {
    const bool aggregate = run.run_type == Run::RT_Aggregate;
    if (aggregate && run.aggregate_name != "median") continue;
    kept.push_back(run);
    // Keep the name that was registered, without Google Benchmark's suffixes.
    benchmark::BenchmarkName& name = kept.back().run_name;
    name.time_type.clear();
    name.min_time.clear();
    name.repetitions.clear();
    if (aggregate || runs.size() == 1) {
      medians_[name.str()] = run.GetAdjustedRealTime();
    }
  }
  if (file_.is_open()) json_.ReportRuns(kept);
}

void Reporter::Close() {
  if (started_) json_.Finalize();
  file_.close();
}

}  // namespace lanewise::bench
