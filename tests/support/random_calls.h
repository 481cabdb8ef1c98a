// SPDX-License-Identifier: Apache-2.0
//
// Random calls of any operator, made from its signature alone: most are right,
// the others have one or two faults. A call's tensors lie in one piece of
// memory, so that whatever a call writes can be seen.

#ifndef LANEWISE_TESTS_SUPPORT_RANDOM_CALLS_H_
#define LANEWISE_TESTS_SUPPORT_RANDOM_CALLS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/array.h"
#include "tests/support/reduction_call.h"

namespace lanewise::test {

/// Choices at random, or choices that a fuzzer made: its bytes in order, and
/// after them the same random ones each time.
class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  Random(const uint8_t* bytes, size_t count)
      : next_(bytes), end_(bytes + count) {}

  uint64_t bits() { return Take(8); }
  size_t Below(size_t n) { return Take(n <= 256 ? 1 : n <= 65536 ? 2 : 8) % n; }
  /// Whether a fuzzer's bytes are used up.
  bool IsEmpty() const { return next_ == end_; }
  int64_t Between(int64_t low, int64_t high) {
    return low +
           static_cast<int64_t>(Below(static_cast<size_t>(high - low) + 1));
  }
  bool OneIn(size_t n) { return Below(n) == 0; }
  template <class List>
  auto Of(const List& list) {
    return *(std::begin(list) + Below(std::size(list)));
  }

 private:
  uint64_t Take(size_t count) {
    if (IsEmpty()) return bits_();
    uint64_t taken = 0;
    count = std::min(count, static_cast<size_t>(end_ - next_));
    std::memcpy(&taken, next_, count);
    next_ += count;
    return taken;
  }

  std::mt19937_64 bits_;
  const uint8_t* next_ = nullptr;
  const uint8_t* end_ = nullptr;
};

/// Bits of an element, written down once more; 128 for what is no type.
inline size_t ElementBits(int32_t type) {
  switch (type) {
    case LW_INT4:
    case LW_UINT4:
    case LW_FLOAT4E2M1:
      return 4;
    case LW_INT2:
    case LW_UINT2:
      return 2;
    default:
      return type <= LW_ABSENT || type > LW_INT2
                 ? 128
                 : 8 * ElementSize(static_cast<lw_type>(type));
  }
}

/// A view with dims and strides of its own.
struct RandomTensor {
  static constexpr int kMaxRank = 6;
  static constexpr int64_t kHuge = int64_t{1} << 40;
  int32_t type = LW_ABSENT;
  int32_t rank = 0;
  std::array<int64_t, kMaxRank> dims = {};
  std::array<int64_t, kMaxRank> strides = {};
  bool is_strided = false;
  bool has_dims = true;
  uint8_t* data = nullptr;
  size_t bytes = 0;

  int RankInArray() const { return std::clamp<int>(rank, 0, kMaxRank); }
  lw_tensor view() const {
    return {data,
            type,
            rank,
            has_dims ? dims.data() : nullptr,
            is_strided ? strides.data() : nullptr,
            bytes};
  }
  /// Where the elements lie, in bytes from the first one.
  struct Range {
    int64_t low;
    int64_t high;
  };
  /// Whether no memory holds so many elements.
  bool IsHuge() const {
    return std::any_of(
        dims.begin(), dims.begin() + RankInArray(),
        [](int64_t dim) { return dim >= kHuge || dim <= -kHuge; });
  }
  Range Extent() const {
    if (IsHuge()) return {0, 16};
    const auto bits = static_cast<int64_t>(ElementBits(type));
    const int64_t size = std::max<int64_t>(1, bits / 8);
    Range range = {0, size};
    int64_t count = 1;
    for (int i = 0; i < RankInArray(); ++i) {
      const size_t k = static_cast<size_t>(i);
      if (dims[k] <= 0) return {0, 0};
      count *= dims[k];
      const int64_t reach = (dims[k] - 1) * strides[k] * size;
      (reach < 0 ? range.low : range.high) += reach;
    }
    return is_strided ? range : Range{0, (count * bits + 7) / 8};
  }
};

/// A node whose second and third input align at an axis.
struct AlignedNode {
  int64_t axis = 1;
  int64_t block_size = 0;
  int32_t precision = LW_ABSENT;
  bool saturates = true;

  /// The dim of x that has several scales or blocks; -1 if there is none.
  int64_t AxisOf(int32_t rank) const {
    const int64_t at = axis < 0 ? axis + rank : axis;
    return at < rank ? std::max<int64_t>(at, -1) : -1;
  }
};

/// An operator as a random call sees it.
struct RandomOperator {
  const lw_signature* row = nullptr;
  std::string attributes;  ///< for messages
  const lw_op* op = nullptr;
  bool is_legacy = false;   ///< broadcast=1: B is a run of A's dims
  int64_t axis = -1;        ///< where this run starts; -1: at the right
  bool one_way = false;     ///< the output has the first input's shape
  bool by_channel = false;  ///< B is one element, or has one for each channel
  int32_t to = LW_ABSENT;   ///< the output's type, where an attribute tells it
  std::optional<AlignedNode> aligned = {};
  /// A reduction's attributes.
  std::optional<ReductionCase> reduction = {};

