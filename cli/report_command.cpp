#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output_file.h"
#include "cli/terminal.h"
#include "reports/renderer.h"

extern char** environ;

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using reports::Renderer;

struct ReportOptions : AnalysisOptions {
  std::vector<std::string> formats;
  std::string output;  // empty: not given
  bool verbose = false;
  bool open = false;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& renderer : reports::renderers()) names.emplace_back(renderer.name);
  return names;
}

// The formats asked for; else the one that the output's extension stands for; else text.
std::vector<const Renderer*> renderers_of(const ReportOptions& options) {
  std::vector<const Renderer*> chosen;
  for (const std::string& name : options.formats) {
    const Renderer* renderer = reports::find_renderer(name);
    if (std::find(chosen.begin(), chosen.end(), renderer) == chosen.end()) {
      chosen.push_back(renderer);
    }
  }
  if (!chosen.empty()) return chosen;
  const std::string extension = fs::path(options.output).extension().string();
  for (const Renderer& renderer : reports::renderers()) {
    if (renderer.extension == extension) return {&renderer};
  }
  return {reports::find_renderer("text")};
}

// One path for each format. Several formats share OUT as the name before their extensions.
std::vector<std::string> paths_of(const ReportOptions& options,
                                  const std::vector<const Renderer*>& chosen) {
  std::string base = options.output;
  if (chosen.size() == 1) {
    if (!base.empty()) return {base};
    if (!chosen.front()->draws) return {"-"};
  }
  if (base == "-") {
    throw CLI::ValidationError("--output", "standard output takes one format only");
  }
  if (base.empty()) base = fs::path(options.files.front()).stem().string();
  std::vector<std::string> paths;
  for (const Renderer* renderer : chosen) {
    const std::string extension(renderer->extension);
    paths.push_back(base.ends_with(extension) ? base : base + extension);
  }
  return paths;
}

// A report must not take the place of the trace that it is about.
void check_paths(const ReportOptions& options, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    for (const std::string& file : options.files) {
      std::error_code error;
      if (fs::equivalent(path, file, error)) {
        throw CLI::ValidationError("--output", "'" + path + "' is a trace to be read");
      }
    }
  }
}

// Hands a page to the desktop, if there is one.
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
  // It is not waited for: some openers last as long as the browser does.
  if (!started) std::cerr << "lapscope: there is no desktop to open '" << path << "' on.\n";
}

int write_reports(const ReportOptions& options) {
  const std::vector<const Renderer*> chosen = renderers_of(options);
  const std::vector<std::string> paths = paths_of(options, chosen);
  check_paths(options, paths);
  AnalysisOptions asked = options;
  asked.analysis.timeline =
      std::any_of(chosen.begin(), chosen.end(), [](const Renderer* r) { return r->draws; });
  try {
    // Before the work: a path that cannot be written is told at once.
    std::vector<OutputFile> files;
    for (const std::string& path : paths) files.emplace_back(path);
    std::vector<analyzer::Report> results;
    const int status = analyze_files(asked, results);
    if (status == unreadable) return status;
    for (std::size_t i = 0; i < files.size(); ++i) {
      reports::TextStyle style = files[i].is_stdout() ? style_of_stdout() : style_of_files();
      style.verbose = options.verbose;
      chosen[i]->render(results, style, files[i].stream());
    }
    for (OutputFile& file : files) {
      file.commit();
      if (!file.is_stdout()) std::cerr << "lapscope: wrote '" << file.path() << "'.\n";
    }
    if (options.open) open_on_desktop(files.front().path());
    return status;
  } catch (const std::runtime_error& error) {
    std::cerr << "lapscope: " << error.what() << '\n';
    return unreadable;
  }
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Write what there is to tell about traces");
  add_analysis_options(*command, *options);
  command
      ->add_option("--format", options->formats,
                   "One or several, with commas between them; what -o ends in when left out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(format_names()));
  command->add_option("-o,--output", options->output,
                      "Where to write it: a file, - for standard output, or with several formats "
                      "the name before their extensions");
  command->add_flag("-v,--verbose", options->verbose,
                    "Every measure with its definition, and every table (text)");
  command->add_flag("--open", options->open, "Open the first page on the desktop");
  command->footer(
      "Example:\n  lapscope report t.sqlite -o report.html --open\n"
      "  lapscope report t.sqlite --format markdown,perfetto -o report\n"
      "Exit status: 0 good, 2 usage, 3 inconclusive, 4 a file cannot be read or written.");
  command->callback([options] {
    if (options->open && options->output == "-") {
      throw CLI::ValidationError("--open", "what goes to standard output cannot be opened");
    }
    if (const int status = write_reports(*options); status != good) {
      throw CLI::RuntimeError(status);
    }
  });
}

}  // namespace lapscope::cli
