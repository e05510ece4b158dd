# lapscope::catch is Catch2 with a main, whichever major version the system has.
find_package(Catch2 REQUIRED)
if(TARGET Catch2::Catch2WithMain)
  add_library(lapscope_catch INTERFACE)
  target_link_libraries(lapscope_catch INTERFACE Catch2::Catch2WithMain)
else()
  add_library(lapscope_catch STATIC "${CMAKE_CURRENT_LIST_DIR}/../tests/catch_main.cpp")
  target_link_libraries(lapscope_catch PUBLIC Catch2::Catch2)
endif()
add_library(lapscope::catch ALIAS lapscope_catch)
include(Catch)

# lapscope_test(NAME [ONCE] FILES LIBS): one program of tests; every test case is a CTest test `NAME: case`.
# ONCE: all of them are one, because what they look at takes longer to make than to judge.
function(lapscope_test name)
  cmake_parse_arguments(arg "ONCE" "" "SOURCES;LIBS" ${ARGN})
  # CTest finds cases as a CMake list: with one of these in its name a case is asked for by parts of it, which match
  # none, and passes without having run.
  foreach(source IN LISTS arg_SOURCES)
    file(READ "${source}" text)
    if(text MATCHES "TEST_CASE\\([ \n]*\"[^\"]*[;[]" OR text MATCHES "TEST_CASE\\([ \n]*\"[^\"]*]")
      message(FATAL_ERROR "${source}: the name of a test case has a ';', '[' or ']': ${CMAKE_MATCH_0}")
    endif()
  endforeach()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} lapscope::catch lapscope::warnings)
  target_compile_definitions(${name} PRIVATE
    LAPSCOPE_TEST_TRACES="${PROJECT_SOURCE_DIR}/tests/traces"
    LAPSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(arg_ONCE)
    add_test(NAME ${name} COMMAND ${name})
  else()
    catch_discover_tests(${name} TEST_PREFIX "${name}: ")
  endif()
endfunction()
