# Compiles operators of one folder together, at most four: half of the time in which an
# operator compiles alone goes to Highway's headers, and code that operators share
# stands once in a group.
#
# A group is a file in the build folder. The file includes its operators' files, and
# Highway includes the file once for each instruction set.
option(LANEWISE_GROUPS "Compile several operators together (a quicker whole build)" ON)

# Names that several operators' files define. In a group, the operator's word is added.
set(_own_names
    BF16
    F16
    FirstAttributes
    InDoubles
    Kernels
    ToOutput
    kAlpha
    kAttributes
    kAttributes19
    kAttributes24
    kForms
    kInputs
    kInputs10
    kKernels
    kOldAttributes
    kOutputs
    kPatterns
    kPatternsOf16
    kVersions)

function(_lanewise_write_group path operators targets)
  list(JOIN targets "\n" _text)
  # Each operator's file names itself as the file that Highway includes again.
  set(_again "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"${path}\"\n")
  string(APPEND _text "\n#include \"kernels/targets.h\"\n" "${_again}"
         "#include \"hwy/foreach_target.h\"\n")
  foreach(_operator IN LISTS operators)
    get_filename_component(_word "${_operator}" NAME_WE)
    foreach(_name IN LISTS _own_names)
      string(APPEND _text "#define ${_name} ${_name}_${_word}\n")
    endforeach()
    string(APPEND _text "#include \"kernels/${_operator}\"\n")
    foreach(_name IN LISTS _own_names)
      string(APPEND _text "#undef ${_name}\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT "${path}" CONTENT "${_text}${_again}" @ONLY)
endfunction()

# Replaces the files in the list `sources` with groups. Only files of one folder with
# the same choice of instruction sets (kernels/targets.h) share a group.
function(lanewise_group sources)
  set(_result "")
  set(_kinds "")
  foreach(_source IN LISTS ${sources})
    file(STRINGS "${_source}" _includes REGEX "^#include \"hwy/foreach_target.h\"")
    if(NOT _includes)
      list(APPEND _result "${_source}")
      continue()
    endif()
    # Whether the file may be in its group must be asked again when the file changes.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_source}")
    file(STRINGS "${_source}" _targets
         REGEX "^#define LANEWISE_(FEW_TARGETS|GAINS_FROM)")
    get_filename_component(_folder "${_source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${_folder} ${_targets}" _kind)
    list(APPEND _kinds ${_kind})
    list(APPEND _sources_${_kind} "${_source}")
    set(_targets_${_kind} "${_targets}")
  endforeach()
  list(REMOVE_DUPLICATES _kinds)
  foreach(_kind IN LISTS _kinds)
    while(_sources_${_kind})
      list(SUBLIST _sources_${_kind} 0 4 _group)
      list(REMOVE_ITEM _sources_${_kind} ${_group})
      list(GET _group 0 _path)
      list(LENGTH _group _size)
      if(_size GREATER 1)
        set(_path "${PROJECT_BINARY_DIR}/generated/kernels/${_path}")
        _lanewise_write_group("${_path}" "${_group}" "${_targets_${_kind}}")
      endif()
      list(APPEND _result "${_path}")
    endwhile()
  endforeach()
  set(${sources} ${_result} PARENT_SCOPE)
endfunction()
