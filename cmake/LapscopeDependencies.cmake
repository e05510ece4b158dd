find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

# SQLite is linked statically everywhere: inside a traced program it must not meet the program's own
# copy (Python brings one), and the command then runs on machines without SQLite.
find_path(LAPSCOPE_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(LAPSCOPE_SQLITE_STATIC libsqlite3.a REQUIRED)
add_library(lapscope::sqlite STATIC IMPORTED)
set_target_properties(lapscope::sqlite PROPERTIES
  IMPORTED_LOCATION "${LAPSCOPE_SQLITE_STATIC}"
  INTERFACE_INCLUDE_DIRECTORIES "${LAPSCOPE_SQLITE_INCLUDE}")
target_link_libraries(lapscope::sqlite INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

# {fmt} as headers only, for the same reason.
add_library(lapscope_fmt INTERFACE)
add_library(lapscope::fmt ALIAS lapscope_fmt)
target_link_libraries(lapscope_fmt INTERFACE fmt::fmt-header-only)

# zlib compresses the data of HTML pages; static, so that the command needs nothing beside it.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
