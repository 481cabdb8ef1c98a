# What compiles together, and what apart. A unit is a file in the build folder: it
# includes operators' files, and Highway includes it once for each instruction set.
#
# Together: up to eight operators, or four that have code for each instruction set. Half
# of the time in which an operator compiles alone goes to Highway's headers, and code that
# operators share stands once in a unit.
#
# Apart: for x86, clang passes vectors of 256 and 512 bits in registers only in a file
# whose command line has the flags of their instructions. Highway's target attributes do
# not count, and the steps of chains (step.h) then take five times as long. So by clang
# the code for AVX2, and the code for AVX-512, have units and flags of their own. What
# such a unit contains must not run on older CPUs: tests/machine_code looks for it.
option(LANEWISE_GROUPS "Compile several operators together (a quicker whole build)" ON)

# Instruction sets with units of their own; the sets that share a unit, the first of
# which has its flags on the command line.
set(_sets_AVX2 AVX2)
# Without exceptions there are no functions that end programs in place of a throw.
set(_flags_AVX2 -fno-exceptions -msse4.2 -mpclmul -maes -mavx2 -mbmi -mbmi2 -mfma -mf16c)
set(_sets_AVX3 AVX3 AVX3_DL AVX3_ZEN4 AVX3_SPR)
set(_flags_AVX3 ${_flags_AVX2} -mavx512f -mavx512cd -mavx512vl -mavx512dq -mavx512bw)

# The instruction sets that have units of their own in this build. Without optimization
# there are none: no step ends with a jump then, and functions of the C++ library that
# are not inlined would be compiled with the flags.
function(_lanewise_find_apart result)
  set(_apart "")
  set(_level "")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _type)
  if(LANEWISE_X86_LEVEL)
    set(_level "-march=${LANEWISE_X86_LEVEL}")
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang"
     AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$"
     AND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${_type}}" MATCHES "-O[1-3s]")
    foreach(_set AVX2 AVX3)
      if(LANEWISE_TARGETS MATCHES "(^|;)(all|${_set})")
        lanewise_highway_says(_lower "HWY_STATIC_TARGET > HWY_${_set}" ${_level})
        lanewise_highway_says(_works "HWY_STATIC_TARGET == HWY_${_set}" ${_level}
                              ${_flags_${_set}})
        if(_lower AND _works)
          list(APPEND _apart ${_set})
        endif()
      endif()
    endforeach()
  endif()
  set(${result} ${_apart} PARENT_SCOPE)
endfunction()
_lanewise_find_apart(_lanewise_apart)

# Highway's targets that belong to units of their own, as an expression.
function(_lanewise_targets result)
  set(_targets "")
  foreach(_set IN LISTS ARGN)
    list(APPEND _targets ${_sets_${_set}})
  endforeach()
  list(TRANSFORM _targets PREPEND "HWY_")
  list(JOIN _targets " | " _targets)
  set(${result} "(${_targets})" PARENT_SCOPE)
endfunction()

# Writes a unit: lines for targets.h, the operators' files, lines before and behind.
function(_lanewise_write_unit path choice before sources behind)
  list(TRANSFORM sources REPLACE "(.+)" "#include \"kernels/\\1\"\n")
  list(JOIN sources "" _files)
  # Each operator's file names itself as the file that Highway includes again.
  set(_again "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"${path}\"\n")
  string(CONCAT _text "${choice}\n#include \"kernels/targets.h\"\n" "${_again}"
                "#include \"hwy/foreach_target.h\"\n" "${before}${_files}${behind}${_again}")
  file(CONFIGURE OUTPUT "${path}" CONTENT "${_text}" @ONLY)
endfunction()

# Writes the unit of a set in _lanewise_apart. What exists once is not in it. For each
# operator it has a function that returns the kernels of the best of `targets`.
function(_lanewise_write_apart path set choice sources)
  _lanewise_targets(_here ${set})
  set(_answers "")
  foreach(_source IN LISTS sources)
    get_filename_component(_word "${_source}" NAME_WE)
    string(APPEND _answers "TargetKernels op_${_word}(int64_t targets) {\n"
           "  return LANEWISE_KERNELS(op_${_word})(targets);\n}\n")
  endforeach()
  _lanewise_write_unit(
    "${path}" "${choice}\n#define LANEWISE_ELSEWHERE ~${_here}"
    "#if HWY_ONCE\n#define LANEWISE_LAST\n#endif\n#undef HWY_ONCE\n#define HWY_ONCE 0\n"
    "${sources}"
    "#ifdef LANEWISE_LAST\nnamespace lanewise::apart_${set} {\n${_answers}}\n#endif\n")
