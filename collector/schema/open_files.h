#pragma once

namespace lapscope::schema {

// Returns the name of an SQLite VFS that can open a file of this process by the name
// /proc/self/fd/N. The file need not have another name (O_TMPFILE). SQLite's own VFSs replace a
// link by the path that the link leads to. They then open this path with O_NOFOLLOW. The VFS
// returned here does neither.
//
// There can be no journal beside such a file. Call this function after start_sqlite(). After this
// call, SQLite's other VFSs also follow links below /proc/self/fd.
const char* vfs_of_open_files();

}  // namespace lapscope::schema
