# Finds a CUDA toolkit with CUPTI headers. If there is one, sets LAPSCOPE_HAVE_CUDA and lapscope::cupti_headers. Nothing
# links libcupti: the collector loads it at run time.
set(LAPSCOPE_HAVE_CUDA OFF)
if(LAPSCOPE_CUDA STREQUAL "off")
  message(STATUS "CUDA: off; the collector and the workloads are not built")
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(LAPSCOPE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(LAPSCOPE_NVCC)
    set(ENV{CUDACXX} "${LAPSCOPE_NVCC}")
  endif()
endif()
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Machine code for data-centre GPUs of two generations, and PTX for the generation before and for newer ones.
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 80-real 90-real 90-virtual)
  endif()
  enable_language(CUDA)
  # nvcc has C++20 since CUDA 12.0, but CMake 3.25.1 does not know this.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit)
  if(CUDAToolkit_FOUND AND CUDAToolkit_VERSION VERSION_LESS 12)
    message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION} is too old; 12 or 13 is needed")
    set(CUDAToolkit_FOUND OFF)
  endif()
  # A full toolkit has CUPTI in extras/CUPTI. Other toolkits have it in the usual folders.
  find_path(LAPSCOPE_CUPTI_INCLUDE cupti.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATH_SUFFIXES ../extras/CUPTI/include ../../../extras/CUPTI/include)
endif()

if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND AND LAPSCOPE_CUPTI_INCLUDE)
  set(LAPSCOPE_HAVE_CUDA ON)
  add_library(lapscope_cupti_headers INTERFACE)
  add_library(lapscope::cupti_headers ALIAS lapscope_cupti_headers)
  target_include_directories(lapscope_cupti_headers SYSTEM INTERFACE
    "${LAPSCOPE_CUPTI_INCLUDE}" ${CUDAToolkit_INCLUDE_DIRS})
  find_library(LAPSCOPE_CUPTI_LIBRARY cupti
    HINTS ${CUDAToolkit_LIBRARY_DIR} "${LAPSCOPE_CUPTI_INCLUDE}/../lib64" "${LAPSCOPE_CUPTI_INCLUDE}/../lib"
    DOC "Used by tests only")
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, CUPTI headers in ${LAPSCOPE_CUPTI_INCLUDE}")
elseif(LAPSCOPE_CUDA STREQUAL "on")
  message(FATAL_ERROR "LAPSCOPE_CUDA=on, but no CUDA toolkit with CUPTI was found. Set CUDA_HOME to the "
                      "toolkit's folder, or LAPSCOPE_CUDA=off to build the analyzer alone.")
else()
  message(STATUS "CUDA: no toolkit with CUPTI found; the collector and the workloads are not built")
endif()
