#include "reports/markdown/table.h"

#include "reports/markdown/escape.h"

namespace lapscope::reports {

std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows) {
  const auto line = [](const MarkdownCells& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  MarkdownCells rule;
  for (const char align : aligns) rule.emplace_back(align == 'r' ? "---:" : ":---");
  std::string text = line(head) + line(rule);
  for (const MarkdownCells& row : rows) text += line(row);
  return text;
}

std::string markdown_table(const WordTable& table) {
  constexpr std::size_t name_width = 80;
  std::vector<MarkdownCells> rows;
  for (const auto& row : table.rows) {
    MarkdownCells& cells = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      switch (table.aligns[i]) {
        case 'n':
          cells.push_back(markdown_code(row[i], name_width));
          break;
        case 'r':  // figures
          cells.push_back(row[i]);
          break;
        default:
          cells.push_back(markdown_text(row[i]));
      }
    }
  }
  return markdown_table(table.aligns, table.head, rows);
}

}  // namespace lapscope::reports
