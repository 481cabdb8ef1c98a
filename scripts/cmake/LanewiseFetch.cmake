# Downloads of pinned releases.
include(FetchContent)

# Makes plain variables of this file override a subproject's option() and
# set(CACHE).
macro(_lanewise_quiet_subproject)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_DEFAULT_CMP0126 NEW)
  if(POLICY CMP0135)
    set(CMAKE_POLICY_DEFAULT_CMP0135 NEW)
  endif()
  set(CMAKE_WARN_DEPRECATED OFF)
  set(BUILD_TESTING OFF)
endmacro()

# Downloads a release and adds its targets. Tries the download only once:
# without a network, FetchContent's own retries take minutes.
macro(_lanewise_fetch name url sha256)
  string(TOUPPER ${name} _upper)
  get_filename_component(_archive "${url}" NAME)
  set(_archive "${PROJECT_BINARY_DIR}/_deps/${name}-${_archive}")
  if(NOT FETCHCONTENT_SOURCE_DIR_${_upper})
    message(STATUS "Downloading ${url}")
    file(DOWNLOAD "${url}" "${_archive}" EXPECTED_HASH SHA256=${sha256}
         INACTIVITY_TIMEOUT 20 STATUS _status)
    if(NOT _status MATCHES "^0;")
      file(REMOVE "${_archive}")
      message(
        FATAL_ERROR
          "${name}: no package was found, and its release could not be "
          "downloaded (${_status}). scripts/setup installs what is needed on "
          "Debian and Ubuntu; elsewhere install it, or unpack its source and "
          "set FETCHCONTENT_SOURCE_DIR_${_upper}.")
    endif()
  endif()
  FetchContent_Declare(${name} URL "${_archive}" URL_HASH SHA256=${sha256})
  FetchContent_MakeAvailable(${name})
endmacro()
