# Compiles for glibc 2.28 (manylinux_2_28) on any Linux, with the clang in PyPI's ziglang. zig contains the headers and
# symbols of this glibc, and a static C++ library. scripts/wheel.sh prepares $LAPSCOPE_WHEEL_TOOLS: wrappers of the
# compiler in bin, and static libraries with their headers in prefix.
set(tools "$ENV{LAPSCOPE_WHEEL_TOOLS}")
if(NOT tools)
  message(FATAL_ERROR "LAPSCOPE_WHEEL_TOOLS names no folder: build a wheel with scripts/wheel.sh")
endif()
set(CMAKE_C_COMPILER "${tools}/bin/cc")
set(CMAKE_CXX_COMPILER "${tools}/bin/c++")
set(CMAKE_AR "${tools}/bin/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${tools}/bin/ranlib" CACHE FILEPATH "")
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(LAPSCOPE_MOLD OFF CACHE STRING "zig links with its own linker")

# The device code is three empty kernels, which use nothing of the machine's C++ library.
set(CMAKE_CUDA_HOST_COMPILER g++)
find_program(nvcc nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin NO_CACHE)
if(nvcc)
  execute_process(COMMAND "${nvcc}" -v --dryrun x.cu ERROR_VARIABLE said OUTPUT_QUIET)
  if(said MATCHES "[#]\\$ TOP=([^\n]*)")
    get_filename_component(toolkit "${CMAKE_MATCH_1}" REALPATH)
  endif()
endif()

# Uses none of this machine's libraries and headers.
set(CMAKE_FIND_ROOT_PATH "${tools}/prefix" ${toolkit})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
