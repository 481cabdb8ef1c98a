// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/tuning.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "runtime/engine/status.h"

namespace lanewise {
namespace {

size_t* FindKey(Tuning& tuning, std::string_view key) {
  const size_t dot = key.find('.');
  if (dot == std::string_view::npos) return nullptr;
  for (size_t i = 0; i < std::size(kCostClassNames); ++i) {
    if (key.substr(0, dot) != kCostClassNames[i]) continue;
    for (const auto& known : kTuningKeys) {
      if (key.substr(dot + 1) == known.name) {
        return &(tuning.work[i].*known.value);
      }
    }
  }
  return nullptr;
}

// How the header of every section of this version ends.
std::string VersionEnd() {
  return std::string(" version=") + lw_version() + "]";
}

std::string SectionHeader(const char* cpu, const char* isa) {
  return std::string("[cpu=\"") + cpu + "\" isa=" + isa + VersionEnd();
}

bool ParseSize(std::string_view text, size_t* value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end && *value > 0;
}

bool ParseWay(std::string_view text, std::optional<Way>* way) {
  for (const Way known : {Way::kUsual, Way::kDivider}) {
    if (text != kWayNames[static_cast<size_t>(known)]) continue;
    *way = known;
    return true;
  }
  return false;
}

// A line of a section: a key, a space, a value. Other versions may have other
// keys, and other values of these.
bool ParseLine(std::string_view line, bool any_key, Tuning* tuning) {
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0) return false;
  const std::string_view key = line.substr(0, space);
  const std::string_view text = line.substr(space + 1);
  if (key == "way") {
    return ParseWay(text, &tuning->way) || (any_key && !text.empty());
  }
  size_t* value = FindKey(*tuning, key);
  if (value == nullptr) return any_key && !text.empty();
  return ParseSize(text, value);
}

}  // namespace

lw_status LoadTuning(const char* file, const char* cpu, const char* isa,
                     Tuning* tuning) {
  std::ifstream in(file);
  if (!in) {
    return Fail(LW_INVALID_TUNING, "tuning file \"%s\": %s", file,
                std::strerror(errno));
  }
  const std::string own = SectionHeader(cpu, isa);
  Tuning read = *tuning;
  bool in_section = false;
  bool in_own = false;
  bool in_other_version = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      in_section = true;
      in_own = line == own;
      in_other_version = !std::string_view(line).ends_with(VersionEnd());
      continue;
    }
    // Check the sections of other machines too, so that a broken file is
    // reported on the first machine that reads it.
    Tuning other;
    if (!in_section ||
        !ParseLine(line, in_other_version, in_own ? &read : &other)) {
      return Fail(LW_INVALID_TUNING,
                  "tuning file \"%s\", line %d: expected a section and lines "
                  "of a known key and its value, found \"%s\"",
                  file, number, line.c_str());
    }
  }
  if (in.bad()) {  // a directory can be opened, but not read
    return Fail(LW_INVALID_TUNING, "tuning file \"%s\" cannot be read", file);
  }
  *tuning = read;
  return LW_OK;
}

}  // namespace lanewise
