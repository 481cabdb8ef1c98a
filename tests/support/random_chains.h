// SPDX-License-Identifier: Apache-2.0
//
// Random chains of operators, made from the support table alone, against the
// same operators called one by one: status, zero divisors and each byte of the
// memory must agree. Every second chain has reductions.

#ifndef LANEWISE_TESTS_SUPPORT_RANDOM_CHAINS_H_
#define LANEWISE_TESTS_SUPPORT_RANDOM_CHAINS_H_

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/array.h"
#include "tests/support/chain_operators.h"
#include "tests/support/random_calls.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {

struct DestroyChain {
  void operator()(lw_chain* chain) const { lw_chain_destroy(chain); }
};
using ChainPtr = std::unique_ptr<lw_chain, DestroyChain>;

/// A chain, its tensors, and what the operators give one by one.
class RandomChain {
 public:
  /// Makes a chain and holds it against its operators. Returns the status that
  /// all agree on.
  lw_status Check(const ChainOperators& operators, Random& random);
  std::string Describe() const;
  bool has_reductions() const { return has_reductions_; }

 private:
  enum class Use { kData, kAxes, kTarget };
  struct Value {
    Array elements;
    Dims64 dims;
    bool is_known = false;  ///< the operators before gave no error
    Use use = Use::kData;   ///< kTarget: Reshape's shape
    bool is_flat = false;   ///< goes through Reshape, and so has no gaps
  };
  struct Step {
    const ChainOperators::Entry* entry;
    std::vector<int32_t> operands;
  };
  /// A tensor in memory of its own, with some bytes on both sides.
  struct Placed {
    Tensor tensor;
    std::vector<uint8_t> memory;
    std::vector<uint8_t> before;
  };

  void MakeInputs();
  void MakeSteps();
  bool AddStep();
  void AddReshape(size_t from);
  void AddResult(const ChainOperators::Entry& entry,
                 std::vector<int32_t> operands, int32_t type);
  const ChainOperators::Entry& ChooseEntry();
  bool ChooseOperands(const ChainOperators::Entry& entry,
                      std::vector<int32_t>* operands);
  int32_t ValueOf(const lw_operand& operand, int32_t type);
  bool IsOfChannels(size_t value) const;
  int32_t ValueFor(Use use);
  bool ChooseOutputs();
  Dims64 RandomDims();
  void AddInput(lw_type type, const Dims64& dims);
  Dims64 DimsOfInput(bool is_constant);
  void AddShape(Use use);
  void RunOneByOne();
  bool IsComputed(size_t value) const;
  void MakeChain();
  void PlaceTensors();
  Placed Place(const Array* elements, lw_type type, const Dims64& dims,
               bool strided);
  void RunChain();
  bool MayOverlap() const;
  bool HasAxes() const;
  void CheckStatus(lw_status status, const char* way);
  void CheckMemory(const char* way);

  Random* random_ = nullptr;
  const ChainOperators* operators_ = nullptr;
  bool has_reductions_ = false;
  Dims64 whole_;
  size_t input_count_ = 0;
  size_t constant_count_ = 0;
  std::vector<Value> values_;
  std::vector<Step> steps_;
  std::vector<int32_t> outputs_;
  std::vector<int32_t> tails_;  // what a Reshape at the end reads

  lw_status expected_ = LW_OK;
  lw_zero_divisors zeros_ = {};

  ChainPtr chain_;
  std::vector<Placed> places_;  // inputs, then outputs
  int in_place_output_ = -1;
  size_t in_place_input_ = 0;
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_RANDOM_CHAINS_H_
