#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.h"
#include "reports/text/layout.h"

namespace lapscope::cli {

// An output format of a command, from one of the registries of renderers.
struct Format {
  std::string_view name;
  std::string_view extension;       // such as ".txt"
  std::string_view also_extension;  // another accepted extension; may be empty
  bool is_read_in_terminal = true;  // false: written to a file by default
};

// Options of commands that write several formats.
struct OutputOptions {
  std::vector<std::string> formats;
  std::string output;  // empty: not given
  bool open = false;
};

// Adds --format, --output and --open. `options` must outlive the command.
void add_output_options(CLI::App& command, OutputOptions& options, std::span<const Format> formats);

// One format and its output file.
struct Output {
  std::size_t format = 0;  // index into the formats
  bool is_page = false;    // for a browser
  OutputFile file;
};

// Opens the output files before the work starts, so that errors show early. The formats are those
// that the user asked for. If there are none, the extension of the output names the format. If
// there is no extension, the first of `formats` is used. If there are several formats, each adds
// its extension to the output's name, in place of a known one. `name` is the output's name if the
// user gave none.
//
// Throws CLI::ValidationError for errors of usage, such as an output that is one of the `inputs`.
// Throws the exceptions of OutputFile.
std::vector<Output> open_outputs(const OutputOptions& options, std::span<const Format> formats,
                                 const std::vector<std::string>& inputs, const std::string& name);

// Commits the files and names them on stderr. With --open, opens the first HTML page, or else the
// first file, on the desktop. Throws the exceptions of OutputFile::commit.
void finish_outputs(const OutputOptions& options, std::vector<Output>& outputs);

// Adds --color, which is accepted after a sub-command, too.
void add_colour_option(CLI::App& app);

// Whether output to standard output is coloured. The first line that applies decides:
// - --color=always and --color=never turn colour on and off.
// - NO_COLOR turns colour off.
// - CLICOLOR_FORCE turns colour on.
// - TERM turns colour off if it is unset or "dumb".
// - Terminals have colour, and other outputs do not.
bool is_stdout_coloured();

// Returns the style of text on standard output. The width is that of the terminal, else COLUMNS,
// else 80, but at least 40. Non-ASCII characters are used if the locale is UTF-8.
reports::TextStyle style_of_stdout();

// Returns the style for files: 100 columns, UTF-8, no colour.
inline reports::TextStyle style_of_files() { return {.width = 100}; }

}  // namespace lapscope::cli
