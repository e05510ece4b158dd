#include "collector/schema/views.h"

#include <array>
#include <vector>

#include "collector/schema/tables.h"

namespace lapscope::schema {
namespace {

constexpr ColumnInfo integer(std::string_view name, Unit unit, std::string_view meaning) {
  return {.name = name,
          .type = ColumnType::integer,
          .nullable = true,
          .unit = unit,
          .meaning = meaning};
}
constexpr ColumnInfo text(std::string_view name, std::string_view meaning) {
  return {.name = name, .type = ColumnType::text, .nullable = true, .meaning = meaning};
}

constexpr ColumnInfo process =
    integer("process_id", Unit::id, "process id of the operating system");
constexpr ColumnInfo thread = integer("thread_id", Unit::id, "thread id of the operating system");
constexpr ColumnInfo start = integer("start_ns", Unit::session_ns, "start");
constexpr ColumnInfo end = integer("end_ns", Unit::session_ns, "end; not part of the interval");
constexpr ColumnInfo duration = integer("duration_ns", Unit::ns, "end_ns - start_ns");
constexpr ColumnInfo correlation = integer(
    "correlation_id", Unit::id,
    "together with process_id, joins a call in lapscope_calls with its ops in lapscope_ops");

constexpr std::array op_columns = {
    text("kind", "kernel, copy, memset, or graph (one execution of a graph, recorded as a whole)"),
    text("name",
         "kernel: its name without namespaces, template arguments and parameters; copy: HtoD, "
         "DtoH, DtoD, PtoP, …; otherwise the kind"),
    integer("device_id", Unit::id, "device"),
    integer("context_id", Unit::id, "CUDA context"),
    integer("stream_id", Unit::id, "stream"),
    start,
    end,
    duration,
    integer("bytes", Unit::bytes, "size of a copy or a memset"),
    process,
    correlation};

constexpr std::array call_columns = {
    text("name", "name of the function without its version suffix"),
    process,
    thread,
    start,
    end,
    duration,
    correlation};

constexpr std::array range_columns = {
    text("name", "name that the program gave the range"),
    text("domain", "name of the domain; NULL for the default domain"),
    process,
    thread,
    start,
    integer("end_ns", Unit::session_ns,
            "end; not part of the interval. NULL if the range was never closed"),
    duration};

constexpr std::array gap_columns = {
    integer("device_id", Unit::id, "idle device"),
    start,
    end,
    duration,
    text("next_kind", "kind of the op after the gap, as in lapscope_ops"),
    text("next_name", "name of that op"),
    integer("next_stream_id", Unit::id, "stream of that op"),
    integer("next_correlation_id", Unit::id, "correlation id of the call that issued that op")};

constexpr std::array host_time_columns = {
    process,
    thread,
    start,
    end,
    duration,
    text("previous_call", "name of the call that ended when the interval began"),
    text("next_call", "name of the call that began when the interval ended")};

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : " UNION ALL ") + part;
  return all;
}

// Returns a SELECT statement that gives no rows. It is for a view whose table the database lacks.
std::string no_rows(std::span<const ColumnInfo> columns) {
  std::string nulls;
  for (const ColumnInfo& column : columns) {
    nulls.append(nulls.empty() ? "" : ", ").append("NULL AS ").append(column.name);
  }
  return "SELECT " + nulls + " WHERE 0";
}

// Returns `expression`, which is SQL that reads `column`. Returns "NULL" if the table lacks the
// column.
std::string where_known(Database& database, std::string_view table, std::string_view column,
                        std::string expression) {
  return database.has_column(table, column) ? std::move(expression) : "NULL";
}

std::string process_of(Database& database, std::string_view table, std::string_view column) {
  return where_known(database, table, column, "(" + std::string(column) + " >> 24) & 16777215");
}

std::string string_of(Database& database, const std::string& id) {
  if (!database.has_table(describe<StringRow>.name)) return "NULL";
  return "(SELECT value FROM " + table_name<StringRow>() + " WHERE id = " + id + ")";
}

