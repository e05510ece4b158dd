# The build tree has the layout of the installed tree, so the launcher finds the collector library by the same relative
# path.
set(LAPSCOPE_COLLECTOR_SUBDIR "${CMAKE_INSTALL_LIBDIR}/lapscope")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_BINDIR must be relative paths: the "
                      "launcher finds the collector library relative to itself.")
endif()
set(LAPSCOPE_BUILD_BINDIR "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(LAPSCOPE_BUILD_COLLECTOR_DIR "${CMAKE_BINARY_DIR}/${LAPSCOPE_COLLECTOR_SUBDIR}")
file(RELATIVE_PATH LAPSCOPE_COLLECTOR_FROM_BINDIR "${LAPSCOPE_BUILD_BINDIR}"
     "${LAPSCOPE_BUILD_COLLECTOR_DIR}/liblapscope_collector.so")

# The folder of the command. In a wheel, it is the one that installers map to an environment's bin.
if(SKBUILD)
  set(LAPSCOPE_COMMAND_DESTINATION "${SKBUILD_SCRIPTS_DIR}")
else()
  set(LAPSCOPE_COMMAND_DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
