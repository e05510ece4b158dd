#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads::streams {

// A source line of these programs. `file` is relative to the root of the sources.
struct SourceLine {
  std::string file;
  int line = 0;

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

// Returns the lines of the mistake of a case. PLANTED marks these lines with the name of the case.
// If the mistake is several calls, there are several lines.
std::vector<SourceLine> planted_lines(std::string_view name);

// Marks a call as the mistake in the broken variant of a case. `names` is the case, or several
// cases separated by commas:
//
//   PLANTED("sync-device", cudaDeviceSynchronize());
//
// A finding must show this line in some frame of its stack. If the mistake is a setting (a number
// of streams, a kind of memory, an environment variable), mark the call that this setting makes
// wrong. If the call has several lines, the recorded line is the one with the name PLANTED.
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

// Notes the line when the program starts, even if the program never executes it.
template <Literal names, Literal file, int line>
struct PlantedLine {
  static inline const bool is_noted = note_planted_line(names.text, file.text, line);
};

}  // namespace lapscope::workloads::streams