constexpr std::string_view copy_name =
    "CASE copyKind WHEN 1 THEN 'HtoD' WHEN 2 THEN 'DtoH' WHEN 3 THEN 'HtoA' WHEN 4 THEN 'AtoH' "
    "WHEN 5 THEN 'AtoA' WHEN 6 THEN 'AtoD' WHEN 7 THEN 'DtoA' WHEN 8 THEN 'DtoD' "
    "WHEN 9 THEN 'HtoH' WHEN 10 THEN 'PtoP' END";

// Adds to `parts` a SELECT statement for the ops in the table of `Row`. The statement leaves out
// ops with an unknown time. `condition` is appended to its WHERE clause.
template <class Row>
void add_ops(Database& database, std::string_view kind, const std::string& name,
             std::string_view bytes, std::string_view condition, std::vector<std::string>& parts) {
  const std::string table = table_name<Row>();
  if (!database.has_table(table)) return;
  std::string select = "SELECT '" + std::string(kind) + "' AS kind, " + name + " AS name";
  select += ", deviceId AS device_id, " + where_known(database, table, "contextId", "contextId") +
            " AS context_id, streamId AS stream_id, start AS start_ns, \"end\" AS end_ns, "
            "\"end\" - start AS duration_ns, " +
            where_known(database, table, "bytes", std::string(bytes)) + " AS bytes, " +
            process_of(database, table, "globalPid") + " AS process_id, " +
            where_known(database, table, "correlationId", "correlationId") +
            " AS correlation_id FROM " + table + " WHERE start >= 0 AND \"end\" >= start" +
            std::string(condition);
  parts.push_back(std::move(select));
}

std::string select_ops(Database& database) {
  std::vector<std::string> parts;
  add_ops<KernelRow>(database, "kernel", string_of(database, "shortName"), "NULL", "", parts);
  // Copy kinds 11 to 13 are migrations of managed memory, which no call issues.
  add_ops<MemcpyRow>(database, "copy", std::string(copy_name), "bytes",
                     " AND copyKind NOT BETWEEN 11 AND 13", parts);
  add_ops<MemsetRow>(database, "memset", "'memset'", "bytes", "", parts);
  add_ops<GraphTraceRow>(database, "graph", "'graph'", "NULL", "", parts);
  return parts.empty() ? no_rows(op_columns) : joined(parts);
}

// Returns SQL that cuts the version from the end of a function's name. A version is "_v" and at
// least four digits, as in cudaMemcpyAsync_v3020.
std::string function_name(const std::string& recorded) {
  const std::string rest = "rtrim(" + recorded + ", '0123456789')";
  return "CASE WHEN " + recorded + " GLOB '*_v[0-9][0-9][0-9][0-9]*' AND " + rest +
         " GLOB '*_v' THEN substr(" + rest + ", 1, length(" + rest + ") - 2) ELSE " + recorded +
         " END";
}

std::string select_calls(Database& database) {
  const std::string table = table_name<ApiCallRow>();
  if (!database.has_table(table)) return no_rows(call_columns);
  const std::string tid = where_known(database, table, "globalTid", "globalTid & 16777215");
  // In some exports of Nsight Systems, rows with event class 67 are call stacks, not calls.
  const std::string calls_only =
      database.has_column(table, "eventClass") ? " AND eventClass IS NOT 67" : "";
  return "SELECT " + function_name("name") +
         " AS name, process_id, thread_id, start_ns, end_ns, end_ns - start_ns AS duration_ns, "
         "correlation_id FROM (SELECT " +
         string_of(database, "nameId") + " AS name, " + process_of(database, table, "globalTid") +
         " AS process_id, " + tid +
         " AS thread_id, start AS start_ns, \"end\" AS end_ns, "
         "correlationId AS correlation_id FROM " +
         table + " WHERE start >= 0 AND \"end\" >= start" + calls_only + ")";
}

