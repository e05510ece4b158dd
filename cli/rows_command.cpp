#include <iostream>
#include <memory>
#include <string>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/reading_options.h"
#include "reports/columns/column_table.h"
#include "reports/named.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

struct RowsOptions {
  std::string file;
  std::string table;
};

int write_rows(const RowsOptions& options) {
  int status = good;
  const analyzer::Trace trace = read_showing_progress(options.file);
  named(reports::row_tables(), options.table)->of(trace).write(std::cout);
  for (const analyzer::HealthRow& row : trace.health) {
    if (severity_of(row) != analyzer::Severity::error) continue;
    say("'", options.file, "': ", reports::message_of(row));
    status = inconclusive;
  }
  flush_stdout();
  return status;
}

}  // namespace

void add_rows(CLI::App& app) {
  auto options = std::make_shared<RowsOptions>();
  CLI::App* command = app.add_subcommand(
      "rows", "Write all ops or calls of a trace as columns that programs can read");
  command->add_option("FILE", options->file, "Any file that analyze reads")->required();
  command->add_option("--table", options->table, "Table to write")
      ->required()
      ->check(CLI::IsMember(names_of(reports::row_tables())));
  add_reading_options(*command);
  command->footer(
      "Example:\n  lapscope rows t.sqlite --table ops >ops.columns\nExit status: 0 success, 2 "
      "usage error, 3 inconclusive: rows are missing, 4 unreadable file.\ndocs/json.md describes "
      "the output.");
  command->callback([options] { exit_with(write_rows(*options)); });
}

}  // namespace lapscope::cli
