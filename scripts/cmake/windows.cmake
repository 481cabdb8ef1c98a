# 64-bit Windows: the clang of zig's Python package (scripts/setup windows), and Wine
# to run the result.
file(GLOB LANEWISE_ZIG
     "${CMAKE_CURRENT_LIST_DIR}/../../build/_deps/wheel-tools/lib/python3*/site-packages/ziglang/zig"
)
set(LANEWISE_ZIG_TARGET x86_64-windows-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
# WINEPREFIX is the folder that stands for Windows' disk. Programs look for the shared
# library in WINEPATH.
set(CMAKE_CROSSCOMPILING_EMULATOR
    env WINEDEBUG=-all WINEPREFIX=${CMAKE_BINARY_DIR}/wine
    WINEPATH=${CMAKE_BINARY_DIR}/shared wine)
