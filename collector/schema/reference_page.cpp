#include "collector/schema/reference_page.h"

#include <iterator>

#include "collector/schema/enumeration.h"
#include "collector/schema/laws.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "collector/schema/views.h"

namespace lapscope::schema {
namespace {

constexpr std::string_view introduction = R"(# The trace format

A trace is an SQLite database with `PRAGMA application_id` 0x4C415053 ("LAPS") and the format version in
`PRAGMA user_version`. It has the layout of an SQLite export of Nsight Systems: tables, columns, units and codes are the
same. Scripts for these exports can therefore also read a trace. Columns and tables marked *lapscope* are additions.

- A table exists only if it has rows, as in an export of Nsight Systems. An `ENUM_*` table exists only if another
  table has a column with its codes.
- Times are integer nanoseconds since the session start. `-1` stands for a timestamp that CUPTI lost.
- To join an activity `k` with the call `r` that issued it, compare process **and** correlation id:
  `r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24`.
- While the program runs, the trace is in SQLite's WAL mode and can be read. When the program ends, the trace is one
  file.

The program `lapscope_trace_format_page` writes this page from the declarations in `collector/schema/`.
)";

constexpr std::string_view laws_hold =
    R"(the laws below hold, and
each column has only values that its unit and enumeration allow. A trace that breaks one of these rules has changed
since the collector wrote it. This *contradiction* makes every verdict inconclusive.

| code | what holds |
| --- | --- |
)";

std::string text_of(Unit unit, std::string_view enumeration) {
  return unit == Unit::enum_id ? "`" + std::string(enumeration) + "`" : std::string(name_of(unit));
}

std::string cell_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string section(const TableInfo& table) {
  std::string page = "\n## " + std::string(table.name) + "\n\n" + std::string(table.meaning) +
                     "\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n";
  for (const ColumnInfo& column : table.columns) {
    page.append("| ").append(column.name).append(" | ").append(name_of(column.type));
    if (!column.nullable) page += " NOT NULL";
    page.append(" | ").append(text_of(column.unit, column.enumeration)).append(" | ");
    if (column.origin == Origin::lapscope) page += "*lapscope:* ";
    page.append(cell_text(column.meaning)).append(" |\n");
  }
  return page;
}

}  // namespace

std::string_view name_of(Unit unit) {
  constexpr std::string_view names[] = {"",
                                        "ns since session start",
                                        "ns since 1970 UTC",
                                        "ns",
                                        "bytes",
                                        "bytes/s",
                                        "Hz",
                                        "id",
                                        "id",
                                        "StringIds.id",
                                        "code",
                                        "count",
                                        "flags"};
  static_assert(std::size(names) == static_cast<std::size_t>(Unit::flags) + 1);
  return names[static_cast<std::size_t>(unit)];
}

std::string reference_page() {
  std::string page(introduction);
  page += "\nFormat version " + std::to_string(format_version) + "; Nsight Systems layout " +
          std::string(nsys_schema_version) + ".\n";
  for (const TableInfo& table : all_tables()) page += section(table);
  page +=
      "\n## Views\n\nQueries on the views need no knowledge of the tables above. `lapscope query` "
      "adds the views to traces that have\nnone. A view shows rows as they were recorded. An "
      "analysis may correct some of these rows or leave them out. NULL means\nthat a value is not "
      "known or does not exist.\n";
  for (const ViewInfo& view : views()) page += section(view.table);
  page += "\n## Laws\n\nIn each trace that the collector wrote, " + std::string(laws_hold);
  for (const LawText& law : law_texts) {
    page.append("| ").append(law.code).append(" | ").append(law.says).append(" |\n");
  }
  page += "\n## Codes\n\nEvery `ENUM_*` table has the columns `id`, `name`, `label`.\n";
  for (const Enumeration& enumeration : enumerations()) {
    page.append("\n### ")
        .append(enumeration.table)
        .append("\n\n| id | name | label |\n| --- | --- | --- |\n");
    for (const Enumerator& value : enumeration.values) {
      page.append("| ").append(std::to_string(value.id)).append(" | ").append(value.name);
      page.append(" | ").append(value.label).append(" |\n");
    }
  }
  return page;
}

}  // namespace lapscope::schema
