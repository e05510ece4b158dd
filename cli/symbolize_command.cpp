#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "collector/symbols/elf_file.h"
#include "collector/symbols/module_symbols.h"
#include "collector/symbols/stored_chains.h"
#include "collector/symbols/symbolize.h"
#include "readers/open_trace.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using schema::ModuleRow;

// A file that the user gave as a source of symbols, but that fits no module of the trace.
struct UselessFile {
  fs::path path;
  bool is_elf = false;          // exists and is an ELF file
  std::string build_id;         // empty if the file has none
  std::string module;           // name of the module for which the user probably meant the file
  std::string module_build_id;  // build id of this module; empty if it has none
};

std::string file_name(const fs::path& path) { return path.filename().string(); }

// Guesses the module for which the user meant a file: app.debug is meant for app. If the name of
// the file fits no module, returns the program itself.
const ModuleRow& meant_by(const fs::path& file, const std::vector<ModuleRow>& modules) {
  const auto first = [&](auto&& fits) {
    return std::find_if(modules.begin(), modules.end(), fits);
  };
  auto found = first(
      [&](const ModuleRow& module) { return file_name(file).starts_with(file_name(module.path)); });
  if (found == modules.end()) {
    found = first([](const ModuleRow& module) {
      return file_name(module.path).find(".so") == std::string::npos;
    });
  }
  return found == modules.end() ? modules.front() : *found;
}

// Returns the files whose build id matches no module of the trace. Returns no files for a trace
// without call stacks.
std::vector<UselessFile> useless_files(const fs::path& trace, const std::vector<fs::path>& files) {
  schema::Database database(trace, schema::Database::Mode::read_only);
  const symbols::StoredChains chains(database);
  const std::vector<ModuleRow>& modules = chains.modules();
  std::vector<UselessFile> useless;
  if (modules.empty()) return useless;
  for (const fs::path& path : files) {
    const auto file = symbols::ElfFile::open(path);
    const std::string build_id = file ? file->build_id() : "";
    const bool is_used =
        !build_id.empty() && std::any_of(modules.begin(), modules.end(), [&](const auto& module) {
          return module.buildId == build_id;
        });
    if (is_used) continue;
    const ModuleRow& module = meant_by(path, modules);
    useless.push_back(
        {path, file.has_value(), build_id, file_name(module.path), module.buildId.value_or("")});
  }
  return useless;
}

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
  options.working_directory = fs::current_path();
  options.symbol_files.assign(chosen.symbols.begin(), chosen.symbols.end());
  options.uses_debuginfod = chosen.uses_debuginfod;
  std::vector<UselessFile> useless;
  const analyzer::OpenedTrace opened = analyzer::open_trace(chosen.file);
  if (!opened.format->knows.addresses) {
    say("'", chosen.file, "' is no trace of lapscope record: it has the names that it came with.");
    return unreadable;
  }
  if (!options.symbol_files.empty()) {
    useless = useless_files(chosen.file, options.symbol_files);
  }
  for (const UselessFile& file : useless) {
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
  for (const UselessFile& file : useless) {
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
