// SPDX-License-Identifier: Apache-2.0

#include "tests/support/chain_operators.h"

#include <cstring>
#include <utility>

#include "tests/support/engines.h"
#include "tests/support/operator_spec.h"

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
    if (row->moves_only == 0 && !spec.last_is_type && !spec.is_aligned() &&
        !spec.is_composed()) {
      AddRow(*row);
    }
  }
}

void ChainOperators::AddRow(const lw_signature& row) {
  const auto add = [&](const std::vector<lw_attribute>& list,
                       const std::string& text, int32_t to) {
    lw_op* op = nullptr;
    if (lw_op_create(engine_.get(), row.name, row.since_version, list.data(),
                     list.size(), &op) == LW_OK) {
      all_.push_back({&row, text, OpPtr(op), to});
    }
  };
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
