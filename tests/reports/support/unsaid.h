#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// Replaces parts of an output by "…" if `said` contains the same part. Such a part is a run of at
// least four words, or the heading of a table. People therefore review a sentence only once for all
// output formats. Tags, bars of a table, two spaces between columns, pictures and options separate
// runs. Marks, escapes and line breaks make no difference.
//
//   said       Saves 3 ms (12 %): wall time 9 ms.
//   rendering  <td>3 ms</td><p>Saves 3 ms (12 %): wall time 8 ms of 12 ms</p>
//   unsaid     <td>3 ms</td><p>… 8 ms of 12 ms</p>
std::string unsaid(std::string_view rendering, std::string_view said);

}  // namespace lapscope::test
