set(LANEWISE_CROSS_PROCESSOR aarch64)
# NEON. Highway also has targets for SVE with exactly 128 and 256 bits, which the preset
# leaves out: each takes as long to build as all others.
set(LANEWISE_CROSS_CPU -cpu max,sve=off)
set(LANEWISE_CROSS_CPUS "sve128 SVE2 -cpu max,sve-default-vector-length=16"
                        "sve512 SVE2 -cpu max,sve-default-vector-length=64")
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
