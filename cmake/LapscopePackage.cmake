# Installs what find_package(lapscope) needs, with lapscope_add_gate for CTest.
include(CMakePackageConfigHelpers)
set(LAPSCOPE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/lapscope")
set(LAPSCOPE_COMMAND_PATH "${CMAKE_INSTALL_BINDIR}/lapscope")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/package/lapscope-config.cmake.in" "${CMAKE_BINARY_DIR}/package/lapscope-config.cmake"
  INSTALL_DESTINATION "${LAPSCOPE_PACKAGE_DIR}"
  PATH_VARS LAPSCOPE_COMMAND_PATH)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/lapscope-config-version.cmake"
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES
  "${CMAKE_BINARY_DIR}/package/lapscope-config.cmake"
  "${CMAKE_BINARY_DIR}/package/lapscope-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/package/recorded_gate.sh.in"
  DESTINATION "${LAPSCOPE_PACKAGE_DIR}")
# The job of pipelines (docs/packages.md).
install(PROGRAMS "${PROJECT_SOURCE_DIR}/scripts/ci_gate.sh" DESTINATION "${CMAKE_INSTALL_DATADIR}/lapscope")
