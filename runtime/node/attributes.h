// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a node, checked once when the node is made.

#ifndef LANEWISE_RUNTIME_NODE_ATTRIBUTES_H_
#define LANEWISE_RUNTIME_NODE_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/operator.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/status.h"

namespace lanewise {

class Attributes final : public AttributeValues {
 public:
  /// Checks a node's attributes against the form of its operator.
  static lw_status Parse(const Label& label, const Form& form,
                         const lw_attribute* given, size_t count,
                         Attributes* attributes);

  // What the shape rules ask for.
  bool broadcasts() const { return IntOf(Meaning::kBroadcast, 0) != 0; }
  int64_t axis() const { return IntOf(Meaning::kAxis, -1); }
  bool keeps_zeros() const { return IntOf(Meaning::kKeepZeros, 0) != 0; }
  std::span<const int64_t> target_shape() const;
  /// Of a reduction: the axes that an attribute names, if it names any.
  std::span<const int64_t> axes() const;
  bool keeps_dims() const { return IntOf(Meaning::kKeepDims, 1) != 0; }
  bool may_have_no_axes() const { return IntOf(Meaning::kNoAxes, 0) != 0; }
  /// The type that Meaning::kOutputType tells; LW_ABSENT if the form has none.
  int32_t output_type() const;

  std::optional<float> Float(std::string_view name) const override;
  std::optional<int64_t> Int(std::string_view name) const override;
  std::span<const int64_t> Ints(std::string_view name) const override;
  size_t Choice(std::string_view name) const override;

 private:
  /// An attribute that the form has; a node need not give a value.
  struct Value {
    const AttributeInfo* info;
    bool given = false;
    std::vector<float> floats = {};
    std::vector<int64_t> ints = {};  ///< of a STRING: the index of the choice
  };

  static lw_status ParseOne(const Label& label, const lw_attribute& given,
                            Value* value);
  static lw_status ParseChoice(const Label& label, const lw_attribute& given,
                               Value* value);
  const Value* Find(std::string_view name) const;
  int64_t IntOf(Meaning meaning, int64_t fallback) const;

  std::vector<Value> values_;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_NODE_ATTRIBUTES_H_
