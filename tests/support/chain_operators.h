// SPDX-License-Identifier: Apache-2.0
//
// The operators that random chains are made of, on several engines.

#ifndef LANEWISE_TESTS_SUPPORT_CHAIN_OPERATORS_H_
#define LANEWISE_TESTS_SUPPORT_CHAIN_OPERATORS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Operators of one engine, in every version.
class ChainOperators {
 public:
  struct Entry {
    const lw_signature* row;
    std::string attributes;  ///< for messages
    OpPtr op;
    int32_t to;  ///< the output's type, where an attribute tells it
  };

  explicit ChainOperators(EnginePtr engine, bool takes_halves = true);
  const lw_engine* engine() const { return engine_.get(); }
  /// Without reductions.
  const std::vector<Entry>& all() const { return all_; }
  const std::vector<Entry>& reductions() const { return reductions_; }
  /// Of the composed ones, those whose recipes have steps that no others have.
  const std::vector<Entry>& composed() const { return composed_; }
  /// With the shape as an input.
  const std::vector<Entry>& reshapes() const { return reshapes_; }
  /// Chains have neither strings nor packed types. On fast engines, chains of
  /// 16-bit floats have other bits than the operators one by one.
  bool Takes(int32_t type) const;

 private:
  using Attributes = std::vector<lw_attribute>;

  /// If the row has the attributes.
  void Add(const lw_signature& row, const Attributes& list,
           const std::string& text, int32_t to, std::vector<Entry>* entries);
  void AddRow(const lw_signature& row);
  void AddReductions(const lw_signature& row);
  void AddComposed(const lw_signature& row);

  EnginePtr engine_;
  bool takes_halves_;
  std::vector<Entry> all_;
  std::vector<Entry> reductions_;
  std::vector<Entry> composed_;
  std::vector<Entry> reshapes_;
};

/// The engines that chains run on: threads and streaming wherever possible, one
/// thread, and the lowest instruction set.
const std::vector<const ChainOperators*>& AllChainOperators();

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHAIN_OPERATORS_H_
