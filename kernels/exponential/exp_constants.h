// SPDX-License-Identifier: Apache-2.0
//
// The constants of exp-inl.h.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_EXP_CONSTANTS_H_
#define LANEWISE_KERNELS_EXPONENTIAL_EXP_CONSTANTS_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanewise {

/// kLn2Hi has so few bits that n * kLn2Hi is exact. e^kMin rounds to 0, e^kMax
/// to infinity. e^x is a normal number for x in [-kNormal, kNormal], and below
/// the normal numbers for x < -kNormal. kMagic: see Magic. kTiny, kHuge: see
/// OuterPow2. 2^(i/16) = kPow2[i] * (1 + kEps[i]).
template <typename T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr float kLog2E = 0x1.715476p+0f;
  static constexpr float kLn2Hi = 0x1.62ep-1f, kLn2Lo = 0x1.0bfbe8p-15f;
  static constexpr float kMin = -104, kMax = 89, kNormal = 0x1.5d589ep+6f;
  static constexpr float kMagic = 0x1.8p+23f, kBias = 127;
  static constexpr float kTiny = 0x1p-64f, kHuge = 0x1p+64f;
  alignas(64) static constexpr float kPow2[16] = {
      0x1.0p+0f,      0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
      0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
      0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
      0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
  alignas(64) static constexpr float kEps[16] = {0.0f,
                                                 0x1.8d96d4p-25f,
                                                 -0x1.9c0c22p-27f,
                                                 0x1.964904p-25f,
                                                 0x1.125002p-25f,
                                                 0x1.370be4p-25f,
                                                 -0x1.0a355p-25f,
                                                 -0x1.00d8acp-27f,
                                                 0x1.26055cp-26f,
                                                 -0x1.05cb44p-25f,
                                                 0x1.67a1cap-28f,
                                                 0x1.a3b5e4p-28f,
                                                 -0x1.f9c304p-27f,
                                                 -0x1.6961b4p-28f,
                                                 -0x1.a5217cp-28f,
                                                 0x1.61428ep-28f};
  // The bits of 2^(i/8) minus (i << 20). For n in eighths with fraction i/8,
  // adding n << 20 yields the bits of 2^n. Then the same for sixteenths.
  alignas(32) static constexpr uint32_t kPow2Bits8[8] = {
      0x3F800000, 0x3F7B95C2, 0x3F7837F0, 0x3F75FED7,
      0x3F7504F3, 0x3F75672A, 0x3F7744FD, 0x3F7AC0C7};
  alignas(64) static constexpr auto kPow2Bits16 = [] {
    std::array<uint32_t, 16> bits = {};
    for (uint32_t i = 0; i < 16; ++i) {
      bits[i] = std::bit_cast<uint32_t>(kPow2[i]) - (i << 19);
    }
    return bits;
  }();
  template <int kBits>
  static constexpr const uint32_t* Pow2Bits() {
    return kBits == 4 ? kPow2Bits16.data() : kPow2Bits8;
  }
  alignas(32) static constexpr float kEps8[8] = {0.0f,
                                                 -0x1.9c0c22p-27f,
                                                 0x1.125002p-25f,
                                                 -0x1.0a355p-25f,
                                                 0x1.26055cp-26f,
                                                 0x1.67a1cap-28f,
                                                 -0x1.f9c304p-27f,
                                                 -0x1.a5217cp-28f};
};

template <>
struct ExpConstants<double> {
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2Hi = 0x1.62e42fefap-1;
  static constexpr double kLn2Lo = 0x1.cf79abc9e3b3ap-40;
  static constexpr double kMin = -746, kMax = 710;
  static constexpr double kNormal = 0x1.6232bdd7abcd2p+9;
  static constexpr double kMagic = 0x1.8p+52, kBias = 1023;
  static constexpr double kTiny = 0x1p-512, kHuge = 0x1p+512;
  alignas(64) static constexpr double kPow2[16] = {
      0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0,
      0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0,
      0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0,
      0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
      0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0,
      0x1.ea4afa2a490dap+0};
  alignas(64) static constexpr double kEps[16] = {0.0,
                                                  0x1.79aa65d837b6dp-54,
                                                  -0x1.01b15eaa59348p-55,
                                                  0x1.68efde3a8a894p-54,
                                                  0x1.34d754db0abb6p-55,
                                                  0x1.59f48a72a4c6dp-55,
                                                  0x1.690cebb7aafb0p-56,
                                                  0x1.063e1e21c5409p-54,
                                                  -0x1.3b3efbf5e2228p-54,
                                                  -0x1.b32dcb94da51dp-56,
                                                  0x1.db72fc1f0eab4p-55,
                                                  0x1.1affc2b91ce27p-56,
                                                  0x1.c1a7792cb3387p-55,
                                                  0x1.36eae30af0cb3p-56,
                                                  0x1.4a385a63d07a7p-56,
                                                  -0x1.ff7128fd391f0p-55};
};

/// The tables of exp_exact-inl.h: 2^(i/16) is kHead[i] * (1 + kEps[i] + kLow),
/// so that a result that is computed from kEps is too small. kRange is more
/// than all errors and kLow add up to, in e^x / 2^n, which is below 2.
template <typename T>
struct ExpExactConstants;

template <>
struct ExpExactConstants<float> {
  using C = ExpConstants<float>;
  // With tables of 16 entries, and of 8. A little more than the errors of every
  // second float, and 2^-36 or 2^-34 for the rounding of lo + kRange. A test
  // computes all floats.
  static constexpr float kLow = 0x3.Cp-36f, kRange = 0xE.Cp-36f;
  static constexpr float kLow8 = 0xEp-36f, kRange8 = 0x38p-36f;
  alignas(64) static constexpr auto kEps = [] {
    std::array<float, 16> eps = {};
    for (size_t i = 0; i < 16; ++i) eps[i] = C::kEps[i] - kLow;
    return eps;
  }();
  alignas(32) static constexpr auto kHead8 = [] {
    std::array<float, 8> head = {};
    for (size_t i = 0; i < 8; ++i) head[i] = C::kPow2[2 * i];
    return head;
  }();
  alignas(32) static constexpr auto kEps8 = [] {
    std::array<float, 8> eps = {};
    for (size_t i = 0; i < 8; ++i) eps[i] = C::kEps8[i] - kLow8;
    return eps;
  }();
};

template <>
struct ExpExactConstants<double> {
  using C = ExpConstants<double>;
  // See the error analysis in exp_exact-inl.h.
  static constexpr double kLow = 0x1p-68, kRange = 4 * kLow;
  alignas(64) static constexpr auto kEps = [] {
    std::array<double, 16> eps = {};
    for (size_t i = 0; i < 16; ++i) eps[i] = C::kEps[i] - kLow;
    return eps;
  }();
  /// Each entry of kPow2 and the entry of kEps.
  alignas(64) static constexpr auto kPairs = [] {
    std::array<double, 32> pairs = {};
    for (size_t i = 0; i < 16; ++i) {
      pairs[2 * i] = C::kPow2[i];
      pairs[2 * i + 1] = kEps[i];
    }
    return pairs;
  }();
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_EXP_CONSTANTS_H_
