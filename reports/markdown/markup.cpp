#include "reports/markdown/markup.h"

#include <cctype>

#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

// Brackets mean nothing after a ']' that is escaped.
bool is_plain(unsigned char c) {
  if (c >= 0x80 || std::isalnum(c) != 0) return true;
  return std::string_view(" ,=/+%;?()").find(static_cast<char>(c)) != std::string_view::npos;
}

// Characters that mean something in some places only.
bool is_plain_there(std::string_view text, std::size_t i) {
  const auto is_alnum = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto is_first_number = [&] {
    return text.substr(0, i).find_first_not_of("0123456789") == std::string_view::npos;
  };
  switch (text[i]) {
    case '_':
    case '-':
      return i > 0 && is_alnum(i - 1) && is_alnum(i + 1);
    case '.':  // after "www" GitHub makes a link; after a number at the start it is a list
      if (i > 0 && (text[i - 1] == 'w' || text[i - 1] == 'W')) return false;
      return is_alnum(i + 1) || !is_first_number();
    case ':':  // of addresses and emoji
      return i + 1 == text.size() || text[i + 1] == ' ';
    default:
      return false;
  }
}

}  // namespace

std::string markdown_text(std::string_view text) {
  const std::string safe = printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const auto c = static_cast<unsigned char>(safe[i]);
    if (is_plain(c) || is_plain_there(safe, i)) {
      escaped += safe[i];
    } else {
      escaped += "&#" + std::to_string(c) + ";";
    }
  }
  return escaped;
}

std::string markdown_code(std::string_view text, std::size_t width) {
  return "<code>" + markdown_text(shortened(text, width)) + "</code>";
}

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
