# Every target of lapscope links lapscope::warnings PRIVATE. Third-party code does not get the warnings.
add_library(lapscope_warnings INTERFACE)
add_library(lapscope::warnings ALIAS lapscope_warnings)
set(warnings -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
             -Wconversion -Wsign-conversion -Wdouble-promotion)
# Files that are compiled together see each other's anonymous namespaces. So a local name may hide one of these. The
# same rule applies to files that are compiled alone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wshadow=local)
  # GCC 12 mistakes an empty std::optional for an uninitialized one at -O1.
  list(APPEND warnings -Wno-maybe-uninitialized)
else()
  list(APPEND warnings -Wshadow)
endif()
# Designated initializers may leave out members that have defaults.
list(APPEND warnings -Wno-missing-field-initializers)
if(LAPSCOPE_WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
target_compile_options(lapscope_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

# Lets GCC collect no garbage below 1 GB. This saves a fourth of its time, and the largest files then need up to 1.4 GB.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>")

# lapscope_sanitize(OPTIONS…): sanitizes what this folder and its subfolders compile from here on, and links
# accordingly.
macro(lapscope_sanitize)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;${ARGN};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
  set(LAPSCOPE_IS_SANITIZED ON)
endmacro()

# lapscope_analysis_folder(): called in folders that read traces. One build can then have these folders under
# sanitizers, and the others in their installed form.
macro(lapscope_analysis_folder)
  if(LAPSCOPE_SANITIZE STREQUAL "analysis")
    # Leaves out checks of pointers before their use, which are half of the code: AddressSanitizer detects the use
    # itself. Also leaves out use after scope, a sixth of the time. The preset ci-sanitize has both. -O1 compiles 6 %
    # longer than -Og, and its tests run a third faster.
    lapscope_sanitize(-O1 -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow
                      -fno-sanitize-address-use-after-scope)
  endif()
endmacro()

if(LAPSCOPE_SANITIZE STREQUAL "on")
  lapscope_sanitize()
endif()
if(LAPSCOPE_FUZZ)
  # Leaves out libFuzzer's check of each comparison, a quarter of the time. Also leaves out what
  # lapscope_analysis_folder() leaves to the preset ci-sanitize.
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link;-fno-sanitize-coverage=trace-cmp,indirect-calls>"
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow>"
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-address-use-after-scope>")
endif()

# Most of a build is compiling headers, so the files of a target are compiled together. -DLAPSCOPE_UNITY=OFF, as in
# scripts/test.sh --full, finds files that do not include what they use.
set(CMAKE_UNITY_BUILD ${LAPSCOPE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)

# mold links the test programs in a tenth of the time of GNU ld.
find_program(LAPSCOPE_MOLD mold)
if(LAPSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

include(LapscopePrecompiled)

# lapscope_library(NAME SOURCES… [PUBLIC libs…]): makes a static library of one folder, named by a noun. Headers are
# included from the repository root ("analyzer/model/trace.h"), so that an include shows where the header is.
function(lapscope_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} lapscope::warnings)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                           VISIBILITY_INLINES_HIDDEN ON)
  if(LAPSCOPE_IS_SANITIZED)
    target_link_options(${name} INTERFACE -fsanitize=address,undefined)
  endif()
  lapscope_precompiled(${name} library)
endfunction()
