// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's C interface, and how failures cross the border: inside the
// provider they are exceptions, outside they are an OrtStatus.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_API_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_API_H_

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

inline constexpr char kProviderName[] = "LanewiseExecutionProvider";
// The oldest interface that has kernel registries. Newer ones are not asked
// for: one binary serves all.
inline constexpr uint32_t kApiVersion = 24;

struct Api {
  const OrtApi* ort;
  const OrtEpApi* ep;
  int minor = 0;  ///< ONNX Runtime 1.minor

  OrtStatus* Failure(OrtErrorCode code, const std::string& message) const {
    return ort->CreateStatus(code, message.c_str());
  }
};

/// A failure on its way to the border. Owns the status.
class Error final : public std::exception {
 public:
  Error(const Api& api, OrtStatus* status)
      : status_(status, api.ort->ReleaseStatus) {}
  Error(const Api& api, OrtErrorCode code, const std::string& message)
      : Error(api, api.Failure(code, message)) {}
  const char* what() const noexcept override { return "OrtStatus"; }
  // An exception must be copyable, so the status is shared until the border.
  std::shared_ptr<OrtStatus> status() const { return status_; }

 private:
  std::shared_ptr<OrtStatus> status_;
};

inline void Check(const Api& api, OrtStatus* status) {
  if (status != nullptr) throw Error(api, status);
}

/// Runs `body`, which may throw.
template <typename Body>
OrtStatus* AtBorder(const Api& api, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return nullptr;
  } catch (const Error& error) {
    OrtStatus* status = error.status().get();
    return api.ort->CreateStatus(api.ort->GetErrorCode(status),
                                 api.ort->GetErrorMessage(status));
  } catch (const std::exception& error) {
    return api.ort->CreateStatus(ORT_FAIL, error.what());
  } catch (...) {
    return api.ort->CreateStatus(ORT_FAIL, "unknown failure");
  }
}

/// One of ONNX Runtime's getters with an out parameter.
template <typename Out, typename Function, typename... Args>
Out Get(const Api& api, Function function, Args... args) {
  Out out{};
  Check(api, function(args..., &out));
  return out;
}

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_API_H_
