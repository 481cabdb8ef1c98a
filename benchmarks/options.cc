// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/options.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "benchmarks/library.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/isa.h"

namespace lanewise::bench {
namespace {

constexpr char kHelp[] =
    R"(Measures lanewise and its peers. The names are
  <Op>/<dtype>/<pattern>/<impl>/n:<elements>/threads:<t>

  --filter=REGEX     only the names that match
  --quick            operators of each kind and all chains, in fewer types,
                     sizes and patterns: at most 8 minutes on two cores, without
                     set-up and build; a full run takes hours
  --provider         the cells of the execution provider for ONNX Runtime: all
                     types of every operator, operands of one shape
  --threads=1,2      default: 1 and all
  --isa=AVX2,SSE4    also measure these instruction sets, as lanewise@AVX2; all
                     measures every one
  --tunings=A,B      also measure with these tuning files, as lanewise+A
  --read-after       read the output after each call of lanewise
  --sizes=2048,...   numbers of elements, instead of the default ones
  --no-peers         only lanewise and the machine's limits
  --repetitions=N    repetitions of each row, 5 by default
  --min-time=S       least seconds of each repetition
  --json=FILE        write the results in Google Benchmark's format
  --list             list the cells and measure nothing
  --benchmark_...    passed on to Google Benchmark
)";

[[noreturn]] void Reject(const std::string& argument) {
  std::fprintf(stderr, "bench: bad argument %s; see --help\n",
               argument.c_str());
  std::exit(2);
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

long Number(const std::string& word, const std::string& argument) {
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 10);
  if (*end != '\0' || value <= 0) Reject(argument);
  return value;
}

int MachineThreads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::vector<std::string> ForcedIsas(const std::string& value) {
  if (value != "all") return Split(value);
  std::vector<std::string> isas;
  const char* best = lw_engine_isa(nullptr);
  for (size_t i = 0; const char* name = lw_isa_name(i); ++i) {
    if (std::strcmp(name, best) != 0) isas.emplace_back(name);
  }
  return isas;
}

void ParseOne(const std::string& argument, Options* options) {
  const size_t equals = argument.find('=');
  const std::string key = argument.substr(0, equals);
  const std::string value =
      equals == std::string::npos ? "" : argument.substr(equals + 1);
  if (key == "--quick") {
    options->quick = true;
  } else if (key == "--provider") {
    options->provider = true;
  } else if (key == "--no-peers") {
    options->peers = false;
  } else if (key == "--read-after") {
    options->read_after = true;
  } else if (key == "--list") {
    options->list = true;
  } else if (value.empty()) {
    Reject(argument);
  } else if (key == "--filter") {
    options->filter_text = value;
  } else if (key == "--json") {
    options->json = value;
  } else if (key == "--isa") {
    options->isas = ForcedIsas(value);
  } else if (key == "--tunings") {
    options->tunings = Split(value);
  } else if (key == "--repetitions") {
    options->repetitions = static_cast<int>(Number(value, argument));
  } else if (key == "--min-time") {
    options->min_time = std::atof(value.c_str());
    if (!(options->min_time > 0)) Reject(argument);
  } else if (key == "--sizes") {
    for (const std::string& word : Split(value)) {
      options->sizes.push_back(static_cast<size_t>(Number(word, argument)));
    }
  } else if (key == "--threads") {
    for (const std::string& word : Split(value)) {
      options->threads.push_back(
          word == "all" ? MachineThreads()
                        : static_cast<int>(Number(word, argument)));
    }
  } else {
    Reject(argument);
  }
}

}  // namespace

bool IsTerminal() { return isatty(STDERR_FILENO) != 0; }

Options ParseOptions(int argc, char** argv) {
  Options options;
  // Without interleaving, the machine's drift would affect one implementation
  // more than the others.
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> theirs = {argv[0], interleave};
  bool has_min_time = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    // All sessions share one file, which Reporter writes. So these two options
    // of Google Benchmark are handled here.
    if (argument.rfind("--benchmark_out=", 0) == 0) {
      options.json = argument.substr(std::strlen("--benchmark_out="));
    } else if (argument.rfind("--benchmark_filter=", 0) == 0) {
      options.filter_text = argument.substr(std::strlen("--benchmark_filter="));
    } else if (argument.rfind("--benchmark_", 0) == 0) {
      theirs.push_back(argv[i]);
    } else {
      has_min_time |= argument.rfind("--min-time", 0) == 0;
      ParseOne(argument, &options);
    }
  }
  if (options.quick && !has_min_time) options.min_time = 0.004;
  if (options.threads.empty()) options.threads = {1, MachineThreads()};
  std::sort(options.threads.begin(), options.threads.end());
  options.threads.erase(
      std::unique(options.threads.begin(), options.threads.end()),
      options.threads.end());
  try {
    options.filter = std::regex(options.filter_text);
  } catch (const std::regex_error& error) {
    Reject("--filter: " + std::string(error.what()));
  }
  int count = static_cast<int>(theirs.size());
  benchmark::Initialize(&count, theirs.data());
  if (benchmark::ReportUnrecognizedArguments(count, theirs.data())) {
    std::exit(2);
  }
  return options;
}

void AddMachineContext(const Options& options) {
  std::string threads;
  for (const int count : options.threads) {
    if (!threads.empty()) threads += ',';
    threads += std::to_string(count);
  }
  benchmark::AddCustomContext("lanewise_version", lw_version());
  benchmark::AddCustomContext("lanewise_cpu", CpuName());
  benchmark::AddCustomContext("lanewise_isa", lw_engine_isa(nullptr));
  benchmark::AddCustomContext("lanewise_threads", threads);
  benchmark::AddCustomContext("lanewise_quick", options.quick ? "yes" : "no");
  benchmark::AddCustomContext("lanewise_filter", options.filter_text);
  benchmark::AddCustomContext("lanewise_compiler", __VERSION__);
  benchmark::AddCustomContext("lanewise_work", WorkClasses());
  const char* tuning = std::getenv("LANEWISE_TUNING");
  benchmark::AddCustomContext("lanewise_tuning",
                              tuning != nullptr ? tuning : "built in");
}

}  // namespace lanewise::bench
