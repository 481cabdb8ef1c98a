set(LANEWISE_CROSS_PROCESSOR aarch64)
# NEON. Highway has targets of their own for SVE with 128 and 256 bits.
set(LANEWISE_CROSS_CPU -cpu max,sve=off)
set(LANEWISE_CROSS_CPUS "sve128 SVE2_128 -cpu max,sve-default-vector-length=16"
                        "sve256 SVE_256 -cpu max,sve-default-vector-length=32"
                        "sve512 SVE2 -cpu max,sve-default-vector-length=64")
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
