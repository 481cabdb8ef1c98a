// SPDX-License-Identifier: Apache-2.0
//
// What composed operators (kernels/recipe.h) must answer: oracles on whole
// tensors, in long double.

#ifndef LANEWISE_TESTS_SUPPORT_COMPOSED_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_COMPOSED_SPEC_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

/// A tensor as numbers, in row-major order.
struct Numbers {
  std::vector<int64_t> dims;
  std::vector<long double> values;
  bool is_there = true;
  /// Of an answer, for each element: errors are counted in units of the last
  /// place of these. None: of the values.
  std::vector<long double> scales = {};
};

/// A node as an oracle sees it.
struct ComposedNode {
  int32_t version;
  std::map<std::string, std::vector<double>> attributes;

  double Number(const char* name, double fallback) const {
    const auto found = attributes.find(name);
    return found != attributes.end() ? found->second[0] : fallback;
  }
  std::vector<int64_t> Axes(const char* name,
                            std::vector<int64_t> fallback) const {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return fallback;
    return {found->second.begin(), found->second.end()};
  }
  long double Epsilon() const {
    return static_cast<float>(Number("epsilon", 1e-5f));
  }
};

inline size_t CountOf(const std::vector<int64_t>& dims) {
  size_t count = 1;
  for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
  return count;
}

/// The dims from `axis` on.
inline std::vector<int64_t> AxesFrom(int64_t axis, size_t rank) {
  std::vector<int64_t> axes;
  const auto end = static_cast<int64_t>(rank);
  for (int64_t i = axis < 0 ? axis + end : axis; i < end; ++i)
    axes.push_back(i);
  return axes;
}

/// The index, in a tensor whose dims `axes` are 1, of the element over which
/// element `flat` of `dims` lies.
inline size_t IndexWithout(const std::vector<int64_t>& dims,
                           const std::vector<int64_t>& axes, size_t flat) {
  size_t index = 0;
  size_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const auto dim = static_cast<size_t>(dims[i]);
    const bool is_reduced =
        std::any_of(axes.begin(), axes.end(), [&](int64_t axis) {
          const auto rank = static_cast<int64_t>(dims.size());
          return (axis < 0 ? axis + rank : axis) == static_cast<int64_t>(i);
        });
    if (!is_reduced) {
      index += flat % dim * step;
      step *= dim;
    }
    flat /= dim;
  }
  return index;
}

/// fold(value, element) over each sequence of the dims `axes`, from `start` on.
/// The dims stay, as 1.
template <class Fold>
Numbers Reduce(const Numbers& x, const std::vector<int64_t>& axes,
               long double start, const Fold& fold) {
  Numbers result = {x.dims, {}};
  for (const int64_t axis : axes) {
    const auto rank = static_cast<int64_t>(x.dims.size());
    if (rank != 0) result.dims[static_cast<size_t>((axis + rank) % rank)] = 1;
  }
  result.values.assign(CountOf(result.dims), start);
  for (size_t i = 0; i < x.values.size(); ++i) {
    long double& value = result.values[IndexWithout(x.dims, axes, i)];
    value = fold(value, x.values[i]);
  }
  return result;
}
inline Numbers SumOf(const Numbers& x, const std::vector<int64_t>& axes) {
  return Reduce(x, axes, 0, [](long double a, long double b) { return a + b; });
}
inline Numbers MaxOf(const Numbers& x, const std::vector<int64_t>& axes) {
  return Reduce(x, axes, -HUGE_VALL, [](long double a, long double b) {
    return std::isnan(a) || a > b ? a : b;
  });
}
inline Numbers MeanOf(const Numbers& x, const std::vector<int64_t>& axes) {
  Numbers sum = SumOf(x, axes);
  const auto count = static_cast<long double>(x.values.size()) /
                     static_cast<long double>(sum.values.size());
  for (long double& value : sum.values) value /= count;
  return sum;
}

/// The element of `b` that stretches over element `flat` of `dims`; the first
/// dim of `b` lies at dim `offset`, or its last dim at the last one if -1.
inline size_t StretchedIndex(const std::vector<int64_t>& dims, size_t flat,
                             const Numbers& b, int64_t offset = -1) {
  const size_t first =
      offset >= 0 ? static_cast<size_t>(offset) : dims.size() - b.dims.size();
  size_t index = 0;
  size_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const auto dim = static_cast<size_t>(dims[i]);
    if (i >= first && i < first + b.dims.size()) {
      const auto own = static_cast<size_t>(b.dims[i - first]);
      index += own == 1 ? 0 : flat % dim * step;
      step *= own;
    }
    flat /= dim;
  }
  return index;
}

/// (x - mean) / sqrt(variance + epsilon), and what belongs to it.
struct NormalizedNumbers {
  NormalizedNumbers(const Numbers& x, const std::vector<int64_t>& axes,
                    long double epsilon)
      : mean(MeanOf(x, axes)), value(x) {
    Numbers squares = x;
    for (size_t i = 0; i < x.values.size(); ++i) {
      value.values[i] -= mean.values[IndexWithout(x.dims, axes, i)];
      squares.values[i] = value.values[i] * value.values[i];
    }
    inverse = MeanOf(squares, axes);
    for (long double& v : inverse.values) v = 1 / std::sqrt(v + epsilon);
    const Numbers largest = Reduce(
        x, axes, 0,
        [](long double a, long double b) { return std::max(a, std::fabs(b)); });
    value.scales.resize(x.values.size());
    for (size_t i = 0; i < x.values.size(); ++i) {
      const size_t k = IndexWithout(x.dims, axes, i);
      value.values[i] *= inverse.values[k];
      value.scales[i] = largest.values[k] * inverse.values[k];
    }
    mean.scales = largest.values;
    inverse.scales = inverse.values;
  }
  Numbers mean;
  Numbers value;
  Numbers inverse;
};

/// value * scale + shift; `offset` as for StretchedIndex. `shift` may be left
/// out.
inline Numbers ScaledAndShifted(Numbers x, const Numbers& scale,
                                const Numbers& shift, int64_t offset = -1) {
  for (size_t i = 0; i < x.values.size(); ++i) {
    const long double factor =
        scale.values[StretchedIndex(x.dims, i, scale, offset)];
    x.values[i] *= factor;
    x.scales[i] *= std::fabs(factor);
    if (!shift.is_there) continue;
    const long double more =
        shift.values[StretchedIndex(x.dims, i, shift, offset)];
    x.values[i] += more;
    x.scales[i] += std::fabs(more);
  }
  return x;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_COMPOSED_SPEC_H_
