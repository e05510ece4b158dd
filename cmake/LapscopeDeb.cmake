# `cpack -G DEB` makes a Debian package. scripts/deb.sh builds the published one.
set(LAPSCOPE_MAINTAINER "The lapscope authors <lapscope@lapscope.invalid>" CACHE STRING
    "Who the .deb says keeps it: a name and an address")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lapscope)
set(CPACK_PACKAGE_VENDOR "The lapscope authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "records CUDA programs and explains lost overlap")
set(CPACK_PACKAGE_DESCRIPTION
"lapscope records CUDA programs without changing them, explains why their copies
and kernels do not overlap, predicts what a fix saves, and fails a CI job when
overlap regresses.
.
Recording needs NVIDIA's driver, and the libcupti of CUDA 12 or 13: of the
program itself, of the CUDA toolkit, or of a wheel (nvidia-cuda-cupti). All
else runs without a GPU.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${LAPSCOPE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/package/deb_tree.cmake")
set(CPACK_LAPSCOPE_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
include(CPack)
