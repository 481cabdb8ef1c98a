set(LANEWISE_CROSS_PROCESSOR s390x)
# Highway has vectors for a baseline of z14 and newer. Highway takes
# z15's instructions where the CPU has them.
set(CMAKE_C_FLAGS_INIT "-march=z14 -mzvector")
set(CMAKE_CXX_FLAGS_INIT "-march=z14 -mzvector")
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
