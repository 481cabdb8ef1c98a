// SPDX-License-Identifier: Apache-2.0
//
// The support table in the README matches the registry.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"

namespace {

std::string TableFromRegistry() {
  std::vector<std::string> operators;
  std::map<int32_t, std::map<std::string, int32_t>> since;  // by type
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (operators.empty() || operators.back() != row->name) {
      operators.emplace_back(row->name);
    }
    // The first operand whose type parameter is T, or T1.
    const lw_operand* operand = row->inputs;
    while (operand->type_parameter[0] != 'T') ++operand;
    for (size_t k = 0; k < operand->type_count; ++k) {
      since[operand->types[k]].emplace(row->name, row->since_version);
    }
  }
  // Types that all operators have from the same versions on share a column.
  std::vector<std::pair<std::string, std::map<std::string, int32_t>>> columns;
  for (const auto& [type, versions] : since) {
    auto column = columns.begin();
    while (column != columns.end() && column->second != versions) ++column;
    if (column == columns.end()) {
      columns.emplace_back(lw_type_name(type), versions);
    } else {
      column->first += std::string("<br>") + lw_type_name(type);
    }
  }
  std::ostringstream table;
  table << "| operator |";
  for (const auto& column : columns) table << " " << column.first << " |";
  table << "\n|---|";
  for (size_t k = 0; k < columns.size(); ++k) table << "---|";
  for (const std::string& op : operators) {
    table << "\n| " << op << " |";
    for (const auto& [types, versions] : columns) {
      const auto found = versions.find(op);
      if (found != versions.end()) table << " " << found->second;
      table << " |";
    }
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
