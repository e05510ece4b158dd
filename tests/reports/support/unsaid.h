#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// Replaces the parts of a rendering that `said` also contains by "…". These parts are runs of at
// least four words, and headings of tables. A sentence is therefore approved once for all
// renderers. Tags, bars of a table, two spaces between columns, pictures and options separate runs.
// Marks, escapes and line breaks do not matter.
//
//   said       Saves 3 ms (12 %): wall time 9 ms.
//   rendering  <td>3 ms</td><p>Saves 3 ms (12 %): wall time 8 ms of 12 ms</p>
//   unsaid     <td>3 ms</td><p>… 8 ms of 12 ms</p>
std::string unsaid(std::string_view rendering, std::string_view said);

}  // namespace lapscope::test
