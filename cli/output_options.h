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
  bool is_read_in_terminal = true;  // if false, the output is written to a file by default
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
  bool is_page = false;    // whether the output is a page for a browser
  OutputFile file;
};

// Opens the output files. Must be called before the work starts, so that errors show early.
// - The user may name several formats with --format. If the user names no format, the extension of
//   the output's name decides. If the name has no extension, the format is the first of `formats`.
// - If several formats are named, each file gets the extension of its format. This extension
//   replaces a known extension of the output's name, or is added to the name.
// - `name` is the output's name if the user gave none.
//
// Throws CLI::ValidationError for errors of usage, such as an output that is one of the `inputs`.
// Throws the exceptions of OutputFile.
std::vector<Output> open_outputs(const OutputOptions& options, std::span<const Format> formats,
                                 const std::vector<std::string>& inputs, const std::string& name);

// Commits the files and prints their names on stderr. With --open, opens one file on the desktop:
// the first page for a browser, or the first file if there is no page. Throws the exceptions of
// OutputFile::commit.
void finish_outputs(const OutputOptions& options, std::vector<Output>& outputs);

// Adds --color. The parser accepts it before and after a sub-command.
void add_colour_option(CLI::App& app);

// Whether output to standard output is coloured. The first rule that applies decides:
// - --color=always and --color=never turn colour on and off.
// - NO_COLOR turns colour off.
// - CLICOLOR_FORCE turns colour on.
// - TERM turns colour off if it is unset or "dumb".
// - Terminals have colour, and other outputs do not.
bool is_stdout_coloured();

// Returns the style of text on standard output. The width is the width of the terminal. If it is
// not known, the width is COLUMNS, or 80 if COLUMNS is not set; at least 40. The text may contain
// non-ASCII characters if the locale uses UTF-8.
reports::TextStyle style_of_stdout();

// Returns the style for files: 100 columns, UTF-8, no colour.
inline reports::TextStyle style_of_files() { return {.width = 100}; }

}  // namespace lapscope::cli
