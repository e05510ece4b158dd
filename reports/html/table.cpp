#include "reports/html/table.h"

#include <fmt/format.h>

#include "reports/html/escape.h"

namespace lapscope::reports {

std::string table_of(std::string_view caption, std::string_view aligns, const Cells& head,
                     const std::vector<Cells>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format("<div class=\"wide\"><table><caption>{}</caption>", caption);
  const auto line = [&](const Cells& cells, std::string_view tag, std::string_view scope) {
    text += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += fmt::format("<{}{}{}>{}</{}>", tag, aligns[i] == 'r' ? " class=\"n\"" : "", scope,
                          cells[i], tag);
    }
    text += "</tr>\n";
  };
  if (!head.empty()) {
    text += "<thead>";
    line(head, "th", " scope=\"col\"");
    text += "</thead>";
  }
  text += "<tbody>";
  for (const Cells& row : rows) line(row, "td", "");
  return text + "</tbody></table></div>\n";
}

std::string table_of(const WordTable& table) {
  constexpr std::size_t name_width = 90;
  std::vector<Cells> rows;
  for (const auto& row : table.rows) {
    Cells& cells = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(table.aligns[i] == 'n' ? html_name(row[i], name_width) : html_text(row[i]));
    }
  }
  return table_of(html_text(table.caption), table.aligns, table.head, rows);
}

}  // namespace lapscope::reports
