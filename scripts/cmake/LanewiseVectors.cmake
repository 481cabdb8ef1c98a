# Refuses compilers and flags for which Highway has only its scalar target, which
# lacks operations that the kernels need, or only emulated vectors, which nobody
# has tested.
include(CheckCXXSourceCompiles)

# Whether a condition on Highway's macros holds: lanewise_highway_says(RESULT CONDITION
# [flags of the compiler]).
function(lanewise_highway_says result condition)
  # An imported target has plain folders or none, a target of this build has
  # generator expressions.
  get_target_property(include hwy::hwy INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT include)
    set(include "")
  endif()
  string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1" include "${include}")
  string(GENEX_STRIP "${include}" CMAKE_REQUIRED_INCLUDES)
  list(JOIN ARGN " " CMAKE_REQUIRED_FLAGS)
  set(CMAKE_REQUIRED_QUIET ON)
  # The flags may not be those of the last configuration.
  unset(LANEWISE_HIGHWAY_SAYS CACHE)
  check_cxx_source_compiles(
    "#include \"hwy/detect_targets.h\"
     #if !(${condition})
     #error no
     #endif
     int main() {}" LANEWISE_HIGHWAY_SAYS)
  set(${result} "${LANEWISE_HIGHWAY_SAYS}" PARENT_SCOPE)
  unset(LANEWISE_HIGHWAY_SAYS CACHE)
endfunction()

function(_lanewise_check_vectors)
  lanewise_highway_says(has_vectors "HWY_STATIC_TARGET != HWY_SCALAR && HWY_STATIC_TARGET != HWY_EMU128")
  if(has_vectors)
    return()
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^s390x")
    set(flags "\"-march=z14 -mzvector\", or a newer CPU (GCC 9 or clang 19)")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^riscv64")
    set(flags "\"-march=rv64gcv\" (GCC 13 or clang 16)")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(ppc|powerpc)64")
    set(flags "\"-mcpu=power8\" or newer")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^loongarch64")
    set(flags "\"-mlsx\"")
  else()
    set(flags "what the CPU's vectors need (and not HWY_COMPILE_ONLY_SCALAR)")
  endif()
  message(
    FATAL_ERROR
      "lanewise needs vectors, and Highway knows none for ${CMAKE_CXX_COMPILER} "
      "with CMAKE_CXX_FLAGS \"${CMAKE_CXX_FLAGS}\". Add to them: ${flags}")
endfunction()
_lanewise_check_vectors()
