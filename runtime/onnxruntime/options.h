// SPDX-License-Identifier: Apache-2.0
//
// The provider's options: session configuration entries that start with
// "ep.lanewiseexecutionprovider.".

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_OPTIONS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_OPTIONS_H_

#include <string>

#include "lanewise/lanewise.h"
#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

struct Options {
  Policy claim = Policy::kProfitable;
  bool session_threads = true;  ///< threading=ort, not serial
  bool fuse_chains = true;      ///< chains=fused, not nodes
  /// ONNX Runtime's own functions err more than fast ones.
  lw_accuracy accuracy = LW_ACCURACY_FAST;
  std::string isa;      ///< the best instruction set; empty: any
  std::string explain;  ///< a file for the reasons; empty: none
};

/// Throws an Error that names the option, its value and the allowed values.
Options ReadOptions(const Api& api, const OrtSessionOptions* session);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_OPTIONS_H_
