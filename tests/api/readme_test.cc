// SPDX-License-Identifier: Apache-2.0
//
// The support table in the README matches the registry.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"

namespace {

using Versions = std::map<std::string, int32_t>;  // by operator

/// The kernels' folder of each operator, in the registry's order.
std::vector<std::string> Folders() {
  std::istringstream words(LANEWISE_OPERATOR_FOLDERS);
  return {std::istream_iterator<std::string>(words), {}};
}

/// The version of each operator that lists a type first, by type.
std::map<int32_t, Versions> VersionsByType(std::vector<std::string>* names) {
  std::map<int32_t, Versions> since;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (names->empty() || names->back() != row->name) {
      names->emplace_back(row->name);
    }
    // The first operand whose type parameter is T, or T1.
    const lw_operand* operand = row->inputs;
    while (operand->type_parameter[0] != 'T') ++operand;
    for (size_t k = 0; k < operand->type_count; ++k) {
      since[operand->types[k]].emplace(row->name, row->since_version);
    }
  }
  return since;
}

/// Types that all operators have from the same versions on share a column.
/// Operators of one folder that have all types from the same versions on share
/// a row.
std::string TableFromRegistry() {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, Versions>> columns;
  for (const auto& [type, versions] : VersionsByType(&names)) {
    auto column = columns.begin();
    while (column != columns.end() && column->second != versions) ++column;
    if (column == columns.end()) {
      columns.emplace_back(lw_type_name(type), versions);
    } else {
      column->first += std::string("<br>") + lw_type_name(type);
    }
  }
  const std::vector<std::string> folders = Folders();
  std::map<std::pair<std::string, std::string>, std::string> rows;
  for (size_t k = 0; k < names.size(); ++k) {
    std::string cells;
    for (const auto& [types, versions] : columns) {
      const auto found = versions.find(names[k]);
      if (found != versions.end()) {
        cells += ' ';
        cells += std::to_string(found->second);
      }
      cells += " |";
    }
    std::string& operators = rows[{folders.at(k), cells}];
    operators += (operators.empty() ? "" : ", ") + names[k];
  }
  std::map<std::pair<std::string, std::string>, std::string> sorted;
  for (const auto& [key, operators] : rows) {
    sorted[{key.first, operators}] = key.second;
  }
  std::ostringstream table;
  table << "| folder | operators |";
  for (const auto& column : columns) table << " " << column.first << " |";
  table << "\n|---|---|";
  for (size_t k = 0; k < columns.size(); ++k) table << "---|";
  for (const auto& [key, cells] : sorted) {
    table << "\n| " << key.first << " | " << key.second << " |" << cells;
  }
  return table.str() + "\n";
}

TEST(Readme, SupportTableMatchesRegistry) {
  std::ifstream file(LANEWISE_README);
  ASSERT_TRUE(file) << LANEWISE_README;
  std::stringstream text;
  text << file.rdbuf();
  const std::string readme = text.str();
  const std::string begin_marker = "<!-- support table:";
  const std::string end_marker = "<!-- end of support table -->";
  const size_t marker = readme.find(begin_marker);
  ASSERT_NE(marker, std::string::npos);
  const size_t begin = readme.find('\n', marker) + 1;
  const size_t end = readme.find(end_marker, begin);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(readme.substr(begin, end - begin), TableFromRegistry())
      << "Copy TableFromRegistry() between the markers in README.md.";
}

}  // namespace
