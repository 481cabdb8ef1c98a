set(LANEWISE_CROSS_PROCESSOR riscv64)
# Highway's RVV needs GCC 13 or clang 16; the cross clang uses the cross GCC's
# linker and libraries.
set(LANEWISE_CROSS_MINIMUM 13)
# Highway's RVV target is a static one: it needs the compiler to be told. This
# is a baseline for the whole build, unlike -march on the dispatched targets.
set(CMAKE_C_FLAGS_INIT "-march=rv64gcv")
set(CMAKE_CXX_FLAGS_INIT "-march=rv64gcv")
# 256-bit vectors, so that a kernel that assumes 128 bits is found out.
set(LANEWISE_CROSS_CPU -cpu rv64,v=true,vlen=256)
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
