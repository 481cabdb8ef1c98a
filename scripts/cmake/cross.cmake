# Uses the cross compilers of Debian and Ubuntu, and qemu-user to run the result.
# LANEWISE_CROSS_CPUS: other CPUs on which tests/cpus.cmake runs some tests.
# Each has a name, the instruction set that the CPU must have, and qemu's arguments.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${LANEWISE_CROSS_PROCESSOR})
set(_triple ${LANEWISE_CROSS_PROCESSOR}-linux-gnu)

# Use the default GCC, unless that GCC is too old for the architecture's vectors.
find_program(LANEWISE_CROSS_GXX ${_triple}-g++)
if(LANEWISE_CROSS_GXX)
  execute_process(COMMAND "${LANEWISE_CROSS_GXX}" -dumpversion
                  OUTPUT_VARIABLE _version OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(LANEWISE_CROSS_MINIMUM AND _version VERSION_LESS LANEWISE_CROSS_MINIMUM)
  find_program(LANEWISE_CROSS_CLANGXX NAMES clang++-19 clang++-18 clang++-17
                                            clang++-16)
endif()
if(LANEWISE_CROSS_CLANGXX)
  string(REPLACE "clang++" "clang" CMAKE_C_COMPILER "${LANEWISE_CROSS_CLANGXX}")
  set(CMAKE_CXX_COMPILER "${LANEWISE_CROSS_CLANGXX}")
  set(CMAKE_C_COMPILER_TARGET ${_triple})
  set(CMAKE_CXX_COMPILER_TARGET ${_triple})
else()
  set(CMAKE_C_COMPILER ${_triple}-gcc)
  set(CMAKE_CXX_COMPILER ${_triple}-g++)
endif()

find_program(LANEWISE_QEMU NAMES qemu-${LANEWISE_CROSS_PROCESSOR}
                                 qemu-${LANEWISE_CROSS_PROCESSOR}-static
                           HINTS "${LANEWISE_CROSS_QEMU}")
if(LANEWISE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${LANEWISE_QEMU}" ${LANEWISE_CROSS_CPU} -L
                                    /usr/${_triple})
endif()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
