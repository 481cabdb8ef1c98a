# lanewise_build: the flags for every object of this project. Targets link
# lanewise_build as PRIVATE, and it is never exported. lanewise_build_serial: the
# same, without oneTBB.
add_library(lanewise_build_serial INTERFACE)
target_compile_features(lanewise_build_serial INTERFACE cxx_std_20)
target_include_directories(
  lanewise_build_serial
  INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include"
            "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(lanewise_build_serial INTERFACE hwy::hwy Threads::Threads)
add_library(lanewise_build INTERFACE)
target_link_libraries(lanewise_build INTERFACE lanewise_build_serial)
if(LANEWISE_TBB)
  target_link_libraries(lanewise_build INTERFACE TBB::tbb)
endif()
target_compile_definitions(
  lanewise_build INTERFACE LANEWISE_HAVE_TBB=$<BOOL:${LANEWISE_TBB}>)

# The bits of Highway's targets that are disabled. AVX10.2 is disabled: CPUs with
# AVX10.2 run the AVX3_SPR code. Its bit is written as 1 << 3, because Highway 1.2
# has no name for it. SSSE3 is disabled: no operator gains from it over SSE2.
if(LANEWISE_TARGETS STREQUAL "all")
  set(_disabled "((1LL<<3)|HWY_SSSE3)")
else()
  set(_keep ${LANEWISE_TARGETS})
  # Most files have one version for these three (kernels/targets.h).
  if("AVX3_DL" IN_LIST _keep OR "AVX3_SPR" IN_LIST _keep)
    list(APPEND _keep AVX3)
  endif()
  # The baseline targets stay enabled: Highway needs a static target.
  list(APPEND _keep SSE2 NEON NEON_WITHOUT_AES RVV EMU128 SCALAR)
  list(TRANSFORM _keep PREPEND "HWY_")
  list(JOIN _keep "|" _keep)
  set(_disabled "(~(${_keep}))")
endif()

# With contraction, each instruction set would round differently. A library that others
# use is never compiled with -march: Highway would then use those instructions on every
# CPU.
target_compile_options(lanewise_build_serial INTERFACE -ffp-contract=off
                                                       -fno-math-errno)
target_compile_definitions(
  lanewise_build_serial
  INTERFACE "HWY_DISABLED_TARGETS=${_disabled}"
            "LANEWISE_DISABLED_TARGETS=${_disabled}" LW_BUILDING
            "LANEWISE_VERSION=\"${PROJECT_VERSION}\"")
# Builds for tests alone leave out the code for older CPUs, which takes half of their
# time. Highway's static target is then the lowest one of this level, if the level has
# all that Highway asks for: skylake has AES, which haswell and x86-64-v3 lack.
if(LANEWISE_X86_LEVEL AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  target_compile_options(lanewise_build_serial INTERFACE
                         "-march=${LANEWISE_X86_LEVEL}")
endif()
# On Windows an object says itself what a library exports. The provider's library
# contains these objects, and must not export lw_*.
if(WIN32 AND BUILD_SHARED_LIBS AND LANEWISE_BUILD_ORT_EP)
  message(
    FATAL_ERROR "On Windows, LANEWISE_BUILD_ORT_EP needs BUILD_SHARED_LIBS=OFF")
elseif(WIN32 AND NOT BUILD_SHARED_LIBS)
  target_compile_definitions(lanewise_build_serial INTERFACE LW_STATIC)
endif()

if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(lanewise_build_serial INTERFACE -Wall -Wextra)
endif()
if(LANEWISE_WERROR)
  target_compile_options(lanewise_build_serial INTERFACE -Werror)
endif()

# For shared libraries on ELF systems. relro and now: what the loader has filled in
# is read-only afterwards. nodelete: the library stays loaded when its last user
# unloads it, because threads of oneTBB may still run its code, and a handler of
# fork() points to it.
set(LANEWISE_HARDENING "")
if(NOT APPLE AND NOT WIN32)
  set(LANEWISE_HARDENING "LINKER:-z,relro" "LINKER:-z,now"
                         "LINKER:-z,noexecstack" "LINKER:-z,nodelete")
endif()
# For files that are not on the way of a call. A check of the stack would cost a
# small call some of its 20 ns.
set(LANEWISE_STACK_PROTECTOR "")
if(NOT WIN32)
  set(LANEWISE_STACK_PROTECTOR -fstack-protector-strong)
endif()

set(LANEWISE_COVERAGE_OPTIONS "")
if(LANEWISE_COVERAGE)
  set(LANEWISE_COVERAGE_OPTIONS -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# A host's threads may have small stacks: no call takes more than 48 KiB, and several
# frames share them (tests/api/stack_test.cc). Frames are larger without optimization,
# and with what sanitizers and counters add; other architectures have frames of their
# own. A host that builds the library chooses its own warnings.
function(lanewise_limit_frames target bytes)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _type)
  set(_flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${_type}}")
  if(NOT PROJECT_IS_TOP_LEVEL OR LANEWISE_COVERAGE OR NOT _flags MATCHES "-O[1-3s]"
     OR _flags MATCHES "-fsanitize="
     OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wframe-larger-than=${bytes})
endfunction()

# The static and the shared library share these objects, so they are always PIC.
function(lanewise_add_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE lanewise_build)
  target_compile_options(${name} PRIVATE ${LANEWISE_COVERAGE_OPTIONS})
  set_target_properties(
    ${name}
    PROPERTIES POSITION_INDEPENDENT_CODE ON
               CXX_EXTENSIONS OFF
               CXX_VISIBILITY_PRESET hidden
               C_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
endfunction()
