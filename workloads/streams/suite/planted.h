#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads::streams {

// A line of these programs. `file` is relative to the root of the sources.
struct SourceLine {
  std::string file;
  int line = 0;

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

// Returns the lines of a case's mistake: all lines that PLANTED marks with the name of the case.
// There are several if the mistake consists of several calls.
std::vector<SourceLine> planted_lines(std::string_view name);

// Marks a call as the mistake in the broken variant of a case. `names` lists one or more cases,
// separated by commas:
//
//   PLANTED("sync-device", cudaDeviceSynchronize());
//
// A finding must show this line in some frame of its stack. A setting may be the mistake: a number
// of streams, a kind of memory, an environment variable. In this case, mark the call that the
// setting makes wrong. The compiler gives the whole call the line of the macro's name.
#define PLANTED(names, ...)                                                                   \
  (static_cast<void>(::lapscope::workloads::streams::PlantedLine<                             \
                     ::lapscope::workloads::streams::Literal(names),                          \
                     ::lapscope::workloads::streams::Literal(__FILE__), __LINE__>::is_noted), \
   __VA_ARGS__)

// Used by the macro.
template <std::size_t size>
struct Literal {
  char text[size] = {};

  consteval explicit Literal(const char (&literal)[size]) { std::copy_n(literal, size, text); }
};

bool note_planted_line(std::string_view names, std::string_view file, int line);

// Notes the line when the program starts, even if the line is never executed.
template <Literal names, Literal file, int line>
struct PlantedLine {
  static inline const bool is_noted = note_planted_line(names.text, file.text, line);
};

}  // namespace lapscope::workloads::streams
