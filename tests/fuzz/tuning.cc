// SPDX-License-Identifier: Apache-2.0
//
// The tuning file: any bytes. The rules of the format are applied once more
// with regular expressions.

#include "runtime/engine/tuning.h"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>

#include "tests/fuzz/fuzz.h"

namespace lanewise::test {
namespace {

constexpr char kCpu[] = "Any CPU";
constexpr char kIsa[] = "AVX2";

/// Whether the text is a number above 0.
bool ReadNumber(const std::string& text, size_t* number) {
  static const auto& form = *new std::regex("0*[1-9][0-9]*");
  if (!std::regex_match(text, form)) return false;
  errno = 0;
  *number = std::strtoull(text.c_str(), nullptr, 10);
  return errno != ERANGE;
}

/// Whether a section may have this line; if so, the line's effect on `tuning`.
bool ReadLine(const std::string& line, bool in_other_version, Tuning* tuning) {
  const size_t space = line.find(' ');
  if (space == 0 || space == std::string::npos) return false;
  const std::string key = line.substr(0, space);
  const std::string value = line.substr(space + 1);
  if (key == "way" && (value == "usual" || value == "divider")) {
    tuning->way = value == "usual" ? Way::kUsual : Way::kDivider;
    return true;
  }
  for (size_t kind = 0; kind < 3; ++kind) {
    for (const auto& known : kTuningKeys) {
      if (key == std::string(kCostClassNames[kind]) + "." + known.name) {
        return ReadNumber(value, &(tuning->work[kind].*known.value));
      }
    }
  }
  return in_other_version && !value.empty();
}

/// Whether the text is a tuning file; if so, what `tuning` is for this CPU.
bool Read(const std::string& text, Tuning* tuning) {
  const std::string end = std::string(" version=") + lw_version() + "]";
  const std::string own =
      std::string("[cpu=\"") + kCpu + "\" isa=" + kIsa + end;
  bool in_section = false, in_own = false, in_other_version = false;
  for (size_t at = 0; at < text.size();) {
    const size_t stop = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, stop - at);
    at = stop + 1;
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      in_section = true;
      in_own = line == own;
      in_other_version = line.size() < end.size() ||
                         line.substr(line.size() - end.size()) != end;
      continue;
    }
    Tuning unused;
    if (!in_section ||
        !ReadLine(line, in_other_version, in_own ? tuning : &unused)) {
      return false;
    }
  }
  return true;
}

void RunOne(const std::string& text) {
  static const std::string& path = *new std::string(
      testing::TempDir() + "lanewise.fuzz." + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary) << text;
  Tuning actual, expected;
  const lw_status status = LoadTuning(path.c_str(), kCpu, kIsa, &actual);
  const bool is_right = Read(text, &expected);
  ASSERT_EQ(status, is_right ? LW_OK : LW_INVALID_TUNING) << lw_last_error();
  if (!is_right) expected = Tuning();
  ASSERT_TRUE(actual.way == expected.way);
  for (size_t kind = 0; kind < 3; ++kind) {
    for (const auto& key : kTuningKeys) {
      ASSERT_EQ(actual.work[kind].*key.value, expected.work[kind].*key.value)
          << key.name;
    }
  }
}

}  // namespace
}  // namespace lanewise::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lanewise::test::RunOne(
      std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
