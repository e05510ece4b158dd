#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/progress_bar.h"
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

// A database beside the place that it is to have, and gone unless it gets there. (SQLite opens
// files by name only, so that OutputFile is none for it.)
class NewTrace {
 public:
  explicit NewTrace(const std::string& output) : place_(output) {
    std::error_code error;
    if (const fs::path led = fs::canonical(place_, error); !error) place_ = led;
    const fs::file_status status = fs::status(place_, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw std::runtime_error("'" + output + "' is no regular file, and a trace must be one.");
    }
    // A file that may not be written is not to be replaced either.
    if (fs::exists(status) && ::access(place_.c_str(), W_OK) != 0) fail(errno);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    permissions_ =
        fs::exists(status) ? status.permissions() : static_cast<fs::perms>(0666U & ~mask);
    path_ = place_.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) fail(errno);
    ::close(descriptor);
  }
  ~NewTrace() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  NewTrace(const NewTrace&) = delete;
  NewTrace& operator=(const NewTrace&) = delete;

  const std::string& path() const { return path_; }

  void put_in_place() {
    std::error_code ignored;
    fs::permissions(path_, permissions_, ignored);
    if (::rename(path_.c_str(), place_.c_str()) != 0) fail(errno);
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw std::runtime_error("'" + place_.string() +
                             "' cannot be written: " + std::strerror(error) + ".");
  }

  fs::path place_;  // where a symbolic link leads
  std::string path_;
  fs::perms permissions_{};
};

void convert_database(const std::string& input, const std::string& output) {
  const ProgressBar bar({converting_stage(input)});
  if (const auto damage = analyzer::damaged_pages(input)) {
    throw std::runtime_error("'" + input + "' is not converted. " + reports::message_of(*damage) +
                             " " + reports::remedy_of(*damage));
  }
  analyzer::OpenedTrace source = analyzer::open_trace(input);
  schema::Database database(output, schema::Database::Mode::read_write);
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  const bool is_foreign = source.format->version_of != nullptr;
  trace::copy_tables(source.database, database, is_foreign ? source.format_name : "");
}

// `source` is the format of what is no database yet, or null.
void convert_file(const analyzer::TraceFormat* source, const std::string& input,
                  const std::string& output) {
  // What cannot be read is known before anything is made.
  if (!source) analyzer::open_trace(input);
  NewTrace trace(output);
  if (source) {
    auto writer = trace::TraceWriter::unread({trace.path(), schema::Database::Mode::read_write});
    import_showing_progress(input, *source, converting_stage(input), writer);
  } else {
    convert_database(input, trace.path());
  }
  trace.put_in_place();
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
      convert_file(nullptr, exported.path(), options.output);
    } else {
      convert_file(source, options.input, options.output);
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
      ->add_option(
          "IN", options->input,
          "A trace, an SQLite export or a report of Nsight Systems, or JSON of PyTorch's profiler, "
          "also packed by gzip")
      ->required();
  command->add_option("OUT", options->output, "The trace to write, as out.sqlite")->required();
  command->add_flag("--force", options->replaces, "Replace OUT if it exists");
  command->footer(
      "Example:\n  lapscope convert worker0.pt.trace.json.gz worker0.sqlite\n"
      "The analysis of OUT has the result of IN: what IN does not show stays unknown.\n"
      "Exit status: 0 success, 2 usage error, 4 a file cannot be read or written.");
  command->callback([options] {
    if (const int status = convert(*options); status != good) throw CLI::RuntimeError(status);
  });
}

}  // namespace lapscope::cli
