#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.h"
#include "reports/text/layout.h"

namespace lapscope::cli {

// What a command can write, as its renderers' registry has it.
struct Format {
  std::string_view name;
  std::string_view extension;       // as ".txt"
  std::string_view also_extension;  // that is known for it, too; may be empty
  bool is_read_in_terminal = true;  // else it goes to a file when nothing is said
};

// What commands that write several formats take.
struct OutputOptions {
  std::vector<std::string> formats;
  std::string output;  // empty: not given
  bool open = false;
};

// Adds --format, --output and --open. `options` must outlive the command.
void add_output_options(CLI::App& command, OutputOptions& options, std::span<const Format> formats);

// One format and the file that it goes to.
struct Output {
  std::size_t format = 0;  // index into the formats
  bool is_page = false;    // for a browser
  OutputFile file;
};

// Opens the files, so that one that cannot be written is known before the work starts: the formats
// asked for, else the one that the output's extension stands for, else, without an extension, the
// first. Several share the output as the name before their extensions, one of which it may end in;
// `name` is for when none is given. Throws CLI::ValidationError for what makes no sense, as an
// output that is one of the `inputs` or an extension that no format has, and what OutputFile does.
std::vector<Output> open_outputs(const OutputOptions& options, std::span<const Format> formats,
                                 const std::vector<std::string>& inputs, const std::string& name);

// Puts the files into their places, says so on stderr, and opens the first page on the desktop, or
// without a page the first, if that was asked for. Throws what OutputFile::commit does.
void finish_outputs(const OutputOptions& options, std::vector<Output>& outputs);

// Adds --color, which the sub-commands take, too.
void add_colour_option(CLI::App& app);

// Whether what goes to standard output has colour: as --color says, else if CLICOLOR_FORCE is set,
// else on a terminal only, and never there when NO_COLOR is set or TERM is "dumb".
bool is_stdout_coloured();

// How a text on standard output should look: the terminal's width (elsewhere COLUMNS of the
// environment, else 80), colour as above, and signs beyond ASCII when the locale is one of UTF-8.
reports::TextStyle style_of_stdout();

// For a file: as wide as a terminal usually is, UTF-8, no colour.
inline reports::TextStyle style_of_files() { return {.width = 100}; }

// Whether an encoding as nl_langinfo(CODESET) names it is UTF-8.
bool is_utf8(const char* codeset);

}  // namespace lapscope::cli
