# lapscope::warnings is linked PRIVATE by every target of ours; it never reaches third-party code.
add_library(lapscope_warnings INTERFACE)
add_library(lapscope::warnings ALIAS lapscope_warnings)
set(warnings -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
             -Wconversion -Wsign-conversion -Wdouble-promotion)
# Files that are compiled as one see each other's anonymous namespaces: hiding a name of these is fine, and the rule is the
# same where each file is compiled alone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wshadow=local)
  # GCC 12 takes an empty std::optional at -O1 for an uninitialized one.
  list(APPEND warnings -Wno-maybe-uninitialized)
else()
  list(APPEND warnings -Wshadow)
endif()
# Designated initializers name the members that matter; the others have defaults.
list(APPEND warnings -Wno-missing-field-initializers)
if(LAPSCOPE_WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
target_compile_options(lapscope_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

# GCC collects no garbage below 1 GB: a fourth of its time, for up to 1.4 GB at the peak of the largest files.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>")

# lapscope_sanitize(OPTIONS…): what this folder and those below it compile from here on, and what links with it.
macro(lapscope_sanitize)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;${ARGN};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
  set(LAPSCOPE_IS_SANITIZED ON)
endmacro()

# lapscope_analysis_folder(): of the folders that read traces, so that one build can hold these under sanitizers and the
# rest as it is installed.
macro(lapscope_analysis_folder)
  if(LAPSCOPE_SANITIZE STREQUAL "analysis")
    # Half of what is compiled are checks of pointers before their use. AddressSanitizer sees that use, too. What is
    # used after its scope, which is a sixth of the time, the preset ci-sanitize looks for.
    # -O1 compiles 6 % longer than -Og, and its tests run a third faster.
    lapscope_sanitize(-O1 -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow
                      -fno-sanitize-address-use-after-scope)
  endif()
endmacro()

if(LAPSCOPE_SANITIZE STREQUAL "on")
  lapscope_sanitize()
endif()
if(LAPSCOPE_FUZZ)
  # Without libFuzzer's look at each comparison, which is a quarter of the time, and without what a folder for analysis
  # leaves to the preset ci-sanitize, too.
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link;-fno-sanitize-coverage=trace-cmp,indirect-calls>"
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow>"
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-address-use-after-scope>")
endif()

# Compiling headers is most of what a build costs: the files of a target are compiled as one. The first error of a
# file that does not include what it uses shows with -DLAPSCOPE_UNITY=OFF, as scripts/test.sh --full builds.
set(CMAKE_UNITY_BUILD ${LAPSCOPE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)

# Linking the programs of tests with mold takes a tenth of the time that GNU ld needs.
find_program(LAPSCOPE_MOLD mold)
if(LAPSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

include(LapscopePrecompiled)

# lapscope_library(NAME SOURCES… [PUBLIC libs…]): one folder, one noun, one static library. Headers are
# included from the repository root ("analyzer/model/trace.h"), so that a line shows where it leads.
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
