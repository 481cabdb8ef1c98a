// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/options.h"

#include <fstream>
#include <memory>
#include <string_view>

namespace lanewise::ort {
namespace {

constexpr std::string_view kPrefix = "ep.lanewiseexecutionprovider.";

// What is wrong with the option, or nothing.
std::string Apply(std::string_view key, const std::string& value,
                  Options* options) {
  if (key == "claim") {
    if (value == "all") {
      options->claim = Policy::kAll;
    } else if (value == "missing") {
      options->claim = Policy::kMissing;
    } else if (value == "profitable") {
      options->claim = Policy::kProfitable;
    } else {
      return "allowed are all, missing and profitable";
    }
  } else if (key == "threading") {
    if (value != "ort" && value != "serial")
      return "allowed are ort and serial";
    options->session_threads = value == "ort";
  } else if (key == "chains") {
    if (value != "fused" && value != "nodes")
      return "allowed are fused and nodes";
    options->fuse_chains = value == "fused";
  } else if (key == "accuracy") {
    if (value != "fast" && value != "tight")
      return "allowed are fast and tight";
    options->accuracy = value == "fast" ? LW_ACCURACY_FAST : LW_ACCURACY_TIGHT;
  } else if (key == "isa") {
    options->isa = value;  // lw_engine_create knows the allowed values
  } else if (key == "explain") {
    // ONNX Runtime hides a failure of GetCapability, which writes the file.
    if (!std::ofstream(value, std::ios::app))
      return "the file cannot be written";
    options->explain = value;
  } else {
    return "there is no such option; the options are accuracy, chains, claim, "
           "threading, isa and explain";
  }
  return "";
}

}  // namespace

Options ReadOptions(const Api& api, const OrtSessionOptions* session) {
  const std::unique_ptr<OrtKeyValuePairs,
                        decltype(api.ort->ReleaseKeyValuePairs)>
      entries(Get<OrtKeyValuePairs*>(
                  api, api.ort->GetSessionOptionsConfigEntries, session),
              api.ort->ReleaseKeyValuePairs);
  const char* const* keys = nullptr;
  const char* const* values = nullptr;
  size_t count = 0;
  api.ort->GetKeyValuePairs(entries.get(), &keys, &values, &count);
  Options options;
  for (size_t i = 0; i < count; ++i) {
    std::string_view key = keys[i];
    if (key.substr(0, kPrefix.size()) != kPrefix) continue;
    key.remove_prefix(kPrefix.size());
    const std::string fault = Apply(key, values[i], &options);
    if (fault.empty()) continue;
    std::string message = kProviderName;
    message.append(": ").append(key).append("=").append(values[i]);
    throw Error(api, ORT_INVALID_ARGUMENT, message + ": " + fault);
  }
  return options;
}

}  // namespace lanewise::ort
