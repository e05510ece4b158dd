#pragma once

namespace lapscope::schema {

// Returns the name of an SQLite VFS that can open an open file of this process as /proc/self/fd/N,
// even a file without a name (O_TMPFILE). SQLite's usual VFSs replace this link by the name of the
// file, so they fail for a file without a name.
//
// The file cannot have a journal beside it. start_sqlite() must be called first. The first call of
// this function also changes SQLite's other VFSs: from then on, they open files below /proc/self/fd
// without O_NOFOLLOW.
const char* vfs_of_open_files();

}  // namespace lapscope::schema
