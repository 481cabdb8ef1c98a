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
    // The operand bound to T is the first whose type parameter is T.
    const lw_operand* operand = row->inputs;
    while (std::string(operand->type_parameter) != "T") ++operand;
    for (size_t k = 0; k < operand->type_count; ++k) {
      since[operand->types[k]].emplace(row->name, row->since_version);
    }
  }
  std::ostringstream header, rule, body;
  header << "| type |";
  rule << "|---|";
  for (const std::string& op : operators) {
    header << " " << op << " |";
    rule << "---|";
  }
  for (const auto& [type, versions] : since) {
    body << "| " << lw_type_name(type) << " |";
    for (const std::string& op : operators) {
      const auto found = versions.find(op);
      body << " "
           << (found == versions.end() ? "" : std::to_string(found->second))
           << (found == versions.end() ? "|" : " |");
    }
    body << "\n";
  }
  return header.str() + "\n" + rule.str() + "\n" + body.str();
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
