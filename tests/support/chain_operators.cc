// SPDX-License-Identifier: Apache-2.0

#include "tests/support/chain_operators.h"

#include <cstring>
#include <utility>

#include "tests/support/engines.h"
#include "tests/support/operator_spec.h"
#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

int32_t TaskByTask(void*, lw_task task, size_t count, void* data) {
  for (size_t i = count; i-- > 0;) task(data, i);
  return 0;
}

}  // namespace

bool ChainOperators::Takes(int32_t type) const {
  const bool is_half = type == LW_FLOAT16 || type == LW_BFLOAT16;
  return kA16.count(type) != 0 && type != LW_STRING &&
         (takes_halves_ || !is_half);
}

ChainOperators::ChainOperators(EnginePtr engine, bool takes_halves)
    : engine_(std::move(engine)), takes_halves_(takes_halves) {
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    const OperatorSpec& spec = *AllSpecs().at(row->name);
    if (spec.is_reduction()) {
      AddReductions(*row);
    } else if (spec.is_composed()) {
      AddComposed(*row);
    } else if (std::strcmp(row->name, "Reshape") == 0 && row->input_count > 1) {
      Add(*row, {}, "", LW_ABSENT, &reshapes_);
    } else if (row->moves_only == 0 && !spec.last_is_type &&
               !spec.is_aligned()) {
      AddRow(*row);
    }
  }
}

void ChainOperators::Add(const lw_signature& row, const Attributes& list,
                         const std::string& text, int32_t to,
                         std::vector<Entry>* entries) {
  lw_op* op = nullptr;
  if (lw_op_create(engine_.get(), row.name, row.since_version, list.data(),
                   list.size(), &op) == LW_OK) {
    entries->push_back({&row, text, OpPtr(op), to});
  }
}

// Axes as an attribute or as an input, dims that are kept and dims that go.
void ChainOperators::AddReductions(const lw_signature& row) {
  const Dims64 some_axes[] = {{}, {0}, {-1}, {1}, {0, -1}, {-2, -1}, {0, 2}};
  const int64_t one = 1;
  const char* last = "none";  // the other attribute
  bool has_axes = false;
  for (size_t i = 0; i < row.attribute_count; ++i) {
    const std::string name = row.attributes[i].name;
    has_axes |= name == "axes";
    if (name == "noop_with_empty_axes" || name == "select_last_index") {
      last = row.attributes[i].name;
    }
  }
  const bool has_axis = std::strcmp(row.attributes[0].name, "axis") == 0;
  for (const Dims64& axes : some_axes) {
    if (!axes.empty() && !has_axes && !(has_axis && axes.size() == 1)) continue;
    for (const int64_t keepdims : {0, 1}) {
      Attributes list = {IntAttribute("keepdims", &keepdims)};
      std::string text = keepdims == 0 ? " goes" : " stays";
      for (const int64_t axis : axes) text += " " + std::to_string(axis);
      if (!axes.empty() && has_axis) {
        list.push_back(IntAttribute("axis", axes.data()));
      } else if (!axes.empty()) {
        list.push_back(IntsAttribute("axes", axes.data(), axes.size()));
      }
      Add(row, list, text, LW_ABSENT, &reductions_);
      list.push_back(IntAttribute(last, &one));
      Add(row, list, text + " " + last, LW_ABSENT, &reductions_);
    }
  }
}

void ChainOperators::AddComposed(const lw_signature& row) {
  const bool has_groups = std::strcmp(row.name, "GroupNormalization") == 0;
  if (!has_groups && std::strcmp(row.name, "Hardmax") != 0) return;
  const char* name = has_groups ? "num_groups" : "axis";
  for (const int64_t number : {-2, -1, 0, 1, 2, 3}) {
    Add(row, {IntAttribute(name, &number)},
        std::string(" ") + name + " " + std::to_string(number), LW_ABSENT,
        &composed_);
  }
}

void ChainOperators::AddRow(const lw_signature& row) {
  const auto add = [&](const Attributes& list, const std::string& text,
                       int32_t to) { Add(row, list, text, to, &all_); };
  add({}, "", LW_ABSENT);
  for (size_t i = 0; i < row.attribute_count; ++i) {
    const lw_attribute_info& info = row.attributes[i];
    for (int64_t to = 1;
         to <= LW_INT2 && info.tells_type != 0 && info.kind == LW_ATTRIBUTE_INT;
         ++to) {
      if (!Takes(static_cast<int32_t>(to))) continue;
      add({IntAttribute(info.name, &to)}, " to " + std::to_string(to),
          static_cast<int32_t>(to));
    }
    for (const char* word : {"LEFT", "RIGHT", "tanh"}) {
      const lw_string text = {word, std::strlen(word)};
      if (info.kind != LW_ATTRIBUTE_STRING || info.tells_type != 0) continue;
      add({{info.name, info.kind, 1, &text}}, word, LW_ABSENT);
    }
    const int64_t one = 1;
    if (std::strcmp(info.name, "fmod") == 0) {
      add({IntAttribute("fmod", &one)}, " fmod", LW_ABSENT);
    }
    if (std::strcmp(info.name, "broadcast") != 0) continue;
    add({IntAttribute("broadcast", &one)}, " broadcast", LW_ABSENT);
    add({IntAttribute("broadcast", &one), IntAttribute("axis", &one)},
        " broadcast axis 1", LW_ABSENT);
  }
}

const std::vector<const ChainOperators*>& AllChainOperators() {
  static const auto& all = *[] {
    auto* made = new std::vector<const ChainOperators*>;
    lw_engine_options options = Options();
    options.threading = LW_THREADING_SERIAL;
    made->push_back(new ChainOperators(MakeEngine(options)));
    size_t lowest = 0;
    while (lw_isa_name(lowest + 1) != nullptr) ++lowest;
    options.max_isa = lw_isa_name(lowest);
    made->push_back(new ChainOperators(MakeEngine(options)));
    options = Options();
    options.threading = LW_THREADING_HOST;
    options.max_threads = 3;
    options.parallel_for = TaskByTask;
    made->push_back(new ChainOperators(MakeTunedEngine(
        options, lw_isa_name(0), EagerThreads() + EagerStreaming())));
    options = Options();
    options.threading = LW_THREADING_SERIAL;
    for (const lw_accuracy accuracy : {LW_ACCURACY_EXACT, LW_ACCURACY_FAST}) {
      options.accuracy = accuracy;
      made->push_back(new ChainOperators(MakeEngine(options),
                                         accuracy != LW_ACCURACY_FAST));
    }
    return made;
  }();
  return all;
}

}  // namespace lanewise::test
