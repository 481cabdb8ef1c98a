// SPDX-License-Identifier: Apache-2.0
//
// One call of a reduction, described by shape, axes, attributes and strides,
// and its right results: sequences are gathered element by element, and the
// operator's spec is asked for each.

#ifndef LANEWISE_TESTS_SUPPORT_REDUCTION_CALL_H_
#define LANEWISE_TESTS_SUPPORT_REDUCTION_CALL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/check_strides.h"
#include "tests/support/operator_spec.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Whether the operator reduces one dim, which an attribute names.
inline bool HasOneAxis(const OperatorSpec& spec) {
  return spec.versions.back().attributes[0].name == "axis";
}

struct ReductionCase {
  lw_type type = LW_FLOAT32;
  Dims64 dims;
  /// Not given: all of them, or none with noop; of ArgMax and ArgMin, axis 0.
  std::optional<Dims64> axes = {};
  std::optional<int64_t> keepdims = {};  ///< not given: 1
  bool noop = false;                     ///< noop_with_empty_axes
  bool takes_last = false;               ///< select_last_index
  Dims64 in_strides = {};
  Dims64 out_strides = {};
  int32_t version = 0;  ///< 0: the newest

  std::string Describe() const;
};

/// How the elements of an input are chosen.
enum class Data {
  kModerate,  ///< numbers of both signs around 1
  kPositive,
  kRare,   ///< moderate, but for a few infinities, NaNs and huge numbers
  kMixed,  ///< edges of the type and any bits
  kOnes
};
inline constexpr Data kAllData[] = {Data::kModerate, Data::kPositive,
                                    Data::kRare, Data::kMixed};

Array ElementsOf(lw_type type, size_t count, Data data, uint64_t seed);

/// Which dims are reduced.
std::vector<bool> ReducedDims(const OperatorSpec& spec,
                              const ReductionCase& call);
Dims64 DimsOfOutput(const OperatorSpec& spec, const ReductionCase& call);

/// The answers to a call, for elements in row-major order.
class ReductionAnswers {
 public:
  ReductionAnswers(const OperatorSpec& spec, const ReductionCase& call,
                   const Array& data);
  size_t size() const { return low_.size(); }
  /// What is wrong with results; empty if nothing is. `flushes`: subnormal
  /// numbers may count as 0.
  std::string Complaint(const Array& actual, bool flushes = false) const;

 private:
  bool IsAnswer(size_t i, const uint8_t* actual, bool flushes) const;

  Array low_;  ///< answers are numbers from `low_` to `high_`, or just `low_`
  Array high_;
  bool is_range_;
};

/// Whether `actual` is an answer for one sequence.
bool IsReduced(const OperatorSpec& spec, const Sequence& sequence,
               const void* actual);

/// A call with tensors in memory that ends at guard pages.
class ReductionRun {
 public:
  ReductionRun(const OperatorSpec& spec, const ReductionCase& call, Data data,
               uint64_t seed, Side side = Side::kUpper);
  ReductionRun(const ReductionRun&) = delete;
  ReductionRun& operator=(const ReductionRun&) = delete;

  OpPtr MakeNode(const lw_engine* engine) const;
  const std::vector<lw_tensor>& inputs() const { return inputs_; }
  const lw_tensor& output() const { return output_; }
  const Array& data() const { return data_; }
  void ClearOutput() const;

  /// Runs a node of MakeNode, and holds the result against the oracle.
  void Check(const lw_op* op) const;
  /// Holds what lies in memory against the oracle, and looks for elements that
  /// nobody was to write.
  void CheckMemory() const;
  /// The results as they lie in memory.
  Array Results() const { return out_.Read(); }

 private:
  const OperatorSpec& spec_;
  ReductionCase call_;
  bool by_input_;  ///< axes are an input
  Dims64 axes_;
  int64_t axis_count_;
  StridedMemory in_;
  StridedMemory out_;
  Array data_;
  std::vector<lw_tensor> inputs_;
  lw_tensor output_;
  ReductionAnswers answers_;
};

/// Makes a run on an instruction set's engine and checks it.
void CheckReduction(const OperatorSpec& spec, const lw_engine* engine,
                    const ReductionCase& call, Data data = Data::kModerate,
                    uint64_t seed = 1);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_REDUCTION_CALL_H_
