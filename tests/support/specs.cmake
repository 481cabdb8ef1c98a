# lanewise_specs: the specs of all operators of this build, each compiled from the
# operator's own test file (tests/support/operator_spec.h), without the tests.
if(NOT TARGET lanewise_specs)
  set(_files)
  foreach(_path IN LISTS LANEWISE_OPERATOR_PATHS)
    list(APPEND _files "${PROJECT_SOURCE_DIR}/tests/kernels/${_path}_test.cc")
  endforeach()
  add_library(lanewise_operator_spec STATIC
              "${PROJECT_SOURCE_DIR}/tests/support/operator_spec.cc")
  target_link_libraries(lanewise_operator_spec PRIVATE lanewise_build)
  set_target_properties(lanewise_operator_spec PROPERTIES CXX_EXTENSIONS OFF)
  add_library(lanewise_specs STATIC ${_files}
                                    "${PROJECT_SOURCE_DIR}/tests/support/all_specs.cc")
  target_compile_definitions(lanewise_specs PRIVATE LANEWISE_SPEC_ONLY=1)
  target_link_libraries(
    lanewise_specs
    PRIVATE lanewise_build
    PUBLIC lanewise_operator_spec)
  # Most of the time in which one of these files compiles goes to headers.
  set_target_properties(lanewise_specs PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ON
                                                  UNITY_BUILD_BATCH_SIZE 20)
endif()
