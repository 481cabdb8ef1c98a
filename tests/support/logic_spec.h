// SPDX-License-Identifier: Apache-2.0
//
// The versions and oracles of And, Or and Xor, on bools and on integers. Each
// is a truth table of four bits: bit 2 * a + b is the answer for a and b.

#ifndef LANEWISE_TESTS_SUPPORT_LOGIC_SPEC_H_
#define LANEWISE_TESTS_SUPPORT_LOGIC_SPEC_H_

#include <cstdint>
#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

inline constexpr unsigned kAndTable = 0b1000;
inline constexpr unsigned kOrTable = 0b1110;
inline constexpr unsigned kXorTable = 0b0110;

template <unsigned kTable>
uint64_t OfBits(uint64_t a, uint64_t b) {
  return kTable >> (2 * a + b) & 1;
}

/// BitwiseAnd, BitwiseOr, BitwiseXor: bit by bit.
template <unsigned kTable>
void BitByBit(lw_type type, const void* const* in, void* out) {
  const auto a = static_cast<uint64_t>(ReadInteger(type, in[0]));
  const auto b = static_cast<uint64_t>(ReadInteger(type, in[1]));
  uint64_t y = 0;
  for (int i = 0; i < 64; ++i) {
    y |= OfBits<kTable>(a >> i & 1, b >> i & 1) << i;
  }
  WriteInteger(type, static_cast<int64_t>(y), out);
}

/// And, Or, Xor.
template <unsigned kTable>
void TruthOf(lw_type /*type*/, const void* const* in, void* out) {
  const uint8_t a = *static_cast<const uint8_t*>(in[0]);
  const uint8_t b = *static_cast<const uint8_t*>(in[1]);
  *static_cast<uint8_t*>(out) =
      static_cast<uint8_t>(OfBits<kTable>(a != 0, b != 0));
}

inline std::vector<VersionSpec> BitwiseVersions() {
  return {{18, kI8, InputsAB()}};
}
inline std::vector<VersionSpec> LogicVersions() {
  return {{1, {LW_BOOL}, InputsAB(), LegacyAttributes(false)},
          {7, {LW_BOOL}, InputsAB()}};
}
inline OperandSpec BoolOutput() { return {"C", "T1", {LW_BOOL}}; }

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_LOGIC_SPEC_H_