endfunction()

# Writes the unit of all other sets, which first asks those functions for better kernels.
function(_lanewise_write_rest path choice sources)
  _lanewise_targets(_elsewhere ${_lanewise_apart})
  set(_ask "")
  set(_declarations "#include \"kernels/kernel.h\"\n")
  foreach(_set IN LISTS _lanewise_apart)
    string(PREPEND _ask
           " if (targets & HWY_${_set}) return apart_${_set}::space(targets);")
    string(APPEND _declarations "namespace lanewise::apart_${_set} {\n")
    foreach(_source IN LISTS sources)
      get_filename_component(_word "${_source}" NAME_WE)
      string(APPEND _declarations "TargetKernels op_${_word}(int64_t targets);\n")
    endforeach()
    string(APPEND _declarations "}\n")
  endforeach()
  string(CONCAT _choice "${choice}\n#define LANEWISE_ELSEWHERE ${_elsewhere}\n"
                "#define LANEWISE_KERNELS_APART(space)${_ask}")
  _lanewise_write_unit("${path}" "${_choice}" "${_declarations}" "${sources}" "")
endfunction()

# Appends the units of these sources to the list `result`.
function(_lanewise_units_of result options choice sources)
  set(_units ${${result}})
  list(JOIN choice "\n" choice)
  list(LENGTH sources _size)
  list(GET sources 0 _first)
  set(_path "${PROJECT_BINARY_DIR}/generated/kernels/${_first}")
  if(_lanewise_apart)
    _lanewise_write_rest("${_path}" "${choice}" "${sources}")
  elseif(_size GREATER 1)
    _lanewise_write_unit("${_path}" "${choice}" "" "${sources}" "")
  else()
    set(_path "${_first}")
  endif()
  set_source_files_properties("${_path}" PROPERTIES COMPILE_OPTIONS "${options}")
  list(APPEND _units "${_path}")
  foreach(_set IN LISTS _lanewise_apart)
    string(REGEX REPLACE "\\.cc$" "_${_set}.cc" _own "${_path}")
    _lanewise_write_apart("${_own}" ${_set} "${choice}" "${sources}")
    set_source_files_properties("${_own}" PROPERTIES COMPILE_OPTIONS
                                                     "${options};${_flags_${_set}}")
    list(APPEND _units "${_own}")
  endforeach()
  set(${result} ${_units} PARENT_SCOPE)
endfunction()

# Appends the units of these sources, which compile with `options`, to the list
# `result`. Only files with the same choice of instruction sets (targets.h) share a unit.
function(lanewise_units result options)
  set(_units ${${result}})
  set(_kinds "")
  # Operators of one folder share code.
  set(_sources ${ARGN})
  list(SORT _sources)
  foreach(_source IN LISTS _sources)
    file(STRINGS "${_source}" _choice
         REGEX "^#define LANEWISE_(FEW_TARGETS|GAINS_FROM)")
    # A changed choice makes other units.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_source}")
    string(MAKE_C_IDENTIFIER "choice ${_choice}" _kind)
    list(APPEND _kinds ${_kind})
    list(APPEND _sources_${_kind} "${_source}")
    set(_choice_${_kind} "${_choice}")
  endforeach()
  list(REMOVE_DUPLICATES _kinds)
  foreach(_kind IN LISTS _kinds)
    set(_most 4)
    if(NOT LANEWISE_GROUPS)
      set(_most 1)
    elseif(_choice_${_kind} MATCHES "FEW_TARGETS")
      set(_most 8)
    endif()
    while(_sources_${_kind})
      list(SUBLIST _sources_${_kind} 0 ${_most} _together)
      list(REMOVE_ITEM _sources_${_kind} ${_together})
      _lanewise_units_of(_units "${options}" "${_choice_${_kind}}" "${_together}")
    endwhile()
  endforeach()
  set(${result} ${_units} PARENT_SCOPE)
endfunction()
