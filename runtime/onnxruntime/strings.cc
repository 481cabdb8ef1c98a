// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/strings.h"

#include <algorithm>

namespace lanewise::ort {

StringCopy::StringCopy(const Api& api, const OrtValue* value, size_t count) {
  if (count == 0) return;
  const auto bytes =
      Get<size_t>(api, api.ort->GetStringTensorDataLength, value);
  characters_.resize(std::max<size_t>(bytes, 1));
  std::vector<size_t> starts(count);
  Check(api, api.ort->GetStringTensorContent(value, characters_.data(), bytes,
                                             starts.data(), count));
  elements_.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t end = i + 1 < count ? starts[i + 1] : bytes;
    elements_.push_back({characters_.data() + starts[i], end - starts[i]});
  }
}

void StoreStrings(const Api& api, const std::vector<lw_string>& strings,
                  OrtValue* value) {
  for (size_t i = 0; i < strings.size(); ++i) {
    const auto [data, size] = strings[i];
    char* place = nullptr;
    Check(api,
          api.ort->GetResizedStringTensorElementBuffer(value, i, size, &place));
    std::copy_n(data, size, place);
  }
}

}  // namespace lanewise::ort
