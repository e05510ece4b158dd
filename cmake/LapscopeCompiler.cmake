# lapscope::warnings is linked PRIVATE by every target of ours; it never reaches third-party code.
add_library(lapscope_warnings INTERFACE)
add_library(lapscope::warnings ALIAS lapscope_warnings)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
             -Wconversion -Wsign-conversion -Wdouble-promotion)
# Designated initializers name the members that matter; the others have defaults.
list(APPEND warnings -Wno-missing-field-initializers)
if(LAPSCOPE_WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
target_compile_options(lapscope_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

if(LAPSCOPE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# lapscope_library(NAME SOURCES… [PUBLIC libs…]): one folder, one noun, one static library. Headers are
# included from the repository root ("analyzer/model/trace.h"), so that a line shows where it leads.
function(lapscope_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} lapscope::warnings)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                           VISIBILITY_INLINES_HIDDEN ON)
endfunction()
