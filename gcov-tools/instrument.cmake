# Instruments a CMake project from outside, so that no file of it changes:
#
#   CC=gcc-12 CXX=g++-12 cmake -DCMAKE_PROJECT_INCLUDE=/path/to/gcov-tools/instrument.cmake -DBUILD_SHARED_LIBS=OFF …
#
# CMake reads this file after the first `project` line. The options it adds come after the project's own flags, and
# therefore win: -O1 over the project's -O3.

# Each further `project` line reads this file again; its folder has the options of the first already.
if(MULSTRINGFUZZ_INSTRUMENTED)
  return()
endif()
set(MULSTRINGFUZZ_INSTRUMENTED ON)

set(MULSTRINGFUZZ_FLAGS --coverage -O1 -g0 CACHE STRING "How the project is compiled for MulStringFuzz")
option(MULSTRINGFUZZ_RUNTIME "Link runtime.c; OFF for the stock gcov runtime" ON)

# The runtime must not count itself, so it is compiled here and not as a source of the project.
set(MULSTRINGFUZZ_OBJECT "${CMAKE_BINARY_DIR}/mulstringfuzz-runtime.o")
find_program(MULSTRINGFUZZ_CC NAMES gcc-12 gcc REQUIRED DOC "GCC 12, for runtime.c")
execute_process(
  COMMAND "${MULSTRINGFUZZ_CC}" -O2 -fPIC -c "${CMAKE_CURRENT_LIST_DIR}/runtime.c" -o "${MULSTRINGFUZZ_OBJECT}"
  RESULT_VARIABLE MULSTRINGFUZZ_STATUS)
if(MULSTRINGFUZZ_STATUS)
  message(FATAL_ERROR "${MULSTRINGFUZZ_CC} cannot compile runtime.c (see above); expected GCC 12")
endif()

add_compile_options(${MULSTRINGFUZZ_FLAGS})
add_link_options(--coverage -no-pie)
if(MULSTRINGFUZZ_RUNTIME)
  # As an object, so that it stands before -lgcov, and is linked although nothing before it asks for it.
  add_link_options("${MULSTRINGFUZZ_OBJECT}")
endif()
