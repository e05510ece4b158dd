#pragma once

namespace lapscope::schema {

// The name of a VFS of SQLite that opens files of this process by /proc/self/fd/N, also such that
// have no other name (O_TMPFILE): it takes names as they are. SQLite's own look for the file that
// such a link leads to, and open no links.
//
// There can be no journal beside such a file. To be called when SQLite is set up (start_sqlite());
// from then on its other VFSs open names below /proc/self/fd as links, too.
const char* vfs_of_open_files();

}  // namespace lapscope::schema
