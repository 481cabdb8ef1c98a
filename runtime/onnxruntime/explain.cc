// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/explain.h"

#include <cstdio>
#include <fstream>
#include <utility>
#include <vector>

#include "runtime/onnxruntime/chains.h"

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

using Fields = std::vector<std::pair<const char*, std::string>>;

std::string Line(const Fields& fields) {
  std::string line;
  for (const auto& [name, value] : fields) {
    line.append(line.empty() ? "{" : ", ").append(Quoted(name));
    line.append(": ").append(value);
  }
  return line + "}\n";
}

template <typename Item, typename Name>
std::string List(const std::vector<Item>& items, const Name& name) {
  std::string list;
  for (const Item& item : items) {
    list.append(list.empty() ? "[" : ", ").append(Quoted(name(item)));
  }
  return list.empty() ? "[]" : list + "]";
}

std::string NodeLine(const Graph& graph, const Node& node,
                     const Decision& decision) {
  return Line({
      {"graph", Quoted(graph.name)},
      {"node", Quoted(node.name)},
      {"op", Quoted(node.op)},
      {"domain", Quoted(node.domain)},
      {"opset", std::to_string(node.since)},
      {"type", Quoted(lw_type_name(TypeOf(graph, node)))},
      {"taken", decision.take ? "true" : "false"},
      {"reason", Quoted(decision.reason)},
  });
}

std::string ChainLine(const Graph& graph, const Chain& chain) {
  const auto name = [&](int value) { return graph.values[value].name; };
  const Border border = BorderOf(graph, chain.nodes);
  return Line({
      {"graph", Quoted(graph.name)},
      {"chain", List(chain.nodes, [&](int i) { return graph.nodes[i].name; })},
      {"ops", List(chain.nodes, [&](int i) { return graph.nodes[i].op; })},
      {"inputs", List(border.inputs, name)},
      {"constants", List(border.constants, name)},
      {"outputs", List(border.outputs, name)},
      {"taken", chain.decision.take ? "true" : "false"},
      {"saved_bytes", std::to_string(chain.saved_bytes)},
      {"added_reorders", std::to_string(chain.added_reorders)},
      {"added_casts", std::to_string(chain.added_casts)},
      {"reason", Quoted(chain.decision.reason)},
  });
}

}  // namespace

void Explain(const std::string& file, const Graph& graph,
             const Claims& claims) {
  std::string lines;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.signature == nullptr) continue;
    lines += NodeLine(graph, node, claims.nodes[i]);
  }
  for (const Chain& chain : claims.chains) lines += ChainLine(graph, chain);
  // One write: sessions of several threads may share the file.
  std::ofstream(file, std::ios::app) << lines << std::flush;
}

}  // namespace lanewise::ort
