#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/progress_bar.h"
#include "cli/reading_options.h"
#include "cli/stages.h"
#include "cli/trace_database.h"
#include "collector/schema/views.h"
#include "collector/trace/copy_tables.h"
#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "reports/parquet/parquet_file.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string input;
  std::string output;
  bool replaces = false;
};

// Returns the output file. Refuses standard output, pipes and devices, because reading a trace
// needs random access.
OutputFile file_for_trace(const ConvertOptions& options) {
  std::error_code error;
  const fs::file_status status = fs::status(options.output, error);
  if (options.output == "-" || (fs::exists(status) && !fs::is_regular_file(status))) {
    throw std::runtime_error("'" + options.output +
                             "' is no regular file, and a trace must be one.");
  }
  return OutputFile(options.output, {options.input});
}

// Opens a trace database. Refuses a database that lacks rows, because the converted file would look
// complete.
analyzer::OpenedTrace opened_whole(const std::string& input) {
  const auto refuse_for = [&](const analyzer::HealthRow& row) {
    throw std::runtime_error("'" + input + "' is not converted. " + reports::message_of(row) + " " +
                             reports::remedy_of(row));
  };
  if (const auto damage = analyzer::damaged_pages(input)) refuse_for(*damage);
  analyzer::OpenedTrace source = analyzer::open_trace(input);
  if (source.unread_log) refuse_for(*source.unread_log);
  analyzer::check_rows(source.database, input, row_limit());
  return source;
}

void convert_database(const std::string& input, schema::Database output) {
  const ProgressBar bar({converting_stage(input)});
  analyzer::OpenedTrace source = opened_whole(input);
  output.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  const bool is_foreign = source.format->version_of != nullptr;
  trace::copy_tables(source.database, output, is_foreign ? source.format_name : "");
}

// Converts one file. `source` is the format of the input; null if the input is a trace database.
void convert_file(const analyzer::TraceFormat* source, const std::string& input,
                  const ConvertOptions& options) {
  // An unreadable input fails here, before an output is created.
  if (!source) analyzer::open_trace(input);
  OutputFile file = file_for_trace(options);
  const fs::path name = file.name_to_open();
  if (source) {
    auto writer = trace::TraceWriter::unread(schema::Database::nameless(name));
    import_showing_progress(input, *source, converting_stage(input), writer);
  } else {
    convert_database(input, schema::Database::nameless(name));
  }
  // Reads the new trace before the commit, so that no output file appears if the trace cannot be
  // read.
  analyzer::read_trace(schema::Database::nameless(name), input);
  file.commit();
}

bool is_parquet(std::string name) {
  while (name.ends_with('/')) name.pop_back();
  return name.ends_with(".parquet");
}

void write_view(schema::Database& trace, const schema::TableInfo& view, std::ostream& out) {
  std::vector<reports::ParquetColumn> columns;
  for (const schema::ColumnInfo& column : view.columns) {
    const bool is_text = column.type == schema::ColumnType::text;
    columns.push_back({std::string(column.name),
                       is_text ? reports::ParquetType::text : reports::ParquetType::int64});
  }
  reports::ParquetFile file(out, columns);
  schema::Statement rows(trace, "SELECT * FROM " + std::string(view.name));
  while (rows.step()) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto column = static_cast<int>(i);
      if (columns[i].type == reports::ParquetType::int64) {
        file.add(rows.integer(column));
      } else if (rows.is_null(column)) {
        file.add(std::optional<std::string_view>());
      } else {
        file.add(std::optional<std::string_view>(reports::printable(rows.text(column))));
      }
    }
  }
  file.finish();
}

// Writes one Parquet file for each view. The name of the file is the name of the view without
// "lapscope_". The files appear at their paths only when all of them are complete.
void convert_to_parquet(const ConvertOptions& options) {
  const fs::path folder(options.output);
  if (!options.replaces && fs::exists(folder)) {
    throw CLI::ValidationError("OUT",
                               "'" + options.output + "' exists; --force replaces its tables");
  }
  if (!analyzer::format_of_source(options.input)) opened_whole(options.input);
  schema::Database trace = database_for_sql(options.input);
  std::error_code error;
  const bool is_new = fs::create_directories(folder, error);
  if (error) {
    throw std::runtime_error("'" + options.output + "' cannot be made: " + error.message() + ".");
  }
  try {
    std::vector<OutputFile> files;
    for (const schema::ViewInfo& view : schema::views()) {
      const std::string_view name = view.table.name.substr(std::string_view("lapscope_").size());
      const fs::path path = folder / (std::string(name) + ".parquet");
      OutputFile& file = files.emplace_back(path.string(), std::vector{options.input});
      write_view(trace, view.table, file.stream());
    }
    for (OutputFile& file : files) file.commit();
  } catch (...) {
    std::error_code ignored;
    if (is_new) fs::remove_all(folder, ignored);
    throw;
  }
}

int convert(const ConvertOptions& options) {
  try {
    refuse_to_write_over(options.output, {options.input});
    if (is_parquet(options.output)) {
      convert_to_parquet(options);
      return good;
    }
    if (!options.replaces && fs::is_regular_file(options.output)) {
      throw CLI::ValidationError("OUT", "'" + options.output + "' exists; --force replaces it");
    }
    const analyzer::TraceFormat* source = analyzer::format_of_source(options.input);
    if (source && source->file.export_command) {
      const ExportedFile exported = export_showing_progress(options.input, *source);
      convert_file(nullptr, exported.path(), options);
    } else {
      convert_file(source, options.input, options);
    }
    return good;
  } catch (const schema::SqliteError& error) {
    throw std::runtime_error("'" + options.input + "' cannot be converted: " + error.what() + ".");
  }
}

}  // namespace

void add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Convert a file to a trace or to Parquet tables");
  command
      ->add_option("IN", options->input,
                   "A trace, an SQLite export or a report of Nsight Systems, JSON of PyTorch's "
                   "profiler (plain or gzip), or a profile of JAX (XProf)")
      ->required();
  command
      ->add_option(
          "OUT", options->output,
          "Trace to write, such as out.sqlite, or folder for the tables, such as out.parquet/")
      ->required();
  command->add_flag("--force", options->replaces, "Replace OUT if it exists");
  add_max_ops_option(*command);
  command->footer(
      "Example:\n  lapscope convert worker0.pt.trace.json.gz worker0.sqlite\nanalyze has the same "
      "result for IN and OUT. Facts that IN does not contain stay unknown.\nThe Parquet tables are "
      "ops, calls, ranges, gaps and host_time. They have the same columns as the\nviews of "
      "query.\nExit status: 0 success, 2 usage error, 4 a file cannot be read or written.");
  command->callback([options] { exit_with(convert(*options)); });
}

}  // namespace lapscope::cli
