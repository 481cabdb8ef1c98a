set(LANEWISE_CROSS_PROCESSOR aarch64)
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
