find_package(Threads REQUIRED)

# A package of statically linked libraries must contain their licenses.
set(LAPSCOPE_LICENSES "" CACHE PATH "A folder with the licenses of what is linked statically, to be installed")
if(LAPSCOPE_LICENSES)
  install(DIRECTORY "${LAPSCOPE_LICENSES}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/lapscope/licenses")
endif()
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

# SQLite is linked statically. A traced program may have its own SQLite (Python does), which must not be mixed with this
# one. The command also runs on machines without SQLite.
find_path(LAPSCOPE_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(LAPSCOPE_SQLITE_STATIC libsqlite3.a REQUIRED)
add_library(lapscope::sqlite STATIC IMPORTED)
set_target_properties(lapscope::sqlite PROPERTIES
  IMPORTED_LOCATION "${LAPSCOPE_SQLITE_STATIC}"
  INTERFACE_INCLUDE_DIRECTORIES "${LAPSCOPE_SQLITE_INCLUDE}")
target_link_libraries(lapscope::sqlite INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

# {fmt} is linked statically for the same reasons. Header-only {fmt} takes 3 s more per file. The file that avoids this
# is for the release in Debian 12 and Ubuntu 24.04.
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(lapscope_fmt STATIC "${CMAKE_CURRENT_LIST_DIR}/fmt/format.cpp")
  target_include_directories(lapscope_fmt SYSTEM PUBLIC
    "$<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>")
  set_target_properties(lapscope_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
else()
  add_library(lapscope_fmt INTERFACE)
  target_link_libraries(lapscope_fmt INTERFACE fmt::fmt-header-only)
endif()
add_library(lapscope::fmt ALIAS lapscope_fmt)

# libdw of elfutils finds source lines for call stacks. It is linked statically for the same reasons, with the libraries
# that its pkg-config file names. Without it, call stacks have names and no lines.
if(LAPSCOPE_LIBDW STREQUAL "off")
  message(STATUS "libdw: off; call stacks have names and no lines")
else()
  find_path(LAPSCOPE_LIBDW_INCLUDE elfutils/libdwfl.h)
  set(libdw_archives)
  # elfutils needs zstd since 0.189. Debian's archives of 0.188 do not need it.
  foreach(name dw elf lzma bz2 z zstd)
    find_library(LAPSCOPE_STATIC_${name} lib${name}.a)
    if(LAPSCOPE_STATIC_${name})
      list(APPEND libdw_archives "${LAPSCOPE_STATIC_${name}}")
    elseif(NOT name STREQUAL "zstd")
      list(APPEND libdw_missing lib${name}.a)
    endif()
  endforeach()
  if(NOT LAPSCOPE_LIBDW_INCLUDE)
    list(APPEND libdw_missing elfutils/libdwfl.h)
  endif()
  if(NOT libdw_missing)
    add_library(lapscope_libdw INTERFACE)
    add_library(lapscope::libdw ALIAS lapscope_libdw)
    target_include_directories(lapscope_libdw SYSTEM INTERFACE "${LAPSCOPE_LIBDW_INCLUDE}")
    target_link_libraries(lapscope_libdw INTERFACE ${libdw_archives} Threads::Threads ${CMAKE_DL_LIBS})
    message(STATUS "libdw: ${LAPSCOPE_STATIC_dw}")
  else()
    list(JOIN libdw_missing ", " libdw_missing)
    set(sentence "libdw of elfutils is not linked, for want of ${libdw_missing} (Debian: libdw-dev, libbz2-dev). Call "
                 "stacks will have names and no lines.")
    list(JOIN sentence "" sentence)
    if(LAPSCOPE_LIBDW STREQUAL "on")
      message(FATAL_ERROR "${sentence}")
    endif()
    message(WARNING "${sentence} LAPSCOPE_LIBDW=off says that this is meant.")
  endif()
endif()

# zlib compresses the data of HTML pages. It is static, so that the command needs no other file.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)

# RapidJSON, header-only, reads JSON of any size in pieces. It has old-style casts.
find_path(LAPSCOPE_RAPIDJSON_INCLUDE rapidjson/reader.h REQUIRED)
add_library(lapscope_rapidjson INTERFACE)
add_library(lapscope::rapidjson ALIAS lapscope_rapidjson)
target_include_directories(lapscope_rapidjson SYSTEM INTERFACE "${LAPSCOPE_RAPIDJSON_INCLUDE}")

# protozero, header-only, reads the protobuf of XProf's profiles in pieces. Without it, lapscope reads only their JSON.
find_path(LAPSCOPE_PROTOZERO_INCLUDE protozero/pbf_reader.hpp)
if(LAPSCOPE_PROTOZERO_INCLUDE)
  add_library(lapscope_protozero INTERFACE)
  add_library(lapscope::protozero ALIAS lapscope_protozero)
  target_include_directories(lapscope_protozero SYSTEM INTERFACE "${LAPSCOPE_PROTOZERO_INCLUDE}")
else()
  message(STATUS "protozero: not found (Debian: libprotozero-dev); profiles of XProf are read as JSON alone")
endif()

# toml++ is used as a header, because its library differs between distributions.
find_path(LAPSCOPE_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(lapscope_tomlplusplus INTERFACE)
add_library(lapscope::tomlplusplus ALIAS lapscope_tomlplusplus)
target_include_directories(lapscope_tomlplusplus SYSTEM INTERFACE "${LAPSCOPE_TOMLPLUSPLUS_INCLUDE}")
target_compile_definitions(lapscope_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
