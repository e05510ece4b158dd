#include "readers/tables/row_limit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/limits.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;

// Memory for one call, range, name or other row, in bytes.
constexpr std::int64_t bytes_of_call = 40;
constexpr std::int64_t bytes_of_range = 140;
constexpr std::int64_t bytes_of_name = 300;
constexpr std::int64_t bytes_of_other = 60;

// Returns the member of `counts` for the rows of this table.
std::int64_t& count_of(std::string_view table, RowCounts& counts) {
  using schema::describe;
  const bool is_op =
      table == describe<schema::KernelRow>.name || table == describe<schema::MemcpyRow>.name ||
      table == describe<schema::MemsetRow>.name || table == describe<schema::GraphTraceRow>.name;
  if (is_op) return counts.ops;
  if (table == describe<schema::ApiCallRow>.name) return counts.calls;
  if (table == describe<schema::NvtxRow>.name) return counts.ranges;
  if (table == describe<schema::StringRow>.name) return counts.names;
  return counts.others;
}

// Returns the names of lapscope's tables that are in the file.
std::vector<std::string> tables_of(Database& database) {
  std::vector<std::string> names;
  for (const schema::TableInfo& table : schema::all_tables()) {
    if (database.has_table(table.name)) names.emplace_back(table.name);
  }
  return names;
}

// Looks up at most 64 of the row ids 1 to `rows`. Returns whether all of them exist. If so, the
// table probably has `rows` rows.
bool has_all_ids(Database& database, const std::string& table, std::int64_t rows) {
  constexpr std::int64_t looks = 64;
  for (std::int64_t i = 1; i <= std::min(looks, rows); ++i) {
    const std::int64_t id = rows / std::min(looks, rows) * i;
    const auto found = database.query_int64("SELECT count(*) FROM " + table +
                                            " WHERE rowid = " + std::to_string(id));
    if (found.value_or(0) == 0) return false;
  }
  return true;
}

// Returns an upper bound of each count. A table has at most as many rows as its highest row id.
// Returns nothing if a table has no row ids.
std::optional<RowCounts> by_ids(Database& database) {
  RowCounts counts;
  bool is_known = true;
  for (const std::string& table : tables_of(database)) {
    const std::int64_t rows = rows_at_most(database, table);
    count_of(table, counts) += rows;
    is_known = is_known && (rows > 0 || !database.query_int64("SELECT 1 FROM " + table));
  }
  return is_known ? std::optional(counts) : std::nullopt;
}

bool are_as_many(Database& database) {
  return std::ranges::all_of(tables_of(database), [&](const std::string& table) {
    return has_all_ids(database, table, rows_at_most(database, table));
  });
}

// Counts at most `most` rows of each table.
RowCounts counted(Database& database, std::int64_t most) {
  RowCounts counts;
  for (const std::string& table : tables_of(database)) {
    const std::string rows = "SELECT 1 FROM " + table + " LIMIT " + std::to_string(most);
    count_of(table, counts) +=
        database.query_int64("SELECT count(*) FROM (" + rows + ")").value_or(0);
  }
  return counts;
}

}  // namespace

std::int64_t RowCounts::in_ops() const {
  const std::int64_t bytes = ops * (limits::bytes_of_op - bytes_of_call) + calls * bytes_of_call +
                             ranges * bytes_of_range + names * bytes_of_name +
                             others * bytes_of_other + bytes_of_names;
  return bytes / limits::bytes_of_op;
}

void check_counts(const std::filesystem::path& path, const RowCounts& counts, RowLimit limit,
                  bool is_part) {
  if (counts.in_ops() <= limit.ops) return;
  const auto number = [](std::int64_t count) { return std::to_string(count); };
  throw UnreadableTrace(
      "'" + path.string() + "' is too large: " + (is_part ? "more than " : "") +
      number(counts.ops) + " ops, " + number(counts.calls) + " calls, " + number(counts.ranges) +
      " ranges, " + number(counts.names) + " names and " + number(counts.others) +
      " other rows take the memory of " + number(counts.in_ops()) + " ops, and --max-ops allows " +
      number(limit.ops) +
      ". Record a shorter part of the run, or raise --max-ops if there is memory: about " +
      number(limits::bytes_of_op) + " bytes per op.");
}

void check_rows(Database& database, const std::filesystem::path& path, RowLimit limit) {
  if (!limit.is_any()) return;
  const auto counts = by_ids(database);
  if (counts && counts->in_ops() <= limit.ops) return;
  if (counts && are_as_many(database)) check_counts(path, *counts, limit, false);
  // Counting can stop at this number, because this many rows exceed the limit even if each row has
  // the smallest size.
  const std::int64_t most = limit.ops * limits::bytes_of_op / bytes_of_call + 1;
  check_counts(path, counted(database, most), limit, false);
}

}  // namespace lapscope::analyzer
