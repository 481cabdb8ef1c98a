// SPDX-License-Identifier: Apache-2.0
//
// The two functions that ONNX Runtime looks for in this library, and the
// factory that they hand out.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/options.h"
#include "runtime/onnxruntime/provider.h"

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#define LANEWISE_ORT_EXPORT extern "C" __declspec(dllexport)
#else
#define LANEWISE_ORT_EXPORT \
  extern "C" __attribute__((visibility("default"))) __attribute__((used))
#endif

namespace lanewise::ort {
namespace {

using KeyValuePairs =
    std::unique_ptr<OrtKeyValuePairs, decltype(OrtApi::ReleaseKeyValuePairs)>;

class Factory final : public OrtEpFactory {
 public:
  explicit Factory(const Api& api) : OrtEpFactory{}, api_(api) {
    ort_version_supported = kApiVersion;
    GetName = [](const OrtEpFactory*) noexcept { return kProviderName; };
    GetVendor = [](const OrtEpFactory*) noexcept { return "lanewise"; };
    // ONNX Runtime compares the number with the vendor of the hardware.
    GetVendorId = [](const OrtEpFactory*) noexcept -> uint32_t { return 0; };
    GetVersion = [](const OrtEpFactory*) noexcept { return lw_version(); };
    GetSupportedDevices = SupportedDevices;
    CreateEp = MakeProvider;
    ReleaseEp = [](OrtEpFactory*, OrtEp* ep) noexcept {
      delete static_cast<Provider*>(ep);
    };
    // Registering a library without this function crashes ONNX Runtime.
    CreateDataTransfer = [](OrtEpFactory*,
                            OrtDataTransferImpl** out) noexcept -> OrtStatus* {
      *out = nullptr;
      return nullptr;
    };
  }
  bool Uses(const OrtApi* api) const { return api_.ort == api; }

 private:
  // Without information about allocators a device uses ONNX Runtime's own CPU
  // memory, and nothing is copied at the borders of the provider.
  static OrtStatus* SupportedDevices(OrtEpFactory* self,
                                     const OrtHardwareDevice* const* devices,
                                     size_t count, OrtEpDevice** out,
                                     size_t most, size_t* out_count) noexcept {
    const Api& api = static_cast<Factory*>(self)->api_;
    *out_count = 0;
    return AtBorder(api, [&] {
      const KeyValuePairs facts = Facts(api);
      for (size_t i = 0; i < count && *out_count < most; ++i) {
        if (api.ort->HardwareDevice_Type(devices[i]) !=
            OrtHardwareDeviceType_CPU) {
          continue;
        }
        Check(api, api.ep->CreateEpDevice(self, devices[i], facts.get(),
                                          nullptr, &out[*out_count]));
        ++*out_count;
      }
    });
  }

  // What a device tells applications about this library.
  static KeyValuePairs Facts(const Api& api) {
    OrtKeyValuePairs* pairs = nullptr;
    api.ort->CreateKeyValuePairs(&pairs);
    KeyValuePairs facts(pairs, api.ort->ReleaseKeyValuePairs);
    const char* isa = lw_engine_isa(nullptr);  // NULL: out of memory
    std::string isas;
    for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
      isas.append(i == 0 ? "" : " ").append(lw_isa_name(i));
    }
    api.ort->AddKeyValuePair(pairs, "isa", isa == nullptr ? "" : isa);
    api.ort->AddKeyValuePair(pairs, "isas", isas.c_str());
    api.ort->AddKeyValuePair(pairs, "threading", "ort serial");
    return facts;
  }

  static OrtStatus* MakeProvider(OrtEpFactory* self,
                                 const OrtHardwareDevice* const*,
                                 const OrtKeyValuePairs* const*, size_t,
                                 const OrtSessionOptions* session,
                                 const OrtLogger*, OrtEp** out) noexcept {
    const Api& api = static_cast<Factory*>(self)->api_;
    *out = nullptr;
    return AtBorder(
        api, [&] { *out = new Provider(api, ReadOptions(api, session)); });
  }

  Api api_;
};

// One factory for each copy of ONNX Runtime in the process. Factories live
// until the process ends: a session may still use its factory after an
// application has unregistered the library.
Factory* FactoryFor(const Api& api) {
  static std::mutex mutex;
  static auto* const factories = new std::list<Factory>;
  const std::lock_guard lock(mutex);
  const auto found =
      std::find_if(factories->begin(), factories->end(),
                   [&](const Factory& f) { return f.Uses(api.ort); });
  return found != factories->end() ? &*found : &factories->emplace_back(api);
}

// An application may unregister the library while a session still uses it. So
// the library stays loaded until the process ends. On Linux the linker's option
// `nodelete` does the same.
void StayLoaded(const Api& api) {
#if defined(_WIN32)
  HMODULE module;
  if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN |
                              GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                          reinterpret_cast<LPCWSTR>(&StayLoaded), &module)) {
    throw Error(api, ORT_FAIL, "the library cannot be kept loaded");
  }
#else
  static_cast<void>(api);
#endif
}

// 24 for "1.24.4".
int MinorOf(const OrtApiBase* base) {
  const char* dot = std::strchr(base->GetVersionString(), '.');
  return dot == nullptr ? 0 : std::atoi(dot + 1);
}

// For the status of a refusal: an interface that older versions have.
OrtStatus* TooOld(const OrtApiBase* base) {
  for (uint32_t version = kApiVersion - 1; version > 0; --version) {
    if (const OrtApi* api = base->GetApi(version)) {
      const std::string message =
          std::string(kProviderName) +
          " needs ONNX Runtime 1.24 or newer; this is " +
          base->GetVersionString();
      return api->CreateStatus(ORT_INVALID_ARGUMENT, message.c_str());
    }
  }
  return nullptr;
}

}  // namespace
}  // namespace lanewise::ort

LANEWISE_ORT_EXPORT OrtStatus* CreateEpFactories(const char*,
                                                 const OrtApiBase* base,
                                                 const OrtLogger*,
                                                 OrtEpFactory** factories,
                                                 size_t most, size_t* count) {
  using lanewise::ort::Api;
  *count = 0;
  const OrtApi* ort = base->GetApi(lanewise::ort::kApiVersion);
  if (ort == nullptr) return lanewise::ort::TooOld(base);
  const Api api = {ort, ort->GetEpApi(), lanewise::ort::MinorOf(base)};
  return AtBorder(api, [&] {
    if (most == 0) {
      throw lanewise::ort::Error(api, ORT_INVALID_ARGUMENT,
                                 "there is no room for a factory");
    }
    lanewise::ort::StayLoaded(api);
    factories[0] = lanewise::ort::FactoryFor(api);
    *count = 1;
  });
}

LANEWISE_ORT_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory*) {
  return nullptr;
}
