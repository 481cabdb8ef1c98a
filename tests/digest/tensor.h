// SPDX-License-Identifier: Apache-2.0
//
// A tensor of chosen elements.

#ifndef LANEWISE_TESTS_DIGEST_TENSOR_H_
#define LANEWISE_TESTS_DIGEST_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/digest/elements.h"

namespace lanewise::digest {

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "lanewise_digest: %s\n", what.c_str());
  std::exit(2);
}
inline void Must(lw_status status) {
  if (status != LW_OK) Fail(lw_last_error());
}

// A contiguous tensor.
struct Tensor {
  int32_t type;
  std::vector<int64_t> dims;
  std::vector<uint8_t> bytes;

  Tensor(int32_t of, std::vector<int64_t> shape)
      : type(of), dims(std::move(shape)) {
    int64_t count = 1;
    for (const int64_t dim : dims) count *= dim;
    count = (count + Packed(of) - 1) / Packed(of);
    bytes.resize(static_cast<size_t>(count) * BytesOf(FormatOf(of)));
  }
  lw_tensor View() {
    return {bytes.data(), type,    static_cast<int32_t>(dims.size()),
            dims.data(),  nullptr, 0};
  }
  size_t Stored() const { return bytes.size() / BytesOf(FormatOf(type)); }
  void Fill(uint64_t seed, bool moderate = false) {
    const Format format = FormatOf(type);
    for (size_t i = 0; i < Stored(); ++i) {
      const uint64_t index = Random(seed) + i;
      uint64_t number =
          moderate ? Moderate(format, Random(index)) : Number(format, index);
      if (type == LW_BOOL) number &= 1;
      Store(number, format.bits, &bytes[i * BytesOf(format)]);
    }
  }

 private:
  // Every second number has few bits: many quotients of such numbers are ties.
  uint64_t Number(const Format& format, uint64_t index) const {
    const uint64_t value = Sample(format, index);
    if (index % 2 == 0) return value;
    if (type == LW_FLOAT8E8M0) return 124 + value % 8;  // about 1
    if (format.mantissa == 0) return value;
    return value & ~uint64_t{0} << (format.mantissa - 3);
  }
};

}  // namespace lanewise::digest

#endif  // LANEWISE_TESTS_DIGEST_TENSOR_H_
