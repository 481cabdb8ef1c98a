// SPDX-License-Identifier: Apache-2.0
//
// What ONNX Runtime's own CPU provider computes. Its interface has no way to
// ask.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CPU_PROVIDER_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CPU_PROVIDER_H_

#include <cstdint>
#include <string_view>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

enum class Native {
  kYes,
  kByCasts,  ///< float16 as float32 between two casts
  kNo        ///< a model with such a node does not load
};

/// For operators of lanewise. `half_arithmetic`: the CPU provider found float16
/// arithmetic.
Native CpuProviderHas(std::string_view op, int since, int32_t type,
                      bool half_arithmetic);

/// Whether this machine makes the CPU provider use float16 arithmetic.
bool CpuProviderUsesHalfArithmetic();

/// How many channels a block of the CPU provider's layout NCHWc has; 1: there
/// is no such layout.
int CpuProviderBlockChannels();

/// For all other operators: whether a node of float16 gets casts.
bool CpuProviderCastsHalf(std::string_view op, std::string_view domain);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CPU_PROVIDER_H_
