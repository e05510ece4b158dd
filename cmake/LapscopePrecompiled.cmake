# Compiles headers of the C++ library, and of Catch2 for tests, once for all targets with the same flags. Only unity
# builds do this. -DLAPSCOPE_UNITY=OFF has no precompiled headers, so that it finds missing includes. Builds with a
# compiler launcher do not do this either, because ccache stores no result that used a precompiled header.
if(LAPSCOPE_PRECOMPILE AND LAPSCOPE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(LAPSCOPE_PRECOMPILES ON)
endif()
set(LAPSCOPE_PRECOMPILED_HEADERS
  <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque> <filesystem> <fstream> <functional>
  <iostream> <map> <memory> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map>
  <utility> <vector>)

# lapscope_precompiled(NAME KIND): gives a target of this kind, library or test, the headers. The first target with new
# flags has them compiled.
function(lapscope_precompiled name kind)
  if(NOT LAPSCOPE_PRECOMPILES)
    return()
  endif()
  get_directory_property(flags COMPILE_OPTIONS)
  string(MD5 flags "${flags}")
  string(SUBSTRING "${flags}" 0 8 flags)
  set(headers lapscope_${kind}_headers_${flags})
  if(NOT TARGET ${headers})
    set(source "${CMAKE_BINARY_DIR}/nothing.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${headers} OBJECT "${source}")
    target_precompile_headers(${headers} PRIVATE ${LAPSCOPE_PRECOMPILED_HEADERS})
    target_link_libraries(${headers} PRIVATE lapscope::warnings)
    if(kind STREQUAL "library")
      set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                  VISIBILITY_INLINES_HIDDEN ON)
    else()
      target_compile_options(${headers} PRIVATE ${LAPSCOPE_TEST_OPTIONS})
      target_link_libraries(${headers} PRIVATE lapscope::catch)
      target_precompile_headers(${headers} PRIVATE "${PROJECT_SOURCE_DIR}/tests/catch.h")
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()
