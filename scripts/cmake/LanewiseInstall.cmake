# There are two install components. `runtime` is the shared library; everything
# else is `development`. All installed paths are relative to the prefix, so that
# the prefix can be moved.
include(CMakePackageConfigHelpers)

set(_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/lanewise")

install(
  TARGETS lanewise
  EXPORT lanewiseTargets
  ARCHIVE COMPONENT development DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME COMPONENT runtime DESTINATION "${CMAKE_INSTALL_BINDIR}"
  LIBRARY COMPONENT runtime
          NAMELINK_COMPONENT development
          DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/lanewise"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "*.hpp")

# A host that links a static lanewise also links Highway. If Highway was built
# here, its archive is installed with lanewise. If Highway was already installed,
# the config file looks for that package.
set(LANEWISE_CONFIG_HIGHWAY OFF)
set(LANEWISE_CONFIG_TBB OFF)
set(LANEWISE_PC_REQUIRES "")
set(LANEWISE_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
  get_target_property(_imported hwy::hwy IMPORTED)
  if(_imported)
    set(LANEWISE_CONFIG_HIGHWAY ON)
    list(APPEND LANEWISE_PC_REQUIRES libhwy)
  else()
    install(
      TARGETS hwy
      EXPORT lanewiseTargets
      ARCHIVE COMPONENT development DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    list(APPEND LANEWISE_PC_LIBS -llanewise_hwy)
  endif()
  if(LANEWISE_TBB)
    set(LANEWISE_CONFIG_TBB ON)
    list(APPEND LANEWISE_PC_REQUIRES tbb)
  endif()
  # The C++ libraries, which a C compiler does not link by itself.
  set(LANEWISE_CXX_RUNTIME ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(FILTER LANEWISE_CXX_RUNTIME INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m)$")
  list(REMOVE_DUPLICATES LANEWISE_CXX_RUNTIME)
  foreach(_lib IN LISTS LANEWISE_CXX_RUNTIME)
    list(APPEND LANEWISE_PC_LIBS -l${_lib})
  endforeach()
  list(APPEND LANEWISE_PC_LIBS -pthread)
endif()
list(JOIN LANEWISE_PC_REQUIRES " " LANEWISE_PC_REQUIRES)
list(JOIN LANEWISE_PC_LIBS " " LANEWISE_PC_LIBS)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/scripts/cmake/lanewise-config.cmake.in"
  "${PROJECT_BINARY_DIR}/generated/lanewise-config.cmake"
  INSTALL_DESTINATION "${_config_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/generated/lanewise-config-version.cmake"
  # Before 1.0, a minor release may change the API.
  COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/generated/lanewise-config.cmake"
        "${PROJECT_BINARY_DIR}/generated/lanewise-config-version.cmake"
  DESTINATION "${_config_dir}"
  COMPONENT development)
install(
  EXPORT lanewiseTargets
  NAMESPACE lanewise::
  DESTINATION "${_config_dir}"
  COMPONENT development)

set(_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH LANEWISE_PC_PREFIX "/p/${_pc_dir}" "/p")
string(REGEX REPLACE "/$" "" LANEWISE_PC_PREFIX "${LANEWISE_PC_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/scripts/cmake/lanewise.pc.in"
               "${PROJECT_BINARY_DIR}/generated/lanewise.pc" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/generated/lanewise.pc"
  DESTINATION "${_pc_dir}"
  COMPONENT development)
