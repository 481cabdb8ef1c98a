// SPDX-License-Identifier: Apache-2.0
//
// Doubles whose e^x is closest to the middle of two doubles, or to a double
// (down to 2^-113 of e^x; below 2^-30 in magnitude, 2^-158), and some whose e^x
// is a subnormal number. From the lists of worst cases that the CORE-MATH
// project publishes, which search all doubles.

#ifndef LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_HARD_ARGUMENTS_H_
#define LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_HARD_ARGUMENTS_H_

namespace lanewise::test {

inline constexpr double kExpHardArguments[] = {
    // clang-format off
    -0x1.ed318efb627eap-27, -0x1.3475ac05cead7p-29, -0x1.12d31a20fb38bp+5,
    0x1.83d4bcdebb3f4p+2, -0x1.a2fefefd580dfp-13, -0x1.290ea09e36479p-3,
    -0x1.d8954a06d0cdbp-30, -0x1.a01c846cb4a4ep-15, 0x1.54cd1fea7663ap+7,
    0x1.e07e71bfcf06fp+5, -0x1.057eb90858dd2p-28, -0x1.6ff486dc6f81ap-24,
    -0x1.8e4aaad97ed04p-8, 0x1.d6479eba7c971p+8, -0x1.8aeb636f3ce35p-3,
    -0x1.ef25e4b7b671fp-26, -0x1.f3977bddea77fp-6, -0x1.1ff9b8e8b38bep-7,
    -0x1.04afe82cbae41p-24, -0x1.85e60704a3a9cp-30, 0x1.d77fd13d27fffp-11,
    -0x1.a2772020006d1p-12, -0x1.daf693d64fadap-4, 0x1.ba07d73250de7p-14,
    0x1.d7a7d893609e5p-26, -0x1.e0d16d8ccf167p-20, -0x1.ff171507f8ba5p-30,
    -0x1.e8bdbfcd9144ep+3, -0x1.0401ae48409b5p-28, 0x1.c44ce0d716a1ap+4,
    -0x1.1e4ad6aa56975p-22, -0x1.d48d65db32a94p-26, 0x1.1d5c2daebe367p+4,
    0x1.accfbe46b4efp-1, -0x1.66cdaa8c7998dp-11, 0x1.2c1e030b5decdp+9,
    -0x1.d3f3799439415p-3, -0x1.7fb235d76cce7p-8, -0x1.26bc462a6a9f7p-26,
    -0x1.104f8cafa922ep-23, 0x1.6474c604cc0d7p+6, 0x1.32d3b310ba562p-14,
    0x1.6a4d1af9cc989p-8, 0x1.aca7ae8da5a7bp+0, 0x1.e5ba92aa9b1efp-20,
    -0x1.b57c0a7d7416fp-26, -0x1.54c9218baa581p+3, -0x1.890143380b9ccp-19,
    0x1.273c188aa7b14p+2, -0x1.664716b68a409p-14, -0x1.c0f0018f48e2ep-23,
    0x1.21c3bb0c54ae3p-10, -0x1.a8f783d749a8fp-4, -0x1.81cc8afed1b1ep-22,
    -0x1.c880f0065c173p-30, -0x1.bb95d9aa3bf8cp-19, -0x1.2f632e0dde09cp-10,
    -0x1.057b641debc0cp-15, 0x1.d6336a88077aap+0, -0x1.ec057c39a510ep-23,
    0x1.c7206c1b753e4p+8, 0x1.08f51434652c3p+4, -0x1.08f7dd6248051p-26,
    -0x1.56a189039528p-30, -0x1.f0057fb15677ep-18, 0x1.282aae3169ee7p-20,
    -0x1.ceff32831e2c2p-12, -0x1.c507ca55367e4p-15, -0x1.d1d85a7f253d3p-15,
    0x1.f6e4c3ced7c72p-3, 0x1.9c026d62f631ep-11, 0x1.8ae823850230bp-5,
    -0x1.8f80e06f3a04cp+4, 0x1.d086543694c5ap-1, -0x1.a90bec960dc4cp-28,
    -0x1.80000018p-26, -0x1.408961a03a8dap-19, -0x1.4156584bcd084p+7,
    -0x1.f31ed23cd212bp-27, -0x1.1d1503bee460ep-15, -0x1.71e482f193306p-17,
    -0x1.aa46a178b9e49p-26, -0x1.25a2af0543373p-29, -0x1.940a1a52f1f3ap-18,
    0x1.005ae04256babp-1, 0x1.145759fdb3875p-23, -0x1.c6aa26f277ff3p-27,
    0x1.f8e165f8388f7p-30, -0x1.59f038076039cp+6, -0x1.cecc4ad8d358bp-8,
    -0x1.cc37ef7de7501p+0, -0x1.c794ddcbd661ap+3, -0x1.71e0b869b5e79p+2,
    0x1.16e7724ac74bbp-19, -0x1.3b89bb1b787cdp-3, -0x1.2a9cad9998262p+0,
    0x1.7486e56dbca44p-14, 0x1.12dd1ddb1c3dap-26, 0x1.46d06e5d90f4ep-22,
    -0x1.e997e57006edcp-4, -0x1.eae7de0eb571cp-29, -0x1.d6afc66ac9b0bp+0,
    0x1.46370d915991bp-4, -0x1.8ac7fe3c1986dp-26, 0x1.0da5cc14d0fcp-20,
    -0x1.20b9714119fc7p-17, -0x1.89d0e9d1cf18ep-19, 0x1.eab6f7f14d7c4p-29,
    0x1.4a5cae9902908p-12, -0x1.02393d5976769p+1, 0x1.7d7fc2e4f5fccp-3,
    -0x1.02804420a0d93p-26, 0x1.a3ad76e4d7a6dp-16, -0x1.61a27007a2058p-29,
    0x1.00091a4a0dae5p+2, 0x1.369bc71a44b14p-22, -0x1.c72046952477dp-26,
    0x1.1c11f1687d68fp+7, 0x1.62f71c4656b61p-1, 0x1.f5365ed863282p-11,
    -0x1.00af2b91bd9b5p-22, -0x1.4b98e53ad84bcp-27, -0x1.ca36132b4416p-4,
    0x1.458f7365fd894p-8, -0x1.3d0d978c45555p-28, -0x1.fe6c9574f16e9p+3,
    0x1.47bb8de5c6f52p-27, -0x1.2801fdf868ad5p-19, -0x1.320bd9fa8e0e1p-15,
    -0x1.b7a7621a8888ap-10, 0x1.1a0408712e00ap-2, -0x1.a4187f2ca71f9p-6,
    0x1.a02a866632735p-12, 0x1.d0c9d5bd3eadcp-17, -0x1.3528b3c6ada3fp-24,
    -0x1.616caf67ece82p-23, -0x1.b6626ff30c7fbp-13, -0x1.06e42fa680423p-16,
    -0x1.9249a728b3e7fp-15, 0x1.fc3a3240f08fbp-27, -0x1.bc21f0ba4ae83p-3,
    -0x1.dc2b5df1f7d3dp-1, -0x1.d792b60084f92p-11, 0x1.45a9fb18dbc86p-21,
    -0x1.e064c3dc2bd03p-28, 0x1.d707029bb59d9p-2, 0x1.d36219aaac3bfp-25,
    0x1.7757f6edad2a4p-23, -0x1.85068c07fbbf6p-1, 0x1.7a60ee15e3e9dp+6,
    0x1.fffffffffffffp-53, -0x1.0000000000001p-51, 0x1.ffffffffffffep-52,
    -0x1.0000000000002p-50, 0x1.ffffffffffffcp-51, -0x1.0000000000004p-49,
    0x1.ffffffffffff8p-50, -0x1.8000000000009p-49, 0x1.7fffffffffff7p-49,
    -0x1.0000000000008p-48, 0x1.ffffffffffffp-49, 0x1.7ffffffffffeep-48,
    -0x1.629ecab48da56p+9, -0x1.62bc5fd2365a2p+9, -0x1.62f88c0fd3dc9p+9,
    -0x1.629d4a7c6aa33p+9, -0x1.627c7a670bac2p+9, -0x1.62dc7cd0d2c7ap+9,
    -0x1.624bad204da03p+9, -0x1.62a1043e1b7eep+9, -0x1.62dc3f87ee696p+9,
    -0x1.632f23728e99p+9, -0x1.624c7a09dafe2p+9, -0x1.62bde1a327a0ep+9,
    -0x1.636ddd9006dd6p+9, -0x1.62611fc735d76p+9, -0x1.6251769ab6403p+9,
    -0x1.623759810f69ep+9, -0x1.625b74b10fa5p+9, -0x1.62cb21351d48bp+9,
    -0x1.623ef42719bdcp+9, -0x1.624f52a15a54fp+9, -0x1.62d0873fc1209p+9,
    -0x1.62b211b8219e6p+9, -0x1.62a5540c83a66p+9, -0x1.62416328072b5p+9,
    -0x1.625dafb6135f8p+9, -0x1.6233d21e76cb8p+9, -0x1.62bff74c5c182p+9,
    -0x1.63068c6e402d7p+9, -0x1.62826bb8ecc92p+9, -0x1.62e83aa02ca11p+9,
    // clang-format on
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_EXPONENTIAL_EXP_HARD_ARGUMENTS_H_
