// SPDX-License-Identifier: Apache-2.0
//
// The hard inputs of each function: floats whose result lies within 1.25 last
// places of a double of the middle of two floats. Beside each stands the
// correctly rounded result that MPFR gives with 400 bits, as bits. Odd and even
// functions list positive numbers only. The exhaustive tests of exact engines
// fail where a hard input is missing.

#ifndef LANEWISE_KERNELS_HARD_FLOATS_H_
#define LANEWISE_KERNELS_HARD_FLOATS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanewise {

struct HardFloat {
  uint32_t x;
  uint32_t y;
};

/// f(-x) = -f(x), or f(-x) = f(x).
enum class Symmetry { kNone, kOdd, kEven };

template <size_t kCount>
struct HardFloats {
  Symmetry symmetry;
  std::array<HardFloat, kCount> floats;
};

inline constexpr HardFloats<1> kHardErf = {Symmetry::kOdd,
                                           {{{0x3940EAD6, 0x3959AF14}}}};
/// Both forms of Gelu have these: where x is that small, the forms agree.
inline constexpr HardFloats<2> kHardGelu = {
    Symmetry::kNone, {{{0x37B0A46F, 0x3730A531}, {0xB7B0A46F, 0xB730A3AD}}}};
inline constexpr HardFloats<0> kHardElu = {Symmetry::kNone, {{}}};
inline constexpr HardFloats<14> kHardLog = {Symmetry::kNone,
                                            {{{0x0DC8BBA4, 0xC289BAC4},
                                              {0x1F116AB8, 0xC233B53E},
                                              {0x38DCBE38, 0xC1128BA4},
                                              {0x3BF86EF0, 0xC09C399E},
                                              {0x3C413D3A, 0xC08E158F},
                                              {0x41178FEB, 0x400FE5E7},
                                              {0x4665A9A6, 0x41198725},
                                              {0x4C5D65A5, 0x418F034B},
                                              {0x4D604EBE, 0x419A352C},
                                              {0x5EE8984E, 0x422E4A21},
                                              {0x65D890D3, 0x4254D1F9},
                                              {0x66A8C860, 0x42595E46},
                                              {0x6F31A8EC, 0x42845A89},
                                              {0x79E7EC37, 0x42A1FFB7}}}};
inline constexpr HardFloats<2> kHardMish = {
    Symmetry::kNone, {{{0x33A00000, 0x33400000}, {0xB3A00000, 0xB33FFFFF}}}};
inline constexpr HardFloats<3> kHardSelu = {Symmetry::kNone,
                                            {{{0xB8CC3D34, 0xB933870E},
                                              {0xBA31E4AE, 0xBA9C52F0},
                                              {0xBD6860BB, 0xBDC695D4}}}};
inline constexpr HardFloats<3> kHardSigmoid = {Symmetry::kNone,
                                               {{{0x3D21BC81, 0x3F0286DC},
                                                 {0xBA928601, 0x3EFFDB5F},
                                                 {0xBE104170, 0x3EEDFF70}}}};
inline constexpr HardFloats<3> kHardSoftplus = {Symmetry::kNone,
                                                {{{0x39EA41D0, 0x3F3180BD},
                                                  {0x3AD68BA7, 0x3F31A7C1},
                                                  {0x40A3F888, 0x40A42924}}}};
inline constexpr HardFloats<0> kHardSwish = {Symmetry::kNone, {{}}};
inline constexpr HardFloats<0> kHardTanh = {Symmetry::kOdd, {{}}};
inline constexpr HardFloats<7> kHardAcosh = {Symmetry::kNone,
                                             {{{0x4BDD65A5, 0x418F034A},
                                               {0x4CE04EBE, 0x419A352C},
                                               {0x5E68984E, 0x422E4A21},
                                               {0x655890D3, 0x4254D1F9},
                                               {0x6628C860, 0x42595E46},
                                               {0x6EB1A8EC, 0x42845A89},
                                               {0x7967EC37, 0x42A1FFB7}}}};
inline constexpr HardFloats<7> kHardAsinh = {Symmetry::kOdd,
                                             {{{0x4BDD65A5, 0x418F034B},
                                               {0x4CE04EBE, 0x419A352C},
                                               {0x5E68984E, 0x422E4A21},
                                               {0x655890D3, 0x4254D1F9},
                                               {0x6628C860, 0x42595E46},
                                               {0x6EB1A8EC, 0x42845A89},
                                               {0x7967EC37, 0x42A1FFB7}}}};
inline constexpr HardFloats<2> kHardAtanh = {
    Symmetry::kOdd, {{{0x39B89BA2, 0x39B89BA3}, {0x3A71E7A1, 0x3A71E7A6}}}};
inline constexpr HardFloats<2> kHardCosh = {
    Symmetry::kEven, {{{0x3A6F7750, 0x3F800004}, {0x3D609528, 0x3F803145}}}};
inline constexpr HardFloats<1> kHardSinh = {Symmetry::kOdd,
                                            {{{0x3A1285FF, 0x3A1285FF}}}};
inline constexpr HardFloats<3> kHardAcos = {Symmetry::kNone,
                                            {{{0x328885A3, 0x3FC90FDB},
                                              {0x39826222, 0x3FC907B5},
                                              {0xBC406CCD, 0x3FCA90B6}}}};
inline constexpr HardFloats<1> kHardAsin = {Symmetry::kOdd,
                                            {{{0x3F083A1A, 0x3F0FA5B2}}}};
inline constexpr HardFloats<1> kHardAtan = {Symmetry::kOdd,
                                            {{{0x3D8D6B23, 0x3D8D31C3}}}};
inline constexpr HardFloats<9> kHardCos = {Symmetry::kEven,
                                           {{{0x3C107FE6, 0x3F7FFD74},
                                             {0x55E5235D, 0xBE83C11A},
                                             {0x5922AA80, 0x3F08AEBF},
                                             {0x59443C0A, 0x3F425F62},
                                             {0x5F18B878, 0x3F7F14BB},
                                             {0x6115CB11, 0x3F78142F},
                                             {0x61703976, 0x3EDACC56},
                                             {0x7908CD73, 0x3F798BB5},
                                             {0x7A4B1A27, 0x3F7C54DA}}}};
inline constexpr HardFloats<6> kHardSin = {Symmetry::kOdd,
                                           {{{0x4371ADE3, 0x3E62DA56},
                                             {0x46199998, 0xBEB1FA5D},
                                             {0x55CAFB2A, 0xBF7E7A17},
                                             {0x5F208D82, 0x3F2C7688},
                                             {0x67A9242B, 0xBF7FAB81},
                                             {0x73243F06, 0x3E943A84}}}};
inline constexpr HardFloats<2> kHardTan = {
    Symmetry::kOdd, {{{0x5D5873AE, 0x3EA6BFED}, {0x5FFD33A4, 0x3FD06C8C}}}};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_HARD_FLOATS_H_
