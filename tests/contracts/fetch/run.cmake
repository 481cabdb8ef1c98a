# Fetches an archive by its right hash, and by a wrong one: only the first works,
# and the second leaves nothing behind.
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/thing/file.txt" "some release\n")
file(ARCHIVE_CREATE OUTPUT "${WORK}/thing.tar.gz" PATHS "${WORK}/thing" FORMAT gnutar
     COMPRESSION GZip)
file(SHA256 "${WORK}/thing.tar.gz" right)
string(REPEAT "0" 64 wrong)
foreach(kind IN ITEMS right wrong)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}" -B
            "${WORK}/${kind}" -D "MODULES=${MODULES}" -D
            "ARCHIVE=${WORK}/thing.tar.gz" -D "HASH=${${kind}}"
    RESULT_VARIABLE ${kind}_result
    ERROR_VARIABLE ${kind}_error
    OUTPUT_QUIET)
endforeach()
if(NOT right_result EQUAL 0)
  message(FATAL_ERROR "the right hash was refused: ${right_error}")
endif()
if(wrong_result EQUAL 0)
  message(FATAL_ERROR "a wrong hash was accepted")
endif()
if(NOT wrong_error MATCHES "hash")
  message(FATAL_ERROR "the message does not name the hash: ${wrong_error}")
endif()
file(GLOB left "${WORK}/wrong/_deps/thing*")
if(left)
  message(FATAL_ERROR "left behind: ${left}")
endif()
