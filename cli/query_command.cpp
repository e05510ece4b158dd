#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/parallel.h"
#include "cli/commands.h"
#include "cli/number_checks.h"
#include "cli/output_options.h"
#include "cli/reading_options.h"
#include "cli/runs.h"
#include "cli/trace_database.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "reports/named.h"
#include "reports/query/query_result.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

using reports::QueryResult;
using reports::QueryValue;

struct QueryOptions {
  std::string trace;
  std::string sql;
  std::string format = std::string(reports::query_renderers().front().name);
  std::size_t most_rows = std::numeric_limits<std::size_t>::max();
};

QueryValue value_of(const schema::Statement& row, int column) {
  switch (row.type(column)) {
    case schema::ValueType::null:
      return {};
    case schema::ValueType::integer:
      return row.int64(column);
    case schema::ValueType::real:
      return row.real(column);
    case schema::ValueType::text:
      return std::string(row.text(column));
    case schema::ValueType::blob:
      break;
  }
  return "<" + std::to_string(row.text(column).size()) + " bytes>";
}

// Returns the rows of the SQL's result, at most options.most_rows.
QueryResult result_of(const std::string& file, const QueryOptions& options) {
  schema::Database database = database_for_sql(file);
  if (!analyzer::format_of_source(file) && is_checked(file)) {
    if (const auto row = analyzer::damaged_pages(file)) {
      say("'", file, "': ", reports::message_of(*row));
    }
  }
  try {
    auto statement = schema::Statement::single(database, options.sql);
    QueryResult result{statement.column_names(), {}};
    while (result.rows.size() < options.most_rows && statement.step()) {
      std::vector<QueryValue>& row = result.rows.emplace_back();
      for (std::size_t column = 0; column < result.columns.size(); ++column) {
        row.push_back(value_of(statement, static_cast<int>(column)));
      }
    }
    return result;
  } catch (const schema::SqliteError& error) {
    throw std::runtime_error("'" + file + "': the query failed: " + error.what() +
                             ". Only one SELECT is allowed; docs/queries.md has the views.");
  }
}

// Returns the rows of all traces. The first column names the trace.
QueryResult result_of_all(const std::vector<std::string>& files, const QueryOptions& options) {
  std::vector<QueryResult> results(files.size());
  analyzer::in_parallel(files.size(), files.size(),
                        [&](std::size_t file) { results[file] = result_of(files[file], options); });
  QueryResult all{results[0].columns, {}};
  all.columns.insert(all.columns.begin(), "trace");
  for (std::size_t file = 0; file < files.size(); ++file) {
    QueryResult& one = results[file];
    if (one.columns != results[0].columns) {
      throw std::runtime_error("'" + files[file] + "' has other columns than '" + files[0] +
                               "'. Name the columns in the query instead of *.");
    }
    const std::string name = std::filesystem::path(files[file]).filename().string();
    for (std::vector<QueryValue>& row : one.rows) {
      row.insert(row.begin(), name);
      all.rows.push_back(std::move(row));
    }
  }
  return all;
}

// Throws std::runtime_error if two columns have the same name, because each row becomes a JSON
// object, in which each name may occur only once.
void refuse_equal_names(std::vector<std::string> columns) {
  std::ranges::sort(columns);
  const auto twice = std::ranges::adjacent_find(columns);
  if (twice == columns.end()) return;
  throw std::runtime_error("Several columns have the name '" + *twice +
                           "'. For JSON, give each column its own name, with AS.");
}

int query(const QueryOptions& options) {
  const std::vector<std::string> traces = traces_in(options.trace);
  const QueryResult result =
      traces.empty() ? result_of(options.trace, options) : result_of_all(traces, options);
  if (options.format == "json") refuse_equal_names(result.columns);
  named(reports::query_renderers(), options.format)->render(result, style_of_stdout(), std::cout);
  flush_stdout();
  return good;
}

}  // namespace

void add_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command =
      app.add_subcommand("query", "Query a trace, or all traces of a folder, with SQL");
  command
      ->add_option("TRACE", options->trace,
                   "Any file that analyze reads, or a folder of traces. For a folder, the first "
                   "column of each row names the trace")
      ->required();
  command->add_option("SQL", options->sql, "One SELECT statement, in SQLite's SQL")->required();
  command->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember(names_of(reports::query_renderers())))
      ->capture_default_str();
  command->add_option("--max-rows", options->most_rows, "Maximum number of rows from each trace")
      ->check(from_to(1, 1e12))
      ->type_name("N");
  add_max_ops_option(*command);
  command->footer(
      "Example:\n  lapscope query t.sqlite \"SELECT name, count(*), sum(duration_ns) FROM "
      "lapscope_ops GROUP BY name\"\nViews: lapscope_ops, lapscope_calls, lapscope_ranges, "
      "lapscope_gaps, lapscope_host_time.\nThey contain the recorded times. Only analyze checks "
      "whether the recording is complete.\nExit status: 0 success, 2 usage error, 4 unreadable "
      "file or invalid SQL.");
  command->callback([options] { exit_with(query(*options)); });
}

}  // namespace lapscope::cli
