# The execution provider in ONNX Runtime's Python package: each *_test.py once in
# the oldest version that the provider supports and once in the newest. No list of
# tests: a file that is there is run.
lanewise_python_environment(_environment _reason)
if(_reason)
  message(STATUS "Not run: onnxruntime in Python (${_reason})")
  return()
endif()

function(lanewise_add_onnxruntime_test name environment file)
  add_test(
    NAME ${name}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/onnxruntime/prepare" ${environment}
            "${file}" $<TARGET_FILE:onnxruntime_ep_lanewise>
            $<TARGET_FILE:lanewise_shared>)
  set_tests_properties(
    ${name} PROPERTIES LABELS "quick;onnxruntime" SKIP_RETURN_CODE 77 TIMEOUT 600
                       ENVIRONMENT "${_environment}")
endfunction()

file(GLOB _tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.py")
foreach(_test IN LISTS _tests)
  get_filename_component(_name "${_test}" NAME_WE)
  foreach(_version IN ITEMS floor newest)
    lanewise_add_onnxruntime_test(onnxruntime_${_name}.${_version} ort-${_version}
                                  "${_test}")
  endforeach()
endforeach()
# A version that the provider refuses.
lanewise_add_onnxruntime_test(onnxruntime_too_old ort-too-old
                              "${CMAKE_CURRENT_LIST_DIR}/too_old.py")
