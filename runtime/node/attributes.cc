// SPDX-License-Identifier: Apache-2.0

#include "runtime/node/attributes.h"

#include <cinttypes>
#include <string>

#include "runtime/engine/types.h"

namespace lanewise {
namespace {

const char* KindName(int32_t kind) {
  switch (kind) {
    case LW_ATTRIBUTE_FLOAT:
      return "a float";
    case LW_ATTRIBUTE_INT:
      return "an integer";
    case LW_ATTRIBUTE_STRING:
      return "a string";
    case LW_ATTRIBUTE_FLOATS:
      return "a list of floats";
    case LW_ATTRIBUTE_INTS:
      return "a list of integers";
    case LW_ATTRIBUTE_STRINGS:
      return "a list of strings";
    default:
      return "of an unknown kind";
  }
}

bool IsList(int32_t kind) { return kind >= LW_ATTRIBUTE_FLOATS; }

bool IsZeroOrOne(Meaning meaning) {
  return meaning == Meaning::kBroadcast || meaning == Meaning::kKeepZeros ||
         meaning == Meaning::kKeepDims || meaning == Meaning::kNoAxes;
}

}  // namespace

lw_status Attributes::ParseOne(const Label& label, const lw_attribute& given,
                               Value* value) {
  const AttributeInfo& info = *value->info;
  const auto fail = [&](const char* fault) {
    return Fail(label, LW_INVALID_ATTRIBUTE, "attribute \"%s\" %s", given.name,
                fault);
  };
  if (given.kind != info.kind) {
    return Fail(label, LW_INVALID_ATTRIBUTE, "attribute \"%s\" is %s, not %s",
                given.name, KindName(info.kind), KindName(given.kind));
  }
  if (given.values == nullptr && given.count != 0) {
    return Fail(label, LW_INVALID_ARGUMENT,
                "attribute \"%s\" has no values (NULL)", given.name);
  }
  if (!IsList(given.kind) && given.count != 1) {
    return fail("needs exactly one value");
  }
  if (value->given) return fail("is given twice");
  value->given = true;
  if (given.count == 0) return LW_OK;
  switch (given.kind) {
    case LW_ATTRIBUTE_FLOAT:
    case LW_ATTRIBUTE_FLOATS: {
      const auto* floats = static_cast<const float*>(given.values);
      value->floats.assign(floats, floats + given.count);
      return LW_OK;
    }
    case LW_ATTRIBUTE_INT:
    case LW_ATTRIBUTE_INTS: {
      const auto* ints = static_cast<const int64_t*>(given.values);
      value->ints.assign(ints, ints + given.count);
      break;
    }
    case LW_ATTRIBUTE_STRING:
      return ParseChoice(label, given, value);
    default:  // No operator has a list of strings.
      return LW_OK;
  }
  if (IsZeroOrOne(info.meaning) && value->ints[0] != 0 && value->ints[0] != 1) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "attribute \"%s\" is 0 or 1, not %" PRId64, given.name,
                value->ints[0]);
  }
  const bool may_be_none = !info.required && value->ints[0] == LW_ABSENT;
  if (info.meaning == Meaning::kOutputType && !may_be_none &&
      (value->ints[0] <= LW_ABSENT || value->ints[0] >= kTypeCount)) {
    return Fail(label, LW_UNSUPPORTED_TYPE,
                "attribute \"%s\" is %" PRId64 ", which is no element type",
                given.name, value->ints[0]);
  }
  return LW_OK;
}

lw_status Attributes::ParseChoice(const Label& label, const lw_attribute& given,
                                  Value* value) {
  const auto& text = *static_cast<const lw_string*>(given.values);
  if (text.data == nullptr && text.size != 0) {
    return Fail(label, LW_INVALID_ARGUMENT, "attribute \"%s\" is NULL",
                given.name);
  }
  const std::string_view wanted(text.data, text.size);
  const std::span<const char* const> choices = value->info->choices;
  std::string known;
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::string_view choice = choices[i];
    if (choice.empty()) continue;
    if (choice == wanted) {
      value->ints = {static_cast<int64_t>(i)};
      return LW_OK;
    }
    if (!known.empty()) known += ", ";
    known += choice;
  }
  return Fail(label, LW_INVALID_ATTRIBUTE,
              "attribute \"%s\" is \"%s\", which is none of %s", given.name,
              std::string(wanted.substr(0, 40)).c_str(), known.c_str());
}

