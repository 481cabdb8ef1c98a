// SPDX-License-Identifier: Apache-2.0
//
// Logarithms for Pow. The significands from 0.705078125 on, to twice that
// number, lie in 128 intervals of equally many floats. Each has the reciprocal
// of its middle, a multiple of 2^-16, and log2 of the reciprocal's reciprocal
// in two words. The interval that has 1 in it has the reciprocal 1, so that
// logarithms near 0 keep their relative accuracy. Computed in 300 bits.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_POW_TABLE_H_
#define LANEWISE_KERNELS_EXPONENTIAL_POW_TABLE_H_

#include <cstdint>

namespace lanewise {

inline constexpr uint64_t kPowLeastBits = 0x3FE6900000000000;
inline constexpr int kPowIndexBits = 7;

// clang-format off
inline constexpr double kPowInverse[] = {
0x1.6a14p0, 0x1.6817p0, 0x1.661fp0, 0x1.642dp0, 0x1.624p0, 0x1.6058p0,
0x1.5e76p0, 0x1.5c99p0, 0x1.5acp0, 0x1.58edp0, 0x1.571fp0, 0x1.5555p0,
0x1.5391p0, 0x1.51dp0, 0x1.5015p0, 0x1.4e5ep0, 0x1.4cacp0, 0x1.4afdp0,
0x1.4954p0, 0x1.47aep0, 0x1.460dp0, 0x1.447p0, 0x1.42d6p0, 0x1.4141p0,
0x1.3fbp0, 0x1.3e23p0, 0x1.3c99p0, 0x1.3b14p0, 0x1.3992p0, 0x1.3814p0,
0x1.3699p0, 0x1.3522p0, 0x1.33aep0, 0x1.323ep0, 0x1.30d2p0, 0x1.2f68p0,
0x1.2e02p0, 0x1.2cap0, 0x1.2b4p0, 0x1.29e4p0, 0x1.288bp0, 0x1.2735p0,
0x1.25e2p0, 0x1.2492p0, 0x1.2345p0, 0x1.21fbp0, 0x1.20b4p0, 0x1.1f7p0,
0x1.1e2fp0, 0x1.1cfp0, 0x1.1bb5p0, 0x1.1a7cp0, 0x1.1945p0, 0x1.1812p0,
0x1.16ep0, 0x1.15b2p0, 0x1.1486p0, 0x1.135dp0, 0x1.1236p0, 0x1.1111p0,
0x1.0fefp0, 0x1.0ecfp0, 0x1.0db2p0, 0x1.0c97p0, 0x1.0b7ep0, 0x1.0a68p0,
0x1.0954p0, 0x1.0842p0, 0x1.0732p0, 0x1.0625p0, 0x1.0519p0, 0x1.041p0,
0x1.0309p0, 0x1.0204p0, 0x1.0101p0, 0x1p0, 0x1.fc08p-1, 0x1.f82p-1,
0x1.f446p-1, 0x1.f07cp-1, 0x1.eccp-1, 0x1.e914p-1, 0x1.e574p-1, 0x1.e1e2p-1,
0x1.de5ep-1, 0x1.dae6p-1, 0x1.d77cp-1, 0x1.d41ep-1, 0x1.d0ccp-1, 0x1.cd86p-1,
0x1.ca4cp-1, 0x1.c71cp-1, 0x1.c3f8p-1, 0x1.c0ep-1, 0x1.bdd2p-1, 0x1.badp-1,
0x1.b7d6p-1, 0x1.b4e8p-1, 0x1.b204p-1, 0x1.af28p-1, 0x1.ac58p-1, 0x1.a98ep-1,
0x1.a6dp-1, 0x1.a41ap-1, 0x1.a16ep-1, 0x1.9ec8p-1, 0x1.9c2ep-1, 0x1.999ap-1,
0x1.970ep-1, 0x1.948cp-1, 0x1.921p-1, 0x1.8f9cp-1, 0x1.8d3p-1, 0x1.8accp-1,
0x1.886ep-1, 0x1.8618p-1, 0x1.83cap-1, 0x1.8182p-1, 0x1.7f4p-1, 0x1.7d06p-1,
0x1.7ad2p-1, 0x1.78a4p-1, 0x1.767ep-1, 0x1.745ep-1, 0x1.7242p-1, 0x1.702ep-1,
0x1.6e2p-1, 0x1.6c16p-1};
inline constexpr double kPowLog[] = {
-0x1.00149b0b99fcbp-1, -0x1.f806b5eb77e8ep-2, -0x1.efed4e4a1ad3p-2,
-0x1.e7e15bb904149p-2, -0x1.dfdefb29cf0aep-2, -0x1.d7e66456a2e03p-2,
-0x1.cffc069b8d55ep-2, -0x1.c81bef1650af5p-2, -0x1.c04214498b5dfp-2,
-0x1.b8772f70c356ep-2, -0x1.b0b73dbec73d7p-2, -0x1.a8fe25c36c289p-2,
-0x1.a154c4b133e8fp-2, -0x1.99ae48aa530f3p-2, -0x1.9217faccfbf79p-2,
-0x1.8a8952816c502p-2, -0x1.8306ebf51cae4p-2, -0x1.7b8816f86f477p-2,
-0x1.741a637fca813p-2, -0x1.6cb09a313c175p-2, -0x1.6553e673587afp-2,
-0x1.5dfff91d347d5p-2, -0x1.56b06c4c22c6bp-2, -0x1.4f6e8f182dbc3p-2,
-0x1.483602143d021p-2, -0x1.4106f3db988eap-2, -0x1.39dce8d0c6f05p-2,
-0x1.32c15f8b570ebp-2, -0x1.2bab2cbe9e61fp-2, -0x1.249f2ada0334fp-2,
-0x1.1d98c86cec23fp-2, -0x1.169cec0af700ap-2, -0x1.0fa6f94f9a0fap-2,
-0x1.08bbe2ef38788p-2, -0x1.01dbda43504f9p-2, -0x1.f5faa7e71ae8bp-3,
-0x1.e8544f94f7a75p-3, -0x1.dac50fe6d46d9p-3, -0x1.cd398e83e815fp-3,
-0x1.bfc5c1d5be5e1p-3, -0x1.b260190d317cp-3, -0x1.a508d7ea6b479p-3,
-0x1.97c042a9f0252p-3, -0x1.8a869e02b2d89p-3, -0x1.7d5c2f24108d9p-3,
-0x1.70413bb3b4bd8p-3, -0x1.633609cb649f9p-3, -0x1.563adff6b1d08p-3,
-0x1.4950053093e57p-3, -0x1.3c6b62529b2d3p-3, -0x1.2fa1f0c83778dp-3,
-0x1.22df302746824p-3, -0x1.1623467996715p-3, -0x1.0983739f5dfd3p-3,
-0x1.f9c0b5c56ba69p-4, -0x1.e0b3d88dc7599p-4, -0x1.c7b66be0edce9p-4,
-0x1.aede3577db57p-4, -0x1.96163e6850d03p-4, -0x1.7d5ed81879d77p-4,
-0x1.64ce0fab1fa4bp-4, -0x1.4c4eab147d6aep-4, -0x1.33f6e70c7e7fcp-4,
-0x1.1bb15cb65f59dp-4, -0x1.037e60eb1df45p-4, -0x1.d6e8ef48fb052p-5,
-0x1.a6fbed7681b1cp-5, -0x1.773669f491d2ap-5, -0x1.47991391ebfdcp-5,
-0x1.1851aff2e553p-5, -0x1.d20de6aea03f7p-6, -0x1.7427d317ab808p-6,
-0x1.16986125fe7ecp-6, -0x1.72c1f4cf06d25p-7, -0x1.720c2ab2312a9p-8, 0,
0x1.6fdf461d2e4f8p-7, 0x1.6e625317aa9f8p-6, 0x1.11d568f79a68dp-5,
0x1.6bb01a01f3933p-5, 0x1.c4eb3635cea06p-5, 0x1.0ea8b8033bc2fp-4,
0x1.3a9f062a91012p-4, 0x1.663dfe5826695p-4, 0x1.91830e69b4ad1p-4,
0x1.bc84805ff909p-4, 0x1.e7272e1dcb45dp-4, 0x1.08c0d87c1ae1ep-3,
0x1.1dc8f3a33d55ap-3, 0x1.32aad4aa7357p-3, 0x1.476564c741dc4p-3,
0x1.5c04864906631p-3, 0x1.707a4ef787f87p-3, 0x1.84c59fac3935dp-3,
0x1.98f297e0ac48bp-3, 0x1.acf30032be78ep-3, 0x1.c0e0909b9f5bp-3,
0x1.d49f9d6d6685bp-3, 0x1.e83c98a2d142bp-3, 0x1.fbc44e396f7b4p-3,
0x1.078d40936e63cp-2, 0x1.1133d3c17938ap-2, 0x1.1ac0b77e3f7e6p-2,
0x1.24416185bc6ffp-2, 0x1.2dae66d1bc727p-2, 0x1.37158be940d0bp-2,
0x1.40611929f2988p-2, 0x1.49a6136889908p-2, 0x1.52dd004ee2095p-2,
0x1.5bfe367828cbbp-2, 0x1.6517e94738f45p-2, 0x1.6e22792ef1454p-2,
0x1.771d87fd102b1p-2, 0x1.8008b6b29716p-2, 0x1.88eb2cf80915fp-2,
0x1.91bd19e695edep-2, 0x1.9a7e1c33771a3p-2, 0x1.a3357be96a3fbp-2,
0x1.abe2f8ec9671ep-2, 0x1.b47e9148fa186p-2, 0x1.bd0fad938724p-2,
0x1.c5960ba6e19dap-2, 0x1.ce0984eed3b36p-2, 0x1.d671a2b1275bap-2,
0x1.ded61bb894c5bp-2, 0x1.e726c133bce07p-2, 0x1.ef6b3d344485ap-2,
0x1.f7ab6760fc553p-2};
inline constexpr double kPowLogLow[] = {
-0x1.8bad1799662f9p-56, 0x1.ba4788fd818b9p-56, 0x1.80c5ad5650b99p-58,
-0x1.dca3980b412aap-61, -0x1.b3afc16d3ffb9p-58, -0x1.4979a04b4f9eep-56,
-0x1.28bfb23506e79p-62, -0x1.0c926052e0f89p-57, 0x1.bd0a03b0e22edp-56,
0x1.35218fadd5832p-57, -0x1.b040ad540952fp-56, -0x1.6ac1b6edabe46p-57,
-0x1.6bf63696f877ap-57, -0x1.dae007bfbeb5ep-56, 0x1.64a71afa4b34cp-56,
-0x1.486ad2e22c074p-56, -0x1.3372402cb1492p-58, 0x1.7d3c8c3b70b1dp-56,
0x1.6c01fcfe5d77p-60, 0x1.b822961b1fcc5p-56, 0x1.fa0839f4a4658p-57,
-0x1.3b4e42ea575ap-58, -0x1.326bf862f8203p-56, -0x1.60d2a88d163f2p-56,
-0x1.c599a327931cdp-57, 0x1.7d0e136ecd1c1p-63, -0x1.02b7b001a1a66p-56,
-0x1.dc5c03b2463c9p-56, 0x1.c5e260e619a9fp-56, -0x1.3fd6b2c9ff82p-62,
-0x1.a6d9852b84fc5p-56, 0x1.d2732cf6321a4p-57, -0x1.bc8d070eb4244p-62,
-0x1.2039c4786ee0fp-61, 0x1.c68194ebbc4cdp-58, 0x1.13be755a7c35dp-57,
-0x1.ddd321e94754ep-59, -0x1.09771e401242cp-58, -0x1.737924b20e55bp-57,
-0x1.201c856a70548p-58, 0x1.22bace3a94ef4p-58, -0x1.9b83b55422b01p-57,
0x1.a00e47cb35dcdp-58, 0x1.bc53c4f588365p-57, 0x1.8bc80a2cecc69p-57,
-0x1.dcc92d6350f0cp-57, 0x1.b5d1027dc651p-57, -0x1.b83ca1161ba14p-58,
-0x1.d7cd97b4055d9p-57, 0x1.3df5a5028f059p-57, -0x1.5e75a91dd5e2p-59,
-0x1.c784a0ba7a472p-57, -0x1.29ac6b36e61ap-58, 0x1.091ca9b967a18p-57,
-0x1.dbd2b12b48fcp-62, 0x1.07d15fd83ecdfp-58, 0x1.0daa64b4f404p-58,
-0x1.2ad1bfe9c73ap-58, -0x1.899d490bb94f3p-58, 0x1.7a77c544b2705p-58,
-0x1.474af28a77166p-58, 0x1.b7bb73ecefd0ap-59, -0x1.781f5fcb4b722p-59,
0x1.89bd0f0f0eb4cp-58, -0x1.2b6bda373ce77p-60, -0x1.e28bb2ede5f4dp-59,
-0x1.9b6df35c92a07p-59, 0x1.6e654a2a65a92p-60, -0x1.ce64ec7efb5b1p-59,
-0x1.0ce28cd9dc604p-59, -0x1.b4e32762576dep-61, 0x1.d69f89ed82843p-60,
0x1.18cca6eb4b33ap-60, 0x1.74fe03519133dp-62, 0x1.ff25180953e64p-62, 0,
-0x1.dc930484501f8p-63, 0x1.cc8ac29b6fa31p-60, -0x1.46515bb5b36b5p-59,
-0x1.0c5e31247a2aap-59, 0x1.2bdcad6099285p-59, 0x1.7942f1be5bfbcp-59,
-0x1.0d1eaa5bb8174p-60, 0x1.6a2eb03e3cc1ap-59, -0x1.165025e32c639p-58,
-0x1.7bc57af6f0bbp-60, 0x1.49199d12e3fe5p-58, 0x1.6d82688b37edbp-58,
-0x1.cd524a2ecceb8p-57, -0x1.17a6d2286fb79p-57, -0x1.836d91c23dce1p-57,
0x1.d47e5f366828cp-57, -0x1.5a6e21907d51ap-59, -0x1.657275ac44c5ap-58,
0x1.27893b253202bp-57, -0x1.984280dd34d69p-58, -0x1.6cdacacb10a6p-57,
-0x1.507abda5ac5a5p-57, -0x1.45de5ce1b08f9p-60, -0x1.b5e66af21ddb7p-61,
0x1.f608125902cdfp-56, -0x1.286253482d428p-56, -0x1.dfe9f702b8dd6p-57,
-0x1.8ae3a7ea8509fp-57, -0x1.f2ed1c522b4e5p-59, 0x1.a285c7e9bddd6p-56,
0x1.6de713a17e98dp-58, -0x1.32b8b7cb40bd4p-58, 0x1.4527e1c891afcp-56,
-0x1.47842b054a695p-56, 0x1.4111d33e21cf3p-58, -0x1.b7e302df8d8a5p-57,
0x1.5798e9b76df17p-56, 0x1.6e2332b65d989p-56, 0x1.0e7f143b74e42p-56,
-0x1.8236127331de5p-56, 0x1.e127342cc9426p-57, 0x1.ab79b4c93b50bp-56,
-0x1.9cde3a66f9c39p-57, -0x1.46b26236254d9p-57, 0x1.b423890434461p-58,
0x1.7b2d9703fd25ap-56, -0x1.cf2c70e7295dcp-57, 0x1.e8e47cb740ecdp-56,
-0x1.693b1b45652bdp-56, 0x1.b5d75af57d9f2p-56, -0x1.49a5d3d60ad98p-56,
-0x1.46693827ad635p-56};
// clang-format on

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_POW_TABLE_H_
