#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/progress_bar.h"
#include "cli/reading_options.h"
#include "cli/stages.h"
#include "collector/trace/copy_tables.h"
#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string input;
  std::string output;
  bool replaces = false;
};

// A trace is made of a file that can be looked at anywhere.
OutputFile file_for_trace(const ConvertOptions& options) {
  std::error_code error;
  const fs::file_status status = fs::status(options.output, error);
  if (options.output == "-" || (fs::exists(status) && !fs::is_regular_file(status))) {
    throw std::runtime_error("'" + options.output +
                             "' is no regular file, and a trace must be one.");
  }
  return OutputFile(options.output, {options.input});
}

void convert_database(const std::string& input, schema::Database output) {
  const ProgressBar bar({converting_stage(input)});
  if (const auto damage = analyzer::damaged_pages(input)) {
    throw std::runtime_error("'" + input + "' is not converted. " + reports::message_of(*damage) +
                             " " + reports::remedy_of(*damage));
  }
  analyzer::OpenedTrace source = analyzer::open_trace(input);
  if (source.unread_log) {
    throw std::runtime_error("'" + input + "' is not converted. " +
                             reports::message_of(*source.unread_log) + " " +
                             reports::remedy_of(*source.unread_log));
  }
  analyzer::check_rows(source.database, input, row_limit());
  output.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  const bool is_foreign = source.format->version_of != nullptr;
  trace::copy_tables(source.database, output, is_foreign ? source.format_name : "");
}

// `source` is the format of what is no database yet, or null.
void convert_file(const analyzer::TraceFormat* source, const std::string& input,
                  const ConvertOptions& options) {
  // What cannot be read is known before anything is made.
  if (!source) analyzer::open_trace(input);
  OutputFile file = file_for_trace(options);
  const fs::path name = file.name_to_open();
  if (source) {
    auto writer = trace::TraceWriter::unread(schema::Database::nameless(name));
    import_showing_progress(input, *source, converting_stage(input), writer);
  } else {
    convert_database(input, schema::Database::nameless(name));
  }
  // What would be refused is not made: the input has too much of something.
  analyzer::read_trace(schema::Database::nameless(name), input);
  file.commit();
}

int convert(const ConvertOptions& options) {
  try {
    refuse_to_write_over(options.output, {options.input});
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
  } catch (const CLI::Error&) {
    throw;
  } catch (const schema::SqliteError& error) {
    say("'", options.input, "' cannot be converted: ", error.what(), ".");
  } catch (const std::exception& error) {
    say(error.what());
  }
  return unreadable;
}

}  // namespace

void add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write any input as a trace of lapscope");
  command
      ->add_option("IN", options->input,
                   "A trace, an SQLite export or a report of Nsight Systems, JSON of PyTorch's "
                   "profiler, also "
                   "packed by gzip, or a profile of JAX (XProf)")
      ->required();
  command->add_option("OUT", options->output, "The trace to write, as out.sqlite")->required();
  command->add_flag("--force", options->replaces, "Replace OUT if it exists");
  add_max_ops_option(*command);
  command->footer(
      "Example:\n  lapscope convert worker0.pt.trace.json.gz worker0.sqlite\n"
      "The analysis of OUT has the result of IN: what IN does not show stays unknown.\n"
      "Exit status: 0 success, 2 usage error, 4 a file cannot be read or written.");
  command->callback([options] {
    if (const int status = convert(*options); status != good) throw CLI::RuntimeError(status);
  });
}

}  // namespace lapscope::cli
