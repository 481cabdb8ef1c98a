# Some tests on other CPUs than the emulator's default: LANEWISE_CROSS_CPUS, which
# the toolchain file sets.
function(_lanewise_test_on name arguments program)
  add_test(NAME ${name} COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${arguments}
                                $<TARGET_FILE:${program}> ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS quick TIMEOUT 600
                                          FAIL_REGULAR_EXPRESSION "Running 0 tests")
endfunction()

if(CMAKE_SYSTEM_PROCESSOR STREQUAL s390x)
  add_library(lanewise_z15 MODULE digest/z15.c)
  target_link_libraries(lanewise_z15 PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(lanewise_digest lanewise_z15)
  list(APPEND LANEWISE_CROSS_CPUS
       "z15 Z15 -E LD_PRELOAD=$<TARGET_FILE:lanewise_z15>")
endif()

foreach(_cpu IN LISTS LANEWISE_CROSS_CPUS)
  separate_arguments(_arguments UNIX_COMMAND "${_cpu}")
  list(POP_FRONT _arguments _name _isa)
  _lanewise_test_on(
    digests.${_name} "${_arguments}" lanewise_digest --quick --every --isa=${_isa}
    "--check=${CMAKE_CURRENT_SOURCE_DIR}/digest/quick.txt")
  # What depends on the number of lanes: the loops of one input, of comparisons and
  # of three inputs, and strided tiles.
  foreach(_op relu greater where)
    if(NOT TARGET ${_op}_test)
      continue()
    endif()
    set(_filter *Length*/${_isa})
    if(_op STREQUAL relu)
      string(APPEND _filter :*Stride*/${_isa})
    endif()
    _lanewise_test_on(lengths.${_name}.${_op} "${_arguments}" ${_op}_test
                      --gtest_filter=${_filter})
  endforeach()
endforeach()
