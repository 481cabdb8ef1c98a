// SPDX-License-Identifier: Apache-2.0

#include "tests/support/random_calls.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define LANEWISE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEWISE_ASAN 1
#endif
#endif
#ifdef LANEWISE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) ((void)0)
#endif

namespace lanewise::test {
namespace {

/// Brings floats into the range from 1/16 to 16. Most quotients of such floats
/// are neither 0 nor beyond the output's range.
template <typename T>
void MakeModerate(uint8_t* low, int64_t bytes, T one, int mantissa) {
  const auto unit = static_cast<T>(T{1} << mantissa);
  const auto sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  for (uint8_t* end = low + bytes; low < end; low += sizeof(T)) {
    T bits;
    std::memcpy(&bits, low, sizeof(bits));
    bits = static_cast<T>((bits & sign) + bits % (8 * unit) + one - 4 * unit);
    std::memcpy(low, &bits, sizeof(bits));
  }
}

// A string's element points to these characters.
constexpr char kText[] = "aababcabcdabcde";

}  // namespace

// Operands with one type parameter have one type.
void RandomCall::ChooseTypes() {
  const lw_signature& row = *op_->row;
  made_inputs_ = op_->is_variadic() ? 1 + random_->Below(6) : row.input_count;
  std::map<std::string, int32_t> chosen;
  if (op_->to != LW_ABSENT) chosen[row.outputs[0].type_parameter] = op_->to;
  for (size_t k = 0; k <= Inputs(); ++k) {
    const lw_operand& operand = k < Inputs() ? op_->Input(k) : row.outputs[0];
    const auto [place, is_new] = chosen.try_emplace(operand.type_parameter);
    if (is_new) {
      place->second = operand.types[random_->Below(operand.type_count)];
    }
    tensors_[k] = {};
    tensors_[k].type = place->second;
  }
}

// The output is what the library tells. Where it refuses the inputs, they all
// are refused later; the first input's dims will do.
void RandomCall::ChooseOutput() {
  for (size_t k = 0; k < Inputs(); ++k) views_[k] = tensors_[k].view();
  RandomTensor& output = Output();
  lw_shape shape;
  if (lw_op_infer(op_->op, views_, Inputs(), &shape) == LW_OK &&
      shape.rank < RandomTensor::kMaxRank) {
    if (op_->aligned) output.type = shape.type;
    output.rank = shape.rank;
    std::copy_n(shape.dims, shape.rank, output.dims.begin());
  } else {
    output.rank = tensors_[0].rank;
    output.dims = tensors_[0].dims;
  }
}

void RandomCall::SpoilShape(RandomTensor* tensor) {
  const auto rank = static_cast<size_t>(tensor->RankInArray());
  switch (random_->Below(6)) {
    case 0:
      tensor->type = static_cast<int32_t>(
          random_->Of(std::array<int, 8>{LW_ABSENT, LW_STRING, LW_BOOL, LW_INT4,
                                         LW_FLOAT32, LW_INT64, -1, 27}));
      break;
    case 1:
      tensor->type = static_cast<int32_t>(random_->Below(30));
      break;
    case 2:
      tensor->rank = random_->Of(std::array<int32_t, 4>{-1, 65, INT32_MIN, 0});
      break;
    case 3:
      if (rank + 1 < RandomTensor::kMaxRank) {
        tensor->dims[rank] = random_->Between(0, 3);
        tensor->rank = static_cast<int32_t>(rank) + 1;
      }
      break;
    case 4:
      tensor->has_dims = false;
      break;
    default:
      if (rank == 0) break;
      tensor->dims[random_->Below(rank)] = random_->Of(std::array<int64_t, 8>{
          -1, 0, 1, 2, 17, INT64_MIN, INT64_MAX, RandomTensor::kHuge});
  }
}

void RandomCall::SpoilShapes() {
  if (random_->OneIn(6)) SpoilShape(&tensors_[random_->Below(Inputs() + 1)]);
  if (random_->OneIn(60)) SpoilShape(&tensors_[random_->Below(Inputs() + 1)]);
  for (size_t k = 0; k <= Inputs(); ++k) {
    tensors_[k].is_strided = random_->OneIn(10);
  }
}

// Strides as slicing, reversing, transposing and stretching make them; often
// those that a tensor without strides would have.
void RandomCall::ChooseStrides(RandomTensor* tensor) {
  const auto rank = static_cast<size_t>(tensor->RankInArray());
  const size_t kind = random_->Below(5);
  std::array<size_t, RandomTensor::kMaxRank> order;
  std::iota(order.begin(), order.end(), 0);
  if (kind == 1) std::reverse(order.begin(), order.begin() + rank);
  int64_t stride = kind == 2 ? random_->Between(1, 3) : 1;
  for (size_t i = rank; i-- > 0;) {
    const size_t k = order[i];
    const bool is_turned = kind == 3 && random_->OneIn(2);
    const bool is_stretched = kind == 4 && random_->OneIn(3);
    tensor->strides[k] = is_stretched ? 0 : is_turned ? -stride : stride;
    stride *= std::max<int64_t>(1, tensor->dims[k]);
    if (kind == 2 || (kind > 2 && random_->OneIn(3))) {
      stride += random_->Between(0, 2);
    }
    // Nobody steps along a dim of 1.
    if (tensor->dims[k] == 1 && random_->OneIn(4)) {
      tensor->strides[k] = random_->Of(
          std::array<int64_t, 5>{INT64_MAX / 2, INT64_MAX, INT64_MIN, -7, 0});
    }
  }
}

void RandomCall::CompleteStrides() {
  bool has_huge = false;
  for (size_t k = 0; k <= Inputs(); ++k) {
    RandomTensor& tensor = tensors_[k];
    if (tensor.IsHuge()) {
      // Two of them might fit each other, and no memory is that large.
      if (has_huge) tensor.rank = -1;
      has_huge = true;
      tensor.is_strided = false;
    }
    if (tensor.is_strided) ChooseStrides(&tensor);
  }
}

// Puts the tensors side by side. False if they are too large.
bool RandomCall::Place() {
  auto cursor = 2 * kLargest;
  for (size_t k = 0; k <= Inputs(); ++k) {
    RandomTensor& tensor = tensors_[k];
    const auto range = tensor.Extent();
    if (range.high - range.low > kLargest) return false;
    const auto size = static_cast<int64_t>(ElementBits(tensor.type) / 8);
    const int64_t align =
        random_->OneIn(2) ? 64 : std::clamp<int64_t>(size, 1, 8);
    cursor = (cursor + align - 1) / align * align;
    tensor.data = base_ + cursor - range.low;
    cursor += range.high - range.low;
    const auto needed = static_cast<size_t>(range.high - range.low);
    // A reduction of more than there is to a small output would be right.
    const bool must_tell = op_->reduction && tensor.IsHuge();
    if (random_->OneIn(2) || must_tell) {
      tensor.bytes = needed + random_->Below(2) * 8;
    }
  }
  return true;
}

void RandomCall::SpoilPlace(RandomTensor* tensor) {
  switch (random_->Below(4)) {
    case 0:
      tensor->data = nullptr;
      break;
    case 1:
      if (tensor->data != nullptr) tensor->data += 2 * random_->Below(4) + 1;
      break;
    case 2:
      tensor->bytes = 1 + random_->Below(tensor->bytes + 1);
      break;
    default: {
      const auto range = tensor->Extent();
      tensor->bytes =
          static_cast<size_t>(std::max<int64_t>(1, range.high - range.low - 1));
    }
  }
}

// In place, over an input in part, faults of single tensors; then the range of
// memory that matters.
void RandomCall::SpoilPlaces() {
  const RandomTensor& other = tensors_[random_->Below(Inputs())];
  RandomTensor& output = Output();
  if (random_->OneIn(5)) output.data = other.data;
  if (random_->OneIn(20)) {
    // Around the other's start, behind its end, or before its start.
    const int64_t size = std::max<int64_t>(
        1, static_cast<int64_t>(ElementBits(output.type) / 8));
    const int64_t edges[] = {0, other.Extent().high, -output.Extent().high};
    const int64_t nearest = random_->Of(edges) / size;
    output.data = other.data + (nearest + random_->Between(-20, 20)) * size;
  }
  if (random_->OneIn(12)) SpoilPlace(&tensors_[random_->Below(Inputs() + 1)]);
  if (random_->OneIn(99)) SpoilPlace(&tensors_[random_->Below(Inputs() + 1)]);
}

void RandomCall::FillTensor(const RandomTensor& tensor) {
  if (tensor.data == nullptr || tensor.IsHuge()) return;
  const auto range = tensor.Extent();
  uint8_t* low = &start_[0] + (tensor.data - base_) + range.low;
  const int64_t bytes = range.high - range.low;
  if (tensor.type == LW_BOOL) {
    for (int64_t i = 0; i < bytes; ++i) low[i] &= 1;
  }
  if ((op_->aligned || op_->reduction) && !random_->OneIn(4)) {
    switch (tensor.type) {
      case LW_FLOAT32:
        MakeModerate<uint32_t>(low, bytes, 0x3F800000, 23);
        break;
      case LW_FLOAT64:
        MakeModerate<uint64_t>(low, bytes, uint64_t{0x3FF} << 52, 52);
        break;
      case LW_FLOAT16:
        MakeModerate<uint16_t>(low, bytes, 0x3C00, 10);
        break;
      case LW_BFLOAT16:
        MakeModerate<uint16_t>(low, bytes, 0x3F80, 7);
        break;
      default:
        break;
    }
  }
  if (tensor.type == LW_STRING) {
    for (int64_t i = 0; i + 16 <= bytes; i += 16) {
      const lw_string text = {kText + random_->Below(8), random_->Below(7)};
      std::memcpy(low + i, &text, sizeof(text));
    }
  }
}

void RandomCall::FillMemory() {
  int64_t low = kMemory;
  int64_t high = 0;
  for (size_t k = 0; k <= Inputs(); ++k) {
    const RandomTensor& tensor = tensors_[k];
    if (tensor.data == nullptr) continue;
    const auto range = extents_[k] = tensor.Extent();
    low = std::min(low, tensor.data - base_ + range.low);
    high = std::max(high, tensor.data - base_ + range.high);
  }
  if (low > high) low = high = kMemory / 2;
  low_ = static_cast<size_t>(low - kAround);
  high_ = static_cast<size_t>(high + kAround);

  const size_t third = random_->Below(3);
  for (size_t at = low_; at < high_;) {
    const size_t from = random_->Below(kPool / 2) / 8 * 8;
    const size_t count = std::min(high_ - at, kPool / 2);
    std::memcpy(&start_[at], &pool_[third * kPool + from], count);
    at += count;
  }
  for (size_t k = 0; k < Inputs(); ++k) {
    const RandomTensor& tensor = tensors_[k];
    FillTensor(tensor);
    if (!op_->IsShape(k) || tensor.data == nullptr) continue;
    const int64_t step = tensor.is_strided ? tensor.strides[0] : 1;
    const auto given = static_cast<int64_t>(target_.size());
    for (int64_t i = 0; i < given && tensor.rank == 1 && i < tensor.dims[0];
         ++i) {
      std::memcpy(&start_[0] + (tensor.data - base_) + i * step * 8,
                  &target_[static_cast<size_t>(i)], 8);
    }
  }
}

void RandomCall::MakeViews() {
  RandomTensor& any = tensors_[random_->Below(Inputs() + 1)];
  if (any.is_strided && any.RankInArray() > 0 && any.dims[0] > 2 &&
      random_->OneIn(8)) {
    any.strides[0] = INT64_MAX;
  }
  for (size_t k = 0; k <= Inputs(); ++k) views_[k] = tensors_[k].view();
  output_views_[0] = output_views_[1] = Output().view();
  input_count_ = Inputs();
  while (input_count_ > 1 && op_->Input(input_count_ - 1).optional != 0 &&
         views_[input_count_ - 1].type == LW_ABSENT && random_->OneIn(2)) {
    --input_count_;
  }
  output_count_ = 1;
  if (random_->OneIn(64)) input_count_ = random_->Below(Inputs() + 2);
  if (random_->OneIn(128)) output_count_ = random_->Below(3);
  inputs_ = random_->OneIn(256) ? nullptr : views_;
  outputs_ = random_->OneIn(256) ? nullptr : output_views_;
}

void RandomCall::Guard() const {
  ASAN_POISON_MEMORY_REGION(memory_.data(), memory_.size());
  for (size_t k = 0; k <= Inputs(); ++k) {
    const RandomTensor& tensor = tensors_[k];
    if (tensor.data == nullptr) continue;
    [[maybe_unused]] const auto range = extents_[k];
    ASAN_UNPOISON_MEMORY_REGION(tensor.data + range.low,
                                range.high - range.low);
  }
}

void RandomCall::Unguard() const {
  ASAN_UNPOISON_MEMORY_REGION(memory_.data(), memory_.size());
}

std::string RandomCall::Describe() const {
  char line[256];
  std::snprintf(line, sizeof(line), "%s-%d%s, %zu input(s)%s, %zu output(s)%s",
                op_->row->name, op_->row->since_version,
                op_->attributes.c_str(), input_count_,
                inputs_ == nullptr ? " (NULL)" : "", output_count_,
                outputs_ == nullptr ? " (NULL)" : "");
  std::string text = line;
  for (size_t k = 0; k <= Inputs(); ++k) {
    const RandomTensor& tensor = tensors_[k];
    text += k < Inputs() ? "\n  input " : "\n  output ";
    text += lw_type_name(tensor.type) + std::string(" [");
    for (int i = 0; i < tensor.RankInArray(); ++i) {
      const auto j = static_cast<size_t>(i);
      text += std::to_string(tensor.dims[j]);
      if (tensor.is_strided) (text += "*") += std::to_string(tensor.strides[j]);
      text += ' ';
    }
    std::snprintf(line, sizeof(line), "] rank %d%s, %zu bytes at %td",
                  tensor.rank, tensor.has_dims ? "" : ", dims NULL",
                  tensor.bytes,
                  tensor.data == nullptr ? -1 : tensor.data - base_);
    text += line;
  }
  for (const int64_t dim : target_) (text += " ") += std::to_string(dim);
  return text;
}

}  // namespace lanewise::test
