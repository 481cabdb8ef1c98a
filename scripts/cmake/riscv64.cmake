set(LANEWISE_CROSS_PROCESSOR riscv64)
# Highway's RVV code needs GCC 13 or clang 16. The cross clang uses the linker and
# the libraries of the cross GCC.
set(LANEWISE_CROSS_MINIMUM 13)
# Highway's RVV target is static: the compiler must know that the CPU has vectors.
# So -march sets the baseline of the whole build here; dispatched targets must not
# have -march.
set(CMAKE_C_FLAGS_INIT "-march=rv64gcv")
set(CMAKE_CXX_FLAGS_INIT "-march=rv64gcv")
# qemu has 256-bit vectors, so that a kernel that assumes 128 bits fails.
set(LANEWISE_CROSS_CPU -cpu rv64,v=true,vlen=256)
set(LANEWISE_CROSS_CPUS "rvv128 RVV -cpu rv64,v=true,vlen=128")
# scripts/setup gets a newer qemu where the distribution has qemu 7.
set(LANEWISE_CROSS_QEMU "${CMAKE_CURRENT_LIST_DIR}/../../build/_deps/qemu")
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
