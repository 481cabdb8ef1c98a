# Uses the clang in zig's Python package (scripts/wheel). Unlike the system's
# compiler, zig can link for an older C library than the system's, for Arm and for
# Windows, and its C++ library is linked statically.
#
#   LANEWISE_ZIG         the program
#   LANEWISE_ZIG_TARGET  x86_64-linux-gnu.2.28 and the like
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEWISE_ZIG LANEWISE_ZIG_TARGET)

if(LANEWISE_ZIG_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${LANEWISE_ZIG_TARGET}")

# CMake takes what follows the program as arguments that every call needs.
set(CMAKE_C_COMPILER "${LANEWISE_ZIG}" cc)
set(CMAKE_CXX_COMPILER "${LANEWISE_ZIG}" c++)
set(CMAKE_C_COMPILER_TARGET ${LANEWISE_ZIG_TARGET})
set(CMAKE_CXX_COMPILER_TARGET ${LANEWISE_ZIG_TARGET})
# The first program that zig links for a machine takes minutes, because zig then compiles
# its C++ library. CMake's trials therefore link nothing: zig compiles the C++ library
# once, for the shared library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Without -g0 zig makes debug information, which the linker then throws away. zig keeps
# frame pointers, which each step of a chain would push and pop.
set(CMAKE_C_FLAGS_INIT "-g0 -fomit-frame-pointer")
set(CMAKE_CXX_FLAGS_INIT "-g0 -fomit-frame-pointer")
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -s)
foreach(_language C CXX)
  set(CMAKE_${_language}_ARCHIVE_CREATE
      "\"${LANEWISE_ZIG}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${_language}_ARCHIVE_FINISH "\"${LANEWISE_ZIG}\" ranlib <TARGET>")
  # ccache does not know zig. zig has a cache of its own.
  set(CMAKE_${_language}_COMPILER_LAUNCHER "")
endforeach()

# The machine's packages are made for another C++ library.
set(CMAKE_DISABLE_FIND_PACKAGE_hwy ON)
