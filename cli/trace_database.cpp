#include "cli/trace_database.h"

#include <utility>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/reading_options.h"
#include "collector/schema/views.h"
#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/trace_format.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

schema::Database imported(const std::string& file, const analyzer::TraceFormat& format) {
  auto writer = trace::TraceWriter::unread(schema::Database::unnamed());
  format.file.import(file, writer, nullptr, row_limit());
  writer.finish();
  return trace::TraceWriter::taken(std::move(writer));
}

schema::Database opened(const std::string& file) {
  const analyzer::TraceFormat* const source = analyzer::format_of_source(file);
  if (source && source->file.import) return imported(file, *source);
  analyzer::OpenedTrace trace = analyzer::open_trace(file);
  if (trace.unread_log) say("'", file, "': ", reports::message_of(*trace.unread_log));
  return std::move(trace.database);
}

}  // namespace

schema::Database database_for_sql(const std::string& file) {
  const analyzer::TraceFormat* const source = analyzer::format_of_source(file);
  if (source && source->file.export_command) {
    const ExportedFile exported = export_showing_progress(file, *source);
    return database_for_sql(exported.path().string());  // the open file outlives its name
  }
  schema::Database database = opened(file);
  database.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = OFF");
  schema::create_views(database, schema::ViewPlace::of_connection);
  database.execute("PRAGMA query_only = ON");
  database.allow_only_select();
  return database;
}

}  // namespace lapscope::cli