  bool is_variadic() const { return row->inputs[0].variadic != 0; }
  const lw_operand& Input(size_t input) const {
    return row->inputs[is_variadic() ? 0 : input];
  }
  /// The input that tells the output's shape, or which dims are reduced.
  bool IsShape(size_t input) const {
    return std::strcmp(Input(input).name, "shape") == 0 || IsAxes(input);
  }
  bool IsAxes(size_t input) const { return reduction && input == 1; }
  /// An input that is always one element has the output's type, but the output
  /// cannot be written over it.
  bool IsScalar(size_t input) const {
    const lw_operand& operand = Input(input);
    return !aligned && !reduction && operand.in_place == 0 &&
           std::strcmp(operand.type_parameter,
                       row->outputs[0].type_parameter) == 0;
  }
};

class RandomCall {
 public:
  static constexpr size_t kMaxTensors = 8;

  RandomCall() : memory_(kMemory + 64), start_(kMemory), pool_(3 * kPool) {
    Random random(1);
    for (size_t i = 0; i < pool_.size(); i += 8) {
      uint64_t bits = random.bits();
      // The second third has many zeros, the last one no zero byte.
      if (i / kPool == 1 && random.OneIn(8)) bits = 0;
      if (i / kPool == 2) bits |= 0x0101010101010101u;
      std::memcpy(&pool_[i], &bits, 8);
    }
    base_ = memory_.data() +
            (64 - reinterpret_cast<uintptr_t>(memory_.data()) % 64) % 64;
  }

  /// Makes the next call of an operator.
  void Make(const RandomOperator& op, Random& random) {
    random_ = &random;
    op_ = &op;
    do {
      ChooseTypes();
      ChooseShapes();
      ChooseOutput();
      SpoilShapes();
      CompleteStrides();
    } while (!Place());
    SpoilPlaces();
    FillMemory();
    MakeViews();
  }

  size_t input_count() const { return input_count_; }
  size_t output_count() const { return output_count_; }
  const lw_tensor* inputs() const { return inputs_; }
  const lw_tensor* outputs() const { return outputs_; }
  bool IsAbsent(size_t input) const {
    return input >= input_count_ || views_[input].type == LW_ABSENT;
  }
  bool IsShape(size_t input) const {
    return input < Inputs() && op_->IsShape(input);
  }

  /// Fills the memory as it is to be before each run of the call.
  void Restore() { std::memcpy(base_ + low_, &start_[low_], high_ - low_); }
  /// The call's memory: all tensors and some bytes on both sides.
  const uint8_t* memory() const { return base_ + low_; }
  const uint8_t* start() const { return &start_[low_]; }
  size_t bytes() const { return high_ - low_; }

  /// Under AddressSanitizer, makes each access to the memory outside of the
  /// tensors an error, and allows it again.
  void Guard() const;
  void Unguard() const;

  std::string Describe() const;

 private:
  static constexpr size_t kMemory = size_t{1} << 20;
  static constexpr size_t kPool = size_t{1} << 17;
  static constexpr int64_t kLargest = 1 << 16;  // bytes of one tensor
  static constexpr int64_t kAround = 64;

  size_t Inputs() const { return made_inputs_; }
  RandomTensor& Output() { return tensors_[Inputs()]; }

  void ChooseTypes();
  void ChooseShapes();
  void ChooseDims(RandomTensor* tensor);
  void Stretch(const RandomTensor& whole, RandomTensor* tensor);
  void TakeRun(const RandomTensor& whole, RandomTensor* tensor);
  void ChooseTarget(const RandomTensor& data, RandomTensor* shape);
  void ChooseAxes(const RandomTensor& data, RandomTensor* axes);
  void ChooseScales(const RandomTensor& x, RandomTensor* scale);
  void ChooseOutput();
  void SpoilShapes();
  void SpoilShape(RandomTensor* tensor);
  void ChooseStrides(RandomTensor* tensor);
  void CompleteStrides();
  bool Place();
  void FillMemory();
  void FillTensor(const RandomTensor& tensor);
  void SpoilPlaces();
  void SpoilPlace(RandomTensor* tensor);
  void MakeViews();

  Random* random_ = nullptr;
  const RandomOperator* op_ = nullptr;
  size_t made_inputs_ = 0;
  std::array<RandomTensor, kMaxTensors> tensors_;         // the output last
  std::array<RandomTensor::Range, kMaxTensors> extents_;  // before last faults
  std::vector<int64_t> target_;

  std::vector<uint8_t> memory_;
  std::vector<uint8_t> start_;
  std::vector<uint8_t> pool_;
  uint8_t* base_ = nullptr;
  size_t low_ = 0;
  size_t high_ = 0;

  lw_tensor views_[kMaxTensors + 1] = {};
  lw_tensor output_views_[2] = {};
  const lw_tensor* inputs_ = nullptr;
  const lw_tensor* outputs_ = nullptr;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_RANDOM_CALLS_H_
