// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/explain.h"

#include <cstdio>
#include <fstream>

namespace lanewise::ort {
namespace {

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", c);
      out += code;
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace

void Explain(const std::string& file, const Graph& graph,
             const std::vector<Decision>& decisions) {
  std::string lines;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.signature == nullptr) continue;
    const std::pair<const char*, std::string> fields[] = {
        {"graph", Quoted(graph.name)},
        {"node", Quoted(node.name)},
        {"op", Quoted(node.op)},
        {"domain", Quoted(node.domain)},
        {"opset", std::to_string(node.since)},
        {"type", Quoted(lw_type_name(TypeOf(graph, node)))},
        {"taken", decisions[i].take ? "true" : "false"},
        {"reason", Quoted(decisions[i].reason)},
    };
    const char* before = "{";
    for (const auto& [name, value] : fields) {
      lines.append(before).append(Quoted(name)).append(": ").append(value);
      before = ", ";
    }
    lines += "}\n";
  }
  // One write: sessions of several threads may share the file.
  std::ofstream(file, std::ios::app) << lines << std::flush;
}

}  // namespace lanewise::ort
