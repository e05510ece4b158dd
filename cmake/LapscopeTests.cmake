# lapscope::catch is the system's Catch2, of either major version, with a main that counts skipped tests.
find_package(Catch2 REQUIRED)
add_library(lapscope_catch STATIC "${PROJECT_SOURCE_DIR}/tests/catch_main.cpp")
target_include_directories(lapscope_catch PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(lapscope_catch PUBLIC Catch2::Catch2)
# Catch2 itself is not tested. With sanitizers, it would take 30 s to compile.
target_compile_options(lapscope_catch PRIVATE -O0 -fno-sanitize=all)
add_library(lapscope::catch ALIAS lapscope_catch)

# Optimizing test code takes longer than it saves, except for code that runs a million times.
set(LAPSCOPE_TEST_OPTIONS "")
if(NOT LAPSCOPE_FUZZ)
  set(LAPSCOPE_TEST_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-O0>")
endif()
if(LAPSCOPE_SANITIZE STREQUAL "analysis")
  # Only the tested code has checks of the stack. Tests compile a fifth faster without. --full checks them, too.
  list(APPEND LAPSCOPE_TEST_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=undefined;--param=asan-stack=0>")
endif()

# lapscope_test_code(NAME): sets the options of a target with test code.
function(lapscope_test_code name)
  target_compile_options(${name} PRIVATE ${LAPSCOPE_TEST_OPTIONS})
  lapscope_precompiled(${name} test)
endfunction()

# lapscope_test(NAME SOURCES FILES LIBS LIBRARIES [COST SECONDS]): makes a program of tests, which is one test of CTest.
# Tests with the highest COST begin first, so that none runs alone at the end. With PART, test cases with this tag are a
# separate test, NAME_PART.
function(lapscope_test name)
  cmake_parse_arguments(arg "" "COST;PART" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  lapscope_test_code(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} lapscope::catch lapscope::warnings)
  target_compile_definitions(${name} PRIVATE
    LAPSCOPE_TEST_TRACES="${PROJECT_SOURCE_DIR}/tests/traces"
    LAPSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(arg_PART)
    add_test(NAME ${name} COMMAND ${name} "~[${arg_PART}]")
    add_test(NAME ${name}_${arg_PART} COMMAND ${name} "[${arg_PART}]")
    set(tests ${name} ${name}_${arg_PART})
  else()
    add_test(NAME ${name} COMMAND ${name})
    set(tests ${name})
  endif()
  set_tests_properties(${tests} PROPERTIES SKIP_RETURN_CODE 77)
  if(arg_COST)
    set_tests_properties(${tests} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

# lapscope_skipped_test(NAME REASON): a test that cannot be built here is shown as skipped.
function(lapscope_skipped_test name reason)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "lapscope-skip: ${name}: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^lapscope-skip")
endfunction()

# lapscope_python_test(NAME SCRIPT ARGUMENTS [PROPERTIES PROPERTIES]): a script of this folder. It exits with 77 if it
# cannot run.
function(lapscope_python_test name script)
  if(NOT LAPSCOPE_SYSTEM_PYTHON)
    lapscope_skipped_test("${name}" "there is no /usr/bin/python3")
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" PROPERTIES)
  add_test(NAME "${name}"
    COMMAND "${LAPSCOPE_SYSTEM_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 ${arg_PROPERTIES})
endfunction()
