#!/usr/bin/env bash
# Compiles the libraries that lapscope links statically, for scripts/wheel.sh. Uses the sources of
# this distribution's packages and the compiler in FOLDER/bin. Installs the libraries in
# FOLDER/prefix, and copies header-only libraries there, too.
#
#   scripts/wheel_libraries.sh FOLDER
set -euo pipefail
folder=$(realpath "$1")
prefix=$folder/prefix
sources=$folder/sources
export CC=$folder/bin/cc CXX=$folder/bin/c++ AR=$folder/bin/ar RANLIB=$folder/bin/ranlib CFLAGS="-O2 -fPIC -w"
jobs=$(nproc)
mkdir -p "$prefix"/{lib,include/elfutils,share/licenses} "$sources"

# Downloads the distribution's lists of sources to a separate folder. The system's lists of packages
# stay unchanged.
get_sources() { # PACKAGE...
  local state=$sources/apt package
  mkdir -p "$state"/lists/partial "$state"/archives/partial
  : >"$state/sources.list"
  sed -n 's/^deb /deb-src /p' /etc/apt/sources.list 2>/dev/null >>"$state/sources.list" || true
  mkdir -p "$state/parts"
  for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$list" ] || sed 's/^Types: .*/Types: deb-src/' "$list" >"$state/parts/$(basename "$list")"
  done
  local options=(-qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts="$state/parts"
    -o Dir::State::lists="$state/lists" -o Dir::Cache="$state")
  apt-get "${options[@]}" update
  for package in "$@"; do
    rm -rf "${sources:?}/$package" "$sources/unpacked"
    mkdir "$sources/unpacked"
    (cd "$sources/unpacked" && apt-get "${options[@]}" source "$package" >/dev/null 2>&1)
    mv "$sources"/unpacked/"$package"-*/ "$sources/$package"
    cp "$sources/$package/debian/copyright" "$prefix/share/licenses/$package"
  done
}

build_zlib() {
  cd "$sources/zlib"
  ./configure --static >/dev/null
  make -s -j"$jobs" libz.a
  cp libz.a "$prefix/lib"
  cp zlib.h zconf.h "$prefix/include"
}

build_bzip2() {
  cd "$sources/bzip2"
  make -s -j"$jobs" libbz2.a CC="$CC" AR="$AR" RANLIB="$RANLIB" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" >/dev/null
  cp libbz2.a "$prefix/lib"
  cp bzlib.h "$prefix/include"
}

build_xz() {
  cd "$sources/xz-utils"
  ./configure -q --prefix="$prefix" --disable-shared --disable-nls --disable-doc --disable-scripts --disable-xz \
    --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-lzma-links
  make -s -j"$jobs" -C src/liblzma install >/dev/null
}

build_sqlite() {
  mkdir -p "$sources/sqlite3/amalgamation"
  cd "$sources/sqlite3/amalgamation"
  ../configure -q --disable-shared --disable-tcl --disable-readline
  make -s sqlite3.c sqlite3.h >/dev/null
  "$CC" $CFLAGS -DSQLITE_THREADSAFE=1 -c sqlite3.c -o sqlite3.o
  "$AR" rcs "$prefix/lib/libsqlite3.a" sqlite3.o
  cp sqlite3.h "$prefix/include"
}

build_elfutils() {
  cd "$sources/elfutils"
  CFLAGS="$CFLAGS -I$prefix/include" CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib" ./configure -q \
    --disable-debuginfod --disable-libdebuginfod --disable-nls --disable-symbol-versioning \
    --with-zlib --with-bzlib --with-lzma --without-zstd
  make -s -C lib libeu.a
  make -s -j"$jobs" -C libelf libelf.a libelf_pic.a
  local part
  for part in libcpu libebl libdwelf libdwfl backends; do make -s -j"$jobs" -C "$part"; done
  make -s -j"$jobs" -C libdw libdw.a
  cp libelf/libelf.a libdw/libdw.a "$prefix/lib"
  cp libelf/{libelf,gelf,nlist}.h libdw/dwarf.h "$prefix/include"
  cp version.h libebl/libebl.h libdw/libdw.h libdwfl/libdwfl.h libdwelf/libdwelf.h "$prefix/include/elfutils"
}

# Copies headers and their CMake files from the installed packages.
copy_headers() { # PACKAGE...
  local package file
  for package in "$@"; do
    dpkg -L "$package" | while read -r file; do
      case $file in
        *fmt-targets-none.cmake) ;; # describes the package's library of fmt, which is compiled here instead
        /usr/include/* | */cmake/*)
          [ ! -f "$file" ] || install -D -m 644 "$file" "$prefix/${file#/usr/}"
          ;;
      esac
    done
    cp "/usr/share/doc/$package/copyright" "$prefix/share/licenses/${package%-dev}"
  done
}

get_sources zlib bzip2 xz-utils sqlite3 elfutils
copy_headers libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev rapidjson-dev libprotozero-dev
trap 'tail -n 30 "$log" >&2' ERR
for library in zlib bzip2 xz sqlite elfutils; do
  echo "wheel: compiling $library" >&2
  log=$sources/$library.log
  (build_$library) >"$log" 2>&1
done
cp /usr/share/common-licenses/{LGPL-3,GPL-3,GPL-2} "$prefix/share/licenses"
cat >"$prefix/share/licenses/NOTICE" <<END
lapscope is under the MIT license. Linked into its files are, each under the license in the file of its name:
$(for package in zlib bzip2 xz-utils sqlite3 elfutils; do
  printf '  %s %s\n' "$package" "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$sources/$package/debian/changelog")"
done)
and what is in the headers of libfmt, libcli11, nlohmann-json3, libtomlplusplus, rapidjson and libprotozero; of LLVM, libc++, libc++abi,
libunwind and compiler-rt (Apache License 2.0 with LLVM exceptions); of CUDA, the static runtime and the headers of CUPTI and NVTX.

elfutils is under LGPLv3+ or GPLv2+. Its source is the source package of Debian of this version. lapscope's source, which is the source
distribution of this version, and scripts/wheel.sh in it, link lapscope anew with a changed elfutils.
END
