# The library targets, made from the objects of kernels/ and runtime/:
#   lanewise           for hosts; BUILD_SHARED_LIBS makes it static or shared
#   lanewise_shared    always shared; for the symbol check and bindings
#   lanewise_internal  always static; for the project's own tests, which use
#                      functions that are not exported
set(_objects $<TARGET_OBJECTS:lanewise_kernels>
             $<TARGET_OBJECTS:lanewise_runtime>)

function(_lanewise_library name type)
  add_library(${name} ${type} ${_objects})
  set_target_properties(
    ${name}
    PROPERTIES LINKER_LANGUAGE CXX
               OUTPUT_NAME lanewise
               VERSION ${PROJECT_VERSION}
               # Before 1.0, a minor release may change the ABI.
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(
    ${name} INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  # C++ hosts need C++17. C hosts need only C99.
  target_compile_features(${name} INTERFACE cxx_std_17)
  target_link_libraries(${name} PRIVATE hwy::hwy Threads::Threads)
  if(LANEWISE_TBB)
    target_link_libraries(${name} PRIVATE TBB::tbb)
  endif()
  if(type STREQUAL "SHARED")
    # Do not export the symbols of Highway and libstdc++.
    set(map "${PROJECT_SOURCE_DIR}/scripts/cmake/lanewise.map")
    if(NOT APPLE AND NOT WIN32)
      target_link_options(${name} PRIVATE "-Wl,--version-script=${map}"
                          ${LANEWISE_HARDENING})
      set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${map}")
    endif()
  else()
    target_compile_definitions(${name} INTERFACE LW_STATIC)
  endif()
endfunction()

if(BUILD_SHARED_LIBS)
  _lanewise_library(lanewise SHARED)
  add_library(lanewise_shared ALIAS lanewise)
  if(LANEWISE_BUILD_TESTS OR LANEWISE_BUILD_BENCHMARKS)
    _lanewise_library(lanewise_internal STATIC)
    set_target_properties(lanewise_internal PROPERTIES OUTPUT_NAME
                                                       lanewise_internal)
  endif()
else()
  _lanewise_library(lanewise STATIC)
  add_library(lanewise_internal ALIAS lanewise)
  if(LANEWISE_BUILD_TESTS)
    _lanewise_library(lanewise_shared SHARED)
    set_target_properties(
      lanewise_shared
      PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/shared"
                 RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/shared")
  endif()
endif()
add_library(lanewise::lanewise ALIAS lanewise)
