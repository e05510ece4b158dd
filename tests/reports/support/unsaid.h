#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// A rendering with "…" for what `said` says in the same words: runs of four words or more, and
// headings of tables. So a sentence is approved once, whoever renders it, and a rendering that says
// something else is seen: its words stand. What breaks a run is a tag, a bar of a table, two spaces
// between columns, a picture and an option; marks, escapes and where lines end do not count.
//
//   said       Saves 3 ms (12 %): wall time 9 ms.
//   rendering  <td>3 ms</td><p>Saves 3 ms (12 %): wall time 8 ms of 12 ms</p>
//   unsaid     <td>3 ms</td><p>… 8 ms of 12 ms</p>
std::string unsaid(std::string_view rendering, std::string_view said);

}  // namespace lapscope::test
