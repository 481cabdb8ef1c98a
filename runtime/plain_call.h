// SPDX-License-Identifier: Apache-2.0
//
// The call that frameworks make most: few elements, contiguous, of one shape or
// with one input stretched over its rows. There the checks and loops of the
// general way would cost several times the work itself.

#ifndef LANEWISE_RUNTIME_PLAIN_CALL_H_
#define LANEWISE_RUNTIME_PLAIN_CALL_H_

#include <cstddef>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"
#include "runtime/shape.h"

namespace lanewise {

/// Whether a kernel may run at once on `inputs` (one or two) and `out`: tensors
/// without strides, of one type, in which everything is as it must be, and
/// which together have at most `max_bytes`. All have one shape, but with
/// `broadcasts` one of two inputs may be a single element, or have one for each
/// of the output's rows, or be one row for all. If so `job` is made for the
/// kernel of `run`, or for RunShortRows if it has rows that are too short for
/// any; if not, the general way knows what to do or to say.
bool IsPlainCall(const lw_tensor* inputs, size_t input_count,
                 const lw_tensor& out, size_t max_bytes, bool broadcasts,
                 Job* job, lw_run* run);

/// Whether `shape` is such a tensor of `rank` dims: Reshape's second input.
bool IsPlainShape(const lw_tensor& shape, int32_t rank);

/// The same for Reshape: from `in` to `out`, whose shape is that which
/// `target` stands for. In place there is nothing to run.
bool IsPlainReshape(const lw_tensor& in, Dims target, bool allow_zero,
                    const lw_tensor& out, size_t max_bytes, Job* job);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAIN_CALL_H_
