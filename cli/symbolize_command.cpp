#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "collector/symbols/module_symbols.h"
#include "collector/symbols/symbol_files.h"
#include "collector/symbols/symbolize.h"
#include "readers/open_trace.h"

namespace lapscope::cli {
namespace {

struct SymbolizeOptions {
  std::string file;
  std::vector<std::string> symbols;
  bool uses_debuginfod = false;
};

// Returns the problems with files, such as "; 3 files are not there".
std::string troubles_of(const symbols::Result& result) {
  std::string text;
  const auto add = [&text](std::int64_t count, const char* of_one, const char* of_several) {
    if (count == 0) return;
    text += fmt::format("; {} {}", count, count == 1 ? of_one : of_several);
  };
  add(result.missing_files, "file is not there", "files are not there");
  add(result.changed_files, "file was built anew since the run",
      "files were built anew since the run");
  add(result.unchecked_files, "file has no build id, and may be another one",
      "files have no build id, and may be others");
  return text;
}

std::string id_of(const std::string& build_id) {
  return build_id.empty() ? "no build id" : "build id " + build_id;
}

int symbolize(const SymbolizeOptions& chosen) {
  symbols::Options options;
  options.working_directory = std::filesystem::current_path();
  options.symbol_files.assign(chosen.symbols.begin(), chosen.symbols.end());
  options.uses_debuginfod = chosen.uses_debuginfod;
  std::vector<symbols::UselessFile> useless;
  const analyzer::OpenedTrace opened = analyzer::open_trace(chosen.file);
  if (!opened.format->knows.addresses) {
    say("'", chosen.file, "' is no trace of lapscope record: it has the names that it came with.");
    return unreadable;
  }
  if (!options.symbol_files.empty()) {
    useless = symbols::useless_files(chosen.file, options.symbol_files);
  }
  for (const symbols::UselessFile& file : useless) {
    if (file.is_elf) continue;
    say("'", file.path.string(), "' does not exist, or is not a 64-bit program or library.");
    return unreadable;
  }
  // A debuginfod server may be slow.
  constexpr std::chrono::hours patience(1);
  const symbols::Result result = symbols::symbolize_apart(chosen.file, options, patience);
  if (!result.problem.empty()) {
    say(result.problem, ".");
    return unreadable;
  }
  if (result.addresses == 0) {
    say("'", chosen.file,
        "' has no call stacks. lapscope record captures them by default; see "
        "--stacks.");
    return inconclusive;
  }
  fmt::print("{} of {} addresses have names, {} have lines{}.\n", result.named, result.addresses,
             result.with_lines, troubles_of(result));
  if (!symbols::ModuleSymbols::reads_lines) {
    say("lines are not read: this lapscope was built without libdw of elfutils.");
  }
  for (const symbols::UselessFile& file : useless) {
    say("'", file.path.string(), "' does not fit the trace: it has ", id_of(file.build_id),
        ", and '", file.module, "' of the trace has ", id_of(file.module_build_id), ".");
  }
  return useless.empty() ? good : inconclusive;
}

}  // namespace

void add_symbolize(CLI::App& app) {
  auto options = std::make_shared<SymbolizeOptions>();
  CLI::App* command = app.add_subcommand(
      "symbolize",
      "Add names and source lines to the call stacks of a trace (record also adds them)");
  command
      ->add_option("TRACE", options->file, "Trace of lapscope record. symbolize changes this file")
      ->required();
  command
      ->add_option(
          "--symbols", options->symbols,
          "File with the symbols of a stripped program or library. Both have the same build id")
      ->allow_extra_args(false);
  command->add_flag("--debuginfod", options->uses_debuginfod,
                    "Ask the servers in DEBUGINFOD_URLS for debug files");
  command->footer(
      "Example:\n  lapscope symbolize t.sqlite --symbols build/app.unstripped\nRun symbolize in "
      "the folder in which you recorded the trace. Paths in the trace can be relative to it.\nExit "
      "status: 0 success, 2 usage error, 3 the trace has no call stacks, or a file of --symbols "
      "names\nnothing, 4 unreadable file.");
  command->callback([options] { exit_with(symbolize(*options)); });
}

}  // namespace lapscope::cli
