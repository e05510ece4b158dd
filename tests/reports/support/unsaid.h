#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// Replaces each part of `rendering` that is also in `said` by "…". People thus review a sentence
// only once, not once for each format. A part is a run of at least four words, or the heading of a
// table or section. Runs end at tags, bars of a table, two spaces, pictures and options. Marks,
// escapes and line breaks make no difference.
//
//   said       Saves 3 ms (12 %): wall time 9 ms.
//   rendering  <td>3 ms</td><p>Saves 3 ms (12 %): wall time 8 ms of 12 ms</p>
//   unsaid     <td>3 ms</td><p>… 8 ms of 12 ms</p>
std::string unsaid(std::string_view rendering, std::string_view said);

}  // namespace lapscope::test
