# Finds Highway, oneTBB, GoogleTest and Google Benchmark. An installed package
# comes first, then the pinned release. Everything happens inside functions, so
# that the options of these projects do not reach the cache of a host project.
include(LanewiseFetch)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Makes the headers of a dependency that is built here system headers. Like the
# headers of an installed dependency, they then give no warnings.
function(lanewise_system_headers)
  # Highway includes each kernel file again for each instruction set, and clang
  # counts no line that a system header includes.
  if(LANEWISE_COVERAGE)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(dirs ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(dirs)
      set_property(TARGET ${target} APPEND
                   PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${dirs}")
    endif()
  endforeach()
endfunction()

function(lanewise_find_highway)
  if(TARGET hwy::hwy OR TARGET hwy)
    return()
  endif()
  # If the distribution's package is too old, scripts/setup puts the source of a
  # newer release into this folder.
  set(local "${PROJECT_SOURCE_DIR}/build/_deps/highway")
  if(NOT FETCHCONTENT_SOURCE_DIR_HIGHWAY AND EXISTS "${local}/CMakeLists.txt")
    set(FETCHCONTENT_SOURCE_DIR_HIGHWAY "${local}")
  endif()
  if(NOT FETCHCONTENT_SOURCE_DIR_HIGHWAY)
    find_package(hwy 1.2 CONFIG QUIET GLOBAL)
    if(hwy_FOUND)
      message(STATUS "Highway ${hwy_VERSION}: ${hwy_DIR}")
      return()
    endif()
  endif()
  _lanewise_quiet_subproject()
  set(BUILD_SHARED_LIBS OFF)
  set(HWY_FORCE_STATIC_LIBS ON)
  set(HWY_ENABLE_CONTRIB OFF)
  set(HWY_ENABLE_EXAMPLES OFF)
  set(HWY_ENABLE_TESTS OFF)
  # LanewiseInstall installs the archive under the name lanewise_hwy.
  set(HWY_ENABLE_INSTALL OFF)
  _lanewise_fetch(
    highway
    https://github.com/google/highway/releases/download/1.3.0/highway-1.3.0.tar.gz
    e8d696900b45f4123be8a9d6866f4e7b6831bf599f4b9c178964d968e6a58a69)
  message(STATUS "Highway from source: ${highway_SOURCE_DIR}")
  set(LANEWISE_HIGHWAY_SOURCE "${highway_SOURCE_DIR}" PARENT_SCOPE)
  set_target_properties(hwy_list_targets hwy_test PROPERTIES EXCLUDE_FROM_ALL ON)
  # lanewise asks Highway for the CPU's instruction sets, and for nothing else. All other
  # sources would add a twentieth to the time in which the library compiles.
  get_target_property(sources hwy SOURCES)
  list(FILTER sources INCLUDE REGEX "(abort|targets)\\.cc$")
  set_target_properties(hwy PROPERTIES SOURCES "${sources}")
  # -w: Highway's own warnings are of no use here.
  target_compile_options(hwy PRIVATE -w)
  # A host may have its own Highway, of another version. With other names of archive
  # and namespace, the linker cannot confuse the two.
  set_target_properties(hwy PROPERTIES OUTPUT_NAME lanewise_hwy)
  target_compile_definitions(hwy PUBLIC hwy=lanewise_hwy)
  lanewise_system_headers(hwy)
  if(NOT TARGET hwy::hwy)
    add_library(hwy::hwy ALIAS hwy)
  endif()
endfunction()

function(lanewise_find_tbb)
  if(TARGET TBB::tbb)
    return()
  endif()
  find_package(TBB 2021.5 CONFIG QUIET GLOBAL COMPONENTS tbb)
  if(TBB_FOUND)
    message(STATUS "oneTBB ${TBB_VERSION}: ${TBB_DIR}")
    return()
  endif()
  _lanewise_quiet_subproject()
  # oneTBB must be a shared library: two copies of the scheduler in one process
  # would compete for the cores.
  set(BUILD_SHARED_LIBS ON)
  set(TBB_TEST OFF)
  set(TBB_STRICT OFF)
  set(TBB_EXAMPLES OFF)
  set(TBB_INSTALL ${LANEWISE_INSTALL})
  set(TBBMALLOC_BUILD OFF)
  _lanewise_fetch(
    tbb
    https://github.com/oneapi-src/oneTBB/archive/refs/tags/v2021.12.0.tar.gz
    c7bb7aa69c254d91b8f0041a71c5bcc3936acb64408a1719aec0b2b7639dd84f)
  lanewise_system_headers(tbb)
endfunction()

function(lanewise_find_gtest)
  if(TARGET GTest::gtest_main)
    return()
  endif()
  # A package for another machine or C++ library does not work. The cross presets
  # set a source folder, and GoogleTest is then built here.
  if(NOT FETCHCONTENT_SOURCE_DIR_GOOGLETEST)
    find_package(GTest 1.11 CONFIG QUIET GLOBAL)
    if(GTest_FOUND)
      message(STATUS "GoogleTest ${GTest_VERSION}: ${GTest_DIR}")
      return()
    endif()
  endif()
  _lanewise_quiet_subproject()
  set(BUILD_SHARED_LIBS OFF)
  set(INSTALL_GTEST OFF)
  _lanewise_fetch(
    googletest
    https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
  lanewise_system_headers(gtest gmock gtest_main gmock_main)
  foreach(name gtest gmock gtest_main gmock_main)
    target_compile_options(${name} PRIVATE -w)
    if(NOT TARGET GTest::${name})
      add_library(GTest::${name} ALIAS ${name})
    endif()
  endforeach()
endfunction()

function(lanewise_find_benchmark)
  if(TARGET benchmark::benchmark)
    return()
  endif()
  find_package(benchmark 1.6 CONFIG QUIET GLOBAL)
  if(benchmark_FOUND)
    message(STATUS "Google Benchmark ${benchmark_VERSION}: ${benchmark_DIR}")
    return()
  endif()
  _lanewise_quiet_subproject()
  set(BUILD_SHARED_LIBS OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_WERROR OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(BENCHMARK_INSTALL_DOCS OFF)
  _lanewise_fetch(
    benchmark
    https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)
  lanewise_system_headers(benchmark)
endfunction()

lanewise_find_highway()
if(LANEWISE_TBB)
  lanewise_find_tbb()
endif()
