// SPDX-License-Identifier: Apache-2.0

#include "runtime/stages/groups.h"

#include <cstring>

#include "runtime/plan/tensor.h"

namespace lanewise {

DividedTensor::DividedTensor(const lw_tensor& whole, int64_t each)
    : dims_(whole.dims, whole.dims + whole.rank),
      strides_(static_cast<size_t>(whole.rank)),
      tensor_(whole) {
  FindStrides(whole, strides_.data());
  dims_.insert(dims_.begin() + 2, each);
  dims_[1] /= each;
  strides_.insert(strides_.begin() + 2, strides_[1]);
  // Only of a tensor without elements, whose strides may be any numbers.
  if (__builtin_mul_overflow(strides_[1], each, &strides_[1])) strides_[1] = 0;
  tensor_.rank = whole.rank + 1;
  tensor_.dims = dims_.data();
  tensor_.strides = strides_.data();
}

void GroupSpread::Run(char* channels) const {
  const auto size = static_cast<size_t>(bytes);
  for (int64_t group = 0; group < groups; ++group) {
    const char* const result = channels;
    for (int64_t k = 1; k < each; ++k) {
      std::memcpy(channels + k * bytes, result, size);
    }
    channels += each * bytes;
  }
}

}  // namespace lanewise
