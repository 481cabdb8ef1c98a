// SPDX-License-Identifier: Apache-2.0
//
// The calls that frameworks make most: few elements, without gaps, of one
// shape, or with inputs stretched over the output's rows, or with one scale and
// zero point for all; and inputs that are every second element in memory. The
// checks and loops of the general way would cost several times the work itself,
// so these calls have a way of their own. That way decides the rules of call.cc
// once more, in fewer steps; tests/api/both_ways_test.cc holds the two against
// each other.

#ifndef LANEWISE_RUNTIME_CALL_PLAIN_CALL_H_
#define LANEWISE_RUNTIME_CALL_PLAIN_CALL_H_

#include <cstdint>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"
#include "runtime/node/node.h"
#include "runtime/plan/own_job.h"

namespace lanewise {

enum class PlainCall : uint8_t {
  kNot,        ///< the general way computes the call, or says what is wrong
  kOneJob,     ///< the kernel computes the whole call
  kShortRows,  ///< RunShortRows computes the call: its rows are too short
};

/// Whether a call is plain: as many inputs as the node has, nothing wrong with
/// any tensor, strides as named above or none, and no more bytes in all than
/// BoundTypes allows. The job's setup is the node's, or the job's own if there
/// are several rows or strides.
PlainCall TakePlainCall(const Node& node, const lw_tensor* inputs,
                        const lw_tensor& output, OwnJob* job, KernelFn* kernel);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_PLAIN_CALL_H_
