#pragma once

namespace lapscope::schema {

// Returns the name of an SQLite VFS that can open a file of this process as /proc/self/fd/N, even a
// file without a name (O_TMPFILE). SQLite's usual VFSs follow this link to the name of the file, so
// they fail for such a file.
//
// The file cannot have a journal beside it. Call start_sqlite() first. The first call also changes
// SQLite's other VFSs: they then open files below /proc/self/fd without O_NOFOLLOW.
const char* vfs_of_open_files();

}  // namespace lapscope::schema