lw_status Attributes::Parse(const Label& label, const Form& form,
                            const lw_attribute* given, size_t count,
                            Attributes* attributes) {
  if (given == nullptr && count != 0) {
    return Fail(label, LW_INVALID_ARGUMENT, "attributes is NULL");
  }
  std::vector<Value>& values = attributes->values_;
  values.clear();
  for (const AttributeInfo& info : form.attributes) values.push_back({&info});

  for (size_t i = 0; i < count; ++i) {
    if (given[i].name == nullptr) {
      return Fail(label, LW_INVALID_ARGUMENT,
                  "attribute number %zu has no name (NULL)", i);
    }
    const Value* known = attributes->Find(given[i].name);
    if (known == nullptr) {
      return Fail(label, LW_INVALID_ATTRIBUTE,
                  "this version has no attribute \"%s\"", given[i].name);
    }
    const lw_status status = ParseOne(
        label, given[i], &values[static_cast<size_t>(known - &values[0])]);
    if (status != LW_OK) return status;
  }

  for (const Value& value : values) {
    if (value.info->required && !value.given) {
      return Fail(label, LW_INVALID_ATTRIBUTE,
                  "this version needs the attribute \"%s\"", value.info->name);
    }
    if (value.info->meaning == Meaning::kAxis && value.given &&
        !attributes->broadcasts()) {
      return Fail(label, LW_INVALID_ATTRIBUTE,
                  "attribute \"%s\" needs broadcast=1", value.info->name);
    }
  }
  return LW_OK;
}

const Attributes::Value* Attributes::Find(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.info->name == name) return &value;
  }
  return nullptr;
}

int64_t Attributes::IntOf(Meaning meaning, int64_t fallback) const {
  for (const Value& value : values_) {
    if (value.info->meaning == meaning && value.given) return value.ints[0];
  }
  return fallback;
}

std::span<const int64_t> Attributes::target_shape() const {
  for (const Value& value : values_) {
    if (value.info->meaning == Meaning::kTargetShape) return value.ints;
  }
  return {};
}

std::span<const int64_t> Attributes::axes() const {
  static constexpr int64_t kFirst[] = {0};
  for (const Value& value : values_) {
    const Meaning meaning = value.info->meaning;
    if (meaning == Meaning::kAxes) return value.ints;
    if (meaning != Meaning::kReducedAxis) continue;
    return value.given ? std::span(value.ints)
                       : std::span<const int64_t>(kFirst);
  }
  return {};
}

int32_t Attributes::output_type() const {
  return static_cast<int32_t>(IntOf(Meaning::kOutputType, LW_ABSENT));
}

std::optional<float> Attributes::Float(std::string_view name) const {
  const Value* value = Find(name);
  if (value == nullptr || value->info->kind != LW_ATTRIBUTE_FLOAT) return {};
  if (value->given) return value->floats[0];
  if (!value->info->fallback) return {};
  return static_cast<float>(*value->info->fallback);
}

std::optional<int64_t> Attributes::Int(std::string_view name) const {
  const Value* value = Find(name);
  if (value == nullptr || value->info->kind != LW_ATTRIBUTE_INT) return {};
  if (value->given) return value->ints[0];
  if (!value->info->fallback) return {};
  return static_cast<int64_t>(*value->info->fallback);
}

std::span<const int64_t> Attributes::Ints(std::string_view name) const {
  const Value* value = Find(name);
  if (value == nullptr) return {};
  return value->ints;
}

size_t Attributes::Choice(std::string_view name) const {
  const Value* value = Find(name);
  const bool given = value != nullptr && value->given;
  return given ? static_cast<size_t>(value->ints[0]) : 0;
}

}  // namespace lanewise
