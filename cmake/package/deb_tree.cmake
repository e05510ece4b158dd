# CPack runs this after the installation. It changes what Debian wants in another form than `cmake --install`.
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share")
if(NOT EXISTS "${share}")
  message(FATAL_ERROR "there is no '${share}' to package")
endif()
file(MAKE_DIRECTORY "${share}/doc/lapscope" "${share}/zsh/vendor-completions")
# Debian's zsh searches only this folder below /usr/share.
file(RENAME "${share}/zsh/site-functions/_lapscope" "${share}/zsh/vendor-completions/_lapscope")
file(REMOVE_RECURSE "${share}/zsh/site-functions")

file(READ "${CPACK_LAPSCOPE_SOURCE_DIR}/LICENSE" license)
string(APPEND license "\nWhat is linked into lapscope's files, and its licenses: /usr/share/lapscope/licenses/NOTICE\n")
file(WRITE "${share}/doc/lapscope/copyright" "${license}")
file(COPY_FILE "${CPACK_LAPSCOPE_SOURCE_DIR}/CHANGELOG.md" "${share}/doc/lapscope/CHANGELOG.md")
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH
file(WRITE "${share}/doc/lapscope/changelog"
"lapscope (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${day}
")
execute_process(COMMAND gzip -9 -n "${share}/doc/lapscope/changelog" "${share}/doc/lapscope/CHANGELOG.md" "${share}/man/man1/lapscope.1" COMMAND_ERROR_IS_FATAL ANY)

# Sets all times to that of the commit, so that the same sources give the same package.
file(GLOB_RECURSE files LIST_DIRECTORIES true "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*")
file(CHMOD ${files} FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
     DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(GLOB_RECURSE programs "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/bin/*" "${share}/*.sh")
file(GLOB helpers "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*/lapscope/lapscope_*")
file(CHMOD ${programs} ${helpers} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -exec touch -h -d "@$ENV{SOURCE_DATE_EPOCH}" {} +
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