std::string select_ranges(Database& database) {
  const std::string table = table_name<NvtxRow>();
  if (!database.has_table(table)) return no_rows(range_columns);
  const std::string name = database.has_column(table, "textId")
                               ? "coalesce(text, " + string_of(database, "textId") + ")"
                               : "text";
  // The name of a domain is the text of the row with event type 75 and the same domain and process.
  const std::string domain =
      where_known(database, table, "domainId",
                  "(SELECT d.text FROM " + table +
                      " d WHERE d.eventType = 75 AND d.domainId = r.domainId AND r.domainId <> 0"
                      " AND d.globalTid >> 24 = r.globalTid >> 24 LIMIT 1)");
  return "SELECT " + name + " AS name, " + domain + " AS domain, " +
         process_of(database, table, "globalTid") +
         " AS process_id, globalTid & 16777215 AS thread_id, start AS start_ns, \"end\" AS end_ns, "
         "\"end\" - start AS duration_ns FROM " +
         table + " r WHERE eventType IN (59, 60)";
}

// An SQL window of all rows before the current row. A gap begins at the greatest end in this
// window. The end of the previous row is not enough, because ops overlap and calls nest.
constexpr std::string_view rows_before = " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)";

std::string select_gaps(Database&) {
  return "SELECT device_id, idle_ns AS start_ns, start_ns AS end_ns, "
         "start_ns - idle_ns AS duration_ns, kind AS next_kind, name AS next_name, "
         "stream_id AS next_stream_id, correlation_id AS next_correlation_id FROM "
         "(SELECT *, max(end_ns) OVER (PARTITION BY device_id ORDER BY start_ns, end_ns" +
         std::string(rows_before) + " AS idle_ns FROM lapscope_ops) WHERE start_ns > idle_ns";
}

std::string select_host_time(Database&) {
  return "SELECT process_id, thread_id, free_ns AS start_ns, start_ns AS end_ns, "
         "start_ns - free_ns AS duration_ns, previous_call, name AS next_call FROM "
         "(SELECT *, max(end_ns) OVER (calls" +
         std::string(rows_before) +
         " AS free_ns, substr(max(printf('%020d', end_ns) || name) OVER (calls" +
         std::string(rows_before) +
         ", 21) AS previous_call FROM lapscope_calls "
         "WINDOW calls AS (PARTITION BY process_id, thread_id ORDER BY start_ns, end_ns DESC)) "
         "WHERE start_ns > free_ns";
}

// A view must come after the views that it reads.
constexpr std::array all_views = {
    ViewInfo{
        {"lapscope_ops",
         "Ops on the devices: kernels, copies, memsets, and graphs that were recorded as a whole.",
         op_columns},
        select_ops},
    ViewInfo{{"lapscope_calls", "Recorded calls of the CUDA runtime and driver.", call_columns},
             select_calls},
    ViewInfo{
        {"lapscope_ranges", "NVTX ranges: push/pop ranges and start/end ranges.", range_columns},
        select_ranges},
    ViewInfo{{"lapscope_gaps",
              "Intervals in which no op ran on a device. The times before its first op and after "
              "its last op are left out.",
              gap_columns},
             select_gaps},
    ViewInfo{{"lapscope_host_time",
              "Intervals between two consecutive recorded calls of one thread. `analyze --by "
              "function` shows what the thread did in them.",
              host_time_columns},
             select_host_time}};

}  // namespace

std::span<const ViewInfo> views() { return all_views; }

void create_views(Database& database, ViewPlace place) {
  const bool is_temporary = place == ViewPlace::of_connection;
  const std::string schema = is_temporary ? "temp." : "main.";
  for (const ViewInfo& view : views()) {
    const std::string name = schema + std::string(view.table.name);
    database.execute("DROP VIEW IF EXISTS " + name + "; CREATE VIEW " + name + " AS " +
                     view.select(database));
  }
}

}  // namespace lapscope::schema
