// SPDX-License-Identifier: Apache-2.0
//
// The shapes of random calls, and the inputs that are shapes themselves.

#include <algorithm>
#include <array>
#include <utility>

#include "tests/support/random_calls.h"

namespace lanewise::test {
namespace {

int64_t Count(const RandomTensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor.RankInArray(); ++i) {
    count *= tensor.dims[static_cast<size_t>(i)];
  }
  return count;
}

}  // namespace

void RandomCall::ChooseDims(RandomTensor* tensor) {
  tensor->rank = static_cast<int32_t>(random_->Below(5));
  for (size_t i = 0; i < static_cast<size_t>(tensor->rank); ++i) {
    const size_t kind = random_->Below(16);
    tensor->dims[i] = kind == 0  ? random_->Between(0, 1)
                      : kind < 3 ? 1
                      : kind < 7 ? random_->Between(16, 20)
                                 : random_->Between(2, 9);
  }
  // Most calls are small, so that many fit into the time.
  const int64_t most = random_->OneIn(16) ? 4000 : random_->OneIn(2) ? 600 : 60;
  while (Count(*tensor) > most) {
    tensor->dims[random_->Below(static_cast<size_t>(tensor->rank))] = 1;
  }
}

// B's dims for an older broadcast: a run of A's, with ones at its ends.
void RandomCall::TakeRun(const RandomTensor& whole, RandomTensor* tensor) {
  const auto begin = static_cast<int32_t>(
      op_->axis >= 0 ? std::min<int64_t>(op_->axis, whole.rank)
                     : random_->Between(0, whole.rank));
  const auto end = static_cast<int32_t>(
      op_->axis >= 0 ? random_->Between(begin, whole.rank) : whole.rank);
  tensor->rank = end - begin;
  std::copy_n(&whole.dims[static_cast<size_t>(begin)], end - begin,
              tensor->dims.begin());
  if (tensor->rank != 0 && random_->OneIn(3)) tensor->dims[0] = 1;
}

// Dims that broadcast to the whole ones, as they are found in models.
void RandomCall::Stretch(const RandomTensor& whole, RandomTensor* tensor) {
  if (op_->is_legacy) return TakeRun(whole, tensor);
  if (op_->by_channel && whole.rank > 1 && random_->OneIn(2)) {
    tensor->rank = 1;
    tensor->dims[0] = whole.dims[1];
    return;
  }
  tensor->rank = whole.rank;
  tensor->dims = whole.dims;
  const auto rank = static_cast<size_t>(whole.rank);
  const size_t split = random_->Below(rank + 1);
  const size_t kind = random_->Below(5);
  if (kind == 0) tensor->rank = static_cast<int32_t>(random_->Below(rank + 1));
  if (kind <= 1) tensor->dims.fill(1);  // one element for all
  if (kind == 2) {                      // one row for all
    tensor->rank = static_cast<int32_t>(rank - split);
    std::copy_n(&whole.dims[split], rank - split, tensor->dims.begin());
  }
  for (size_t i = 0; i < rank; ++i) {
    if (kind == 3 && i >= split) tensor->dims[i] = 1;  // one for each row
    if (kind == 4 && random_->OneIn(2)) tensor->dims[i] = 1;
  }
}

