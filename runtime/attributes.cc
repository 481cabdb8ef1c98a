// SPDX-License-Identifier: Apache-2.0

#include "runtime/attributes.h"

#include <cinttypes>
#include <climits>
#include <cstring>

namespace lanewise {
namespace {

// Which attribute which operator has, from its first version to its last.
struct Rule {
  Form form;
  const char* name;
  int first_version;
  int last_version;
};
constexpr Rule kRules[] = {
    {Form::kUnary, "consumed_inputs", 1, 5},
    {Form::kBinary, "consumed_inputs", 1, 5},
    {Form::kBinary, "broadcast", 1, 6},
    {Form::kBinary, "axis", 1, 6},
    {Form::kReshape, "consumed_inputs", 1, 4},
    {Form::kReshape, "shape", 1, 4},
    {Form::kReshape, "allowzero", 14, INT_MAX},
};

bool Allowed(const Label& label, Form form, const char* name) {
  for (const Rule& rule : kRules) {
    if (rule.form == form && label.version >= rule.first_version &&
        label.version <= rule.last_version &&
        std::strcmp(rule.name, name) == 0) {
      return true;
    }
  }
  return false;
}

lw_status ParseInt(const Label& label, const lw_attribute& given,
                   int64_t* value) {
  if (given.count != 1) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "attribute \"%s\" is one integer, not %zu", given.name,
                given.count);
  }
  *value = given.ints[0];
  return LW_OK;
}

lw_status ParseBool(const Label& label, const lw_attribute& given,
                    bool* value) {
  int64_t number = 0;
  const lw_status status = ParseInt(label, given, &number);
  if (status != LW_OK) return status;
  if (number != 0 && number != 1) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "attribute \"%s\" is 0 or 1, not %" PRId64, given.name, number);
  }
  *value = number == 1;
  return LW_OK;
}

lw_status ParseOne(const Label& label, Form form, const lw_attribute& given,
                   Attributes* attributes) {
  if (given.name == nullptr || (given.ints == nullptr && given.count != 0)) {
    return Fail(label, LW_INVALID_ARGUMENT,
                "an attribute has no name or no integers (NULL)");
  }
  const auto named = [&](const char* name) {
    return std::strcmp(given.name, name) == 0;
  };
  if (!Allowed(label, form, given.name)) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "this version has no attribute \"%s\"", given.name);
  }
  if (named("broadcast")) {
    return ParseBool(label, given, &attributes->broadcast);
  }
  if (named("allowzero")) {
    return ParseBool(label, given, &attributes->allow_zero);
  }
  if (named("axis")) return ParseInt(label, given, &attributes->axis);
  if (named("shape")) {
    attributes->shape.assign(given.ints, given.ints + given.count);
  }
  return LW_OK;  // consumed_inputs has no meaning left
}

}  // namespace

lw_status ParseAttributes(const Label& label, Form form,
                          const lw_attribute* given, size_t count,
                          Attributes* attributes) {
  if (given == nullptr && count != 0) {
    return Fail(label, LW_INVALID_ARGUMENT, "attributes is NULL");
  }
  bool axis = false;
  bool shape = false;
  for (size_t i = 0; i < count; ++i) {
    const lw_status status = ParseOne(label, form, given[i], attributes);
    if (status != LW_OK) return status;
    axis |= std::strcmp(given[i].name, "axis") == 0;
    shape |= std::strcmp(given[i].name, "shape") == 0;
  }
  if (axis && !attributes->broadcast) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "attribute \"axis\" needs broadcast=1");
  }
  if (form == Form::kReshape && label.version < 5 && !shape) {
    return Fail(label, LW_INVALID_ATTRIBUTE,
                "this version needs the attribute \"shape\"");
  }
  return LW_OK;
}

}  // namespace lanewise
