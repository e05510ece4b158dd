#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads::streams {

// A line of these programs, its file relative to the root of the sources.
struct SourceLine {
  std::string file;
  int line = 0;

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

// Where the broken variant of a case makes its mistake, by file and line: every line that is
// marked with the name of the case by PLANTED. Several where the mistake is several calls.
std::vector<SourceLine> planted_lines(std::string_view name);

// Marks a call as the mistake of the broken variant of a case, or of several, with commas between
// their names:
//
//   PLANTED("sync-device", cudaDeviceSynchronize());
//
// A finding has to show this line, in any frame of its stack. If the mistake is no call (a number
// of streams, a kind of memory, a variable of the environment), the line is that of the call which
// the setting makes wrong. The compiler gives all of the call the line of the macro's name.
#define PLANTED(names, ...)                                                                   \
  (static_cast<void>(::lapscope::workloads::streams::PlantedLine<                             \
                     ::lapscope::workloads::streams::Literal(names),                          \
                     ::lapscope::workloads::streams::Literal(__FILE__), __LINE__>::is_noted), \
   __VA_ARGS__)

// What follows is for the macro.
template <std::size_t size>
struct Literal {
  char text[size] = {};

  consteval explicit Literal(const char (&literal)[size]) { std::copy_n(literal, size, text); }
};

bool note_planted_line(std::string_view names, std::string_view file, int line);

// Noted when the program starts, whether or not it comes to that line.
template <Literal names, Literal file, int line>
struct PlantedLine {
  static inline const bool is_noted = note_planted_line(names.text, file.text, line);
};

}  // namespace lapscope::workloads::streams