// A target that fits the data more often than not.
void RandomCall::ChooseTarget(const RandomTensor& data, RandomTensor* shape) {
  int64_t rest = Count(data);
  target_.assign(random_->Below(5), 1);
  if (rest == 0) {
    target_.assign(data.dims.begin(), data.dims.begin() + data.rank);
    std::shuffle(target_.begin(), target_.end(), std::minstd_rand(7));
  } else if (rest != 1 && target_.empty()) {
    target_.assign(1, 1);
  }
  for (int64_t factor = 2; rest > 1; ++factor) {
    for (; rest % factor == 0; rest /= factor) {
      target_[random_->Below(target_.size())] *= factor;
    }
  }
  const auto any = [&]() -> int64_t& {
    return target_[random_->Below(target_.size())];
  };
  for (size_t i = 0; i < target_.size(); ++i) {
    const bool copies =
        i < static_cast<size_t>(data.rank) && target_[i] == data.dims[i];
    if (copies && random_->OneIn(2)) target_[i] = 0;
  }
  if (!target_.empty() && random_->OneIn(3)) any() = -1;
  if (!target_.empty() && random_->OneIn(12)) {
    any() = random_->Of(std::array<int64_t, 6>{-1, 0, 1, 2, -2, INT64_MIN});
  }
  if (random_->OneIn(32)) target_.push_back(random_->Between(-1, 1));
  shape->rank = 1;
  shape->dims[0] = static_cast<int64_t>(target_.size());
  shape->data = reinterpret_cast<uint8_t*>(target_.data());
}

// Axes that fit the data more often than not, counted from either end.
void RandomCall::ChooseAxes(const RandomTensor& data, RandomTensor* axes) {
  target_.clear();
  for (int64_t axis = 0; axis < data.rank; ++axis) {
    if (random_->OneIn(2)) target_.push_back(axis);
  }
  for (size_t i = 1; i < target_.size(); ++i) {
    std::swap(target_[i], target_[random_->Below(i + 1)]);
  }
  for (int64_t& axis : target_) {
    if (random_->OneIn(3)) axis -= data.rank;
  }
  if (random_->OneIn(12)) {
    target_.push_back(random_->Of(
        std::array<int64_t, 6>{-1, 0, data.rank, 7, -9, INT64_MIN}));
  }
  axes->rank = 1;
  axes->dims[0] = static_cast<int64_t>(target_.size());
  axes->data = reinterpret_cast<uint8_t*>(target_.data());
}

// One scale, or one for each index or block of a dim.
void RandomCall::ChooseScales(const RandomTensor& x, RandomTensor* scale) {
  const int64_t block = op_->aligned->block_size;
  const auto axis = static_cast<size_t>(op_->aligned->AxisOf(x.rank));
  const bool is_one = op_->aligned->AxisOf(x.rank) < 0 || random_->OneIn(4);
  if (is_one || block == 0) {
    scale->rank = is_one ? static_cast<int32_t>(random_->Below(2)) : 1;
    scale->dims[0] = is_one ? 1 : x.dims[axis];
    return;
  }
  scale->rank = x.rank;
  scale->dims = x.dims;
  scale->dims[axis] = (x.dims[axis] + block - 1) / block;
}

void RandomCall::ChooseShapes() {
  RandomTensor whole;
  ChooseDims(&whole);
  const size_t anchor = random_->Below(Inputs());
  for (size_t k = 0; k < Inputs(); ++k) {
    RandomTensor& tensor = tensors_[k];
    if (op_->Input(k).optional != 0 && random_->OneIn(3)) {
      tensor.type = LW_ABSENT;
    } else if (k == 1 && op_->aligned) {
      ChooseScales(tensors_[0], &tensor);
    } else if (k == 2 && op_->aligned) {
      tensor.rank = tensors_[1].rank;
      tensor.dims = tensors_[1].dims;
    } else if (op_->IsAxes(k)) {
      ChooseAxes(tensors_[0], &tensor);
    } else if (op_->IsShape(k)) {
      ChooseTarget(tensors_[0], &tensor);
    } else if (op_->IsScalar(k)) {
      tensor.rank = static_cast<int32_t>(random_->Below(2));
      tensor.dims[0] = 1;
    } else if (k == 0 && (Inputs() == 1 || op_->is_legacy || op_->one_way)) {
      tensor.rank = whole.rank;
      tensor.dims = whole.dims;
    } else if ((k == anchor && !random_->OneIn(8)) || random_->OneIn(2)) {
      tensor.rank = whole.rank;
      tensor.dims = whole.dims;
    } else {
      Stretch(whole, &tensor);
    }
  }
}

}  // namespace lanewise::test
