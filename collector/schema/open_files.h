#pragma once

namespace lapscope::schema {

// Returns the name of an SQLite VFS that can open a file of this process as /proc/self/fd/N. The
// file need not have another name (O_TMPFILE). SQLite's usual VFSs replace the link with its
// target, which fails if the file has no other name. The VFS returned here opens the link itself.
//
// The file cannot have a journal beside it. Call this function after start_sqlite(). The first call
// changes SQLite's other VFSs, too: from then on, they open files below /proc/self/fd without
// O_NOFOLLOW.
const char* vfs_of_open_files();

}  // namespace lapscope::schema
