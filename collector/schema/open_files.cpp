#include "collector/schema/open_files.h"

#include <fcntl.h>
#include <sqlite3.h>

#include <string_view>

namespace lapscope::schema {
namespace {

constexpr std::string_view open_files = "/proc/self/fd/";

int open_following(const char* name, int flags, int mode) {
  if (std::string_view(name).starts_with(open_files)) flags &= ~O_NOFOLLOW;
  return ::open(name, flags, mode);
}

int take_as_is(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

}  // namespace

const char* vfs_of_open_files() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *sqlite3_vfs_find(nullptr);
    copy.zName = "open-files";
    copy.xFullPathname = take_as_is;
    return copy;
  }();
  static const int registered = [] {
    vfs.xSetSystemCall(&vfs, "open", reinterpret_cast<sqlite3_syscall_ptr>(&open_following));
    return sqlite3_vfs_register(&vfs, 0);
  }();
  static_cast<void>(registered);  // if this failed, opening a file with this VFS fails, too
  return vfs.zName;
}

}  // namespace lapscope::schema
