#include "cli/output_options.h"

#include <fcntl.h>
#include <langinfo.h>
#include <spawn.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/commands.h"
#include "reports/named.h"

extern char** environ;

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

bool has_extension(const Format& format, std::string_view extension) {
  return format.extension == extension || format.also_extension == extension;
}

std::vector<std::size_t> chosen_formats(const OutputOptions& options,
                                        std::span<const Format> formats) {
  std::vector<std::size_t> chosen;
  for (const std::string& name : options.formats) {
    const auto found = std::find_if(formats.begin(), formats.end(),
                                    [&name](const Format& format) { return format.name == name; });
    const auto index = static_cast<std::size_t>(found - formats.begin());
    if (std::find(chosen.begin(), chosen.end(), index) == chosen.end()) chosen.push_back(index);
  }
  if (!chosen.empty()) return chosen;
  const std::string extension = fs::path(options.output).extension().string();
  if (extension.empty()) return {0};
  std::string known;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (has_extension(formats[i], extension)) return {i};
    for (const std::string_view one : {formats[i].extension, formats[i].also_extension}) {
      if (!one.empty()) known += (known.empty() ? "" : ", ") + std::string(one);
    }
  }
  throw CLI::ValidationError("--output", "no format is known for '" + extension + "': use one of " +
                                             known + ", or name it with --format");
}

// Returns the output's name without an extension that belongs to one of `formats`. Each format adds
// its own extension to the result.
std::string name_before_extension(const std::string& output, std::span<const Format> formats) {
  const fs::path path(output);
  const std::string extension = path.extension().string();
  const bool is_known = std::any_of(formats.begin(), formats.end(), [&](const Format& format) {
    return !extension.empty() && has_extension(format, extension);
  });
  return is_known ? output.substr(0, output.size() - extension.size()) : output;
}

std::vector<std::string> paths_of(const OutputOptions& options, std::span<const Format> formats,
                                  const std::vector<std::size_t>& chosen, const std::string& name) {
  std::string base = options.output;
  if (chosen.size() == 1) {
    if (!base.empty()) return {base};
    if (formats[chosen.front()].is_read_in_terminal) return {"-"};
  }
  if (base == "-") {
    throw CLI::ValidationError("--output", "standard output takes one format only");
  }
  base = base.empty() ? name : name_before_extension(base, formats);
  std::vector<std::string> paths;
  for (const std::size_t format : chosen) {
    paths.push_back(base + std::string(formats[format].extension));
  }
  return paths;
}

// Opens a file on the desktop. If there is no desktop, prints a line on stderr.
void open_on_desktop(const std::string& path) {
  const bool has_desktop = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  std::string opener = "xdg-open";
  std::string page = fs::absolute(path).string();
  char* const arguments[] = {opener.data(), page.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const bool started = has_desktop && ::posix_spawnp(&child, opener.c_str(), &actions, nullptr,
                                                     arguments, environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  // Does not wait for xdg-open, which may run as long as the browser.
  if (!started) say("there is no desktop to open '", path, "' on.");
}

}  // namespace

void add_output_options(CLI::App& command, OutputOptions& options,
                        std::span<const Format> formats) {
  command
      .add_option("--format", options.formats,
                  "One or several formats, separated by commas. By default, the file extension of "
                  "-o decides")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(reports::names_of(formats)));
  command.add_option("-o,--output", options.output,
                     "Output file; - is standard output. With several formats, each file has this "
                     "name and the extension of its format");
  command.add_flag("--open", options.open, "Open the first HTML page in the browser");
}

std::vector<Output> open_outputs(const OutputOptions& options, std::span<const Format> formats,
                                 const std::vector<std::string>& inputs, const std::string& name) {
  const auto chosen = chosen_formats(options, formats);
  const auto paths = paths_of(options, formats, chosen, name);
  if (options.open && paths.front() == "-") {
    throw CLI::ValidationError("--open", "standard output cannot be opened; name a file with -o");
  }
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    outputs.push_back({chosen[i], formats[chosen[i]].name == "html", OutputFile(paths[i], inputs)});
  }
  return outputs;
}

void finish_outputs(const OutputOptions& options, std::vector<Output>& outputs) {
  for (Output& output : outputs) {
    output.file.commit();
    if (!output.file.is_stdout()) {
      say("wrote '", output.file.path(), "'.");
    }
  }
  if (!options.open) return;
  const auto page = std::find_if(outputs.begin(), outputs.end(),
                                 [](const Output& output) { return output.is_page; });
  open_on_desktop((page == outputs.end() ? outputs.front() : *page).file.path());
}

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Whether `codeset`, a result of nl_langinfo(CODESET), is UTF-8.
bool is_utf8(const char* codeset) {
  return ::strcasecmp(codeset, "UTF-8") == 0 || ::strcasecmp(codeset, "UTF8") == 0;
}

// Whether the environment's locale uses UTF-8. Does not change the locale of the process, because
// that would change how numbers are printed.
bool locale_is_utf8() {
  const locale_t asked = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (asked == nullptr) return false;
  const bool utf8 = is_utf8(::nl_langinfo_l(CODESET, asked));
  ::freelocale(asked);
  return utf8;
}

std::string& colour_choice() {
  static std::string choice = "auto";
  return choice;
}

}  // namespace

void add_colour_option(CLI::App& app) {
  app.add_option("--color", colour_choice(),
                 "Use colour: auto (the default, only on terminals), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.fallthrough();
}

bool is_stdout_coloured() {
  if (colour_choice() != "auto") return colour_choice() == "always";
  if (is_set("NO_COLOR")) return false;
  const char* force = std::getenv("CLICOLOR_FORCE");
  if (force != nullptr && *force != '\0' && std::string_view(force) != "0") return true;
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  return ::isatty(STDOUT_FILENO) == 1 && !dumb;
}

namespace {

// Returns the value of COLUMNS. Returns 0 if COLUMNS is not a number, or is above 1000.
std::size_t asked_columns() {
  constexpr std::size_t most = 1000;
  const char* const text = std::getenv("COLUMNS");
  std::size_t columns = 0;
  if (text == nullptr || !CLI::detail::lexical_cast(std::string(text), columns)) return 0;
  return columns <= most ? columns : 0;
}

}  // namespace

reports::TextStyle style_of_stdout() {
  reports::TextStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  winsize size{};
  constexpr std::size_t least = 40;
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::max<std::size_t>(size.ws_col, least);
  } else if (const std::size_t columns = asked_columns(); columns > 0) {
    style.width = std::max(columns, least);
  }
  style.colour = is_stdout_coloured();
  style.unicode = locale_is_utf8();
  return style;
}

}  // namespace lapscope::cli
