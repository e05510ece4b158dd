#include "reports/markdown/markdown_markup.h"

#include <algorithm>
#include <cctype>

#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

// Whether Markdown could interpret text[i] as markup. Only these characters are escaped, so most
// text is unchanged.
bool means_something(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : ' '; };
  const auto is_alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const char next = at(i + 1);
  switch (text[i]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '|':
    case '~':
    case '$':  // mathematics
    case '{':  // "{{" of page generators
      return true;
    case '<':
      return is_alnum(next) || next == '/' || next == '!' || next == '?';
    case '&':
      return is_alnum(next) || next == '#';
    case '_':  // no markup within a word
      return i == 0 || !is_alnum(text[i - 1]) || !is_alnum(next);
    case ':':  // part of an address or emoji; "::" is C++
      return (next == '/' || is_alnum(next)) && (i == 0 || text[i - 1] != ':');
    case '>':
    case '#':
    case '=':
      return i == 0;
    case '-':
    case '+':  // of a list or a line
      return i == 0 && (next == ' ' || next == text[i]);
    case '.':
    case ')': {  // after a number at the start it is a list; after "www" GitHub makes a link
      const std::string_view before = text.substr(0, i);
      const bool is_number = before.find_first_not_of("0123456789") == std::string_view::npos;
      if (i > 0 && is_number && next == ' ') return true;
      return before.ends_with("www") || before.ends_with("WWW");
    }
    default:
      return false;
  }
}

// Whether GitHub would link text[i] outside code: '@' before a name, '#' before a number.
bool is_reference(std::string_view text, std::size_t i) {
  if (i + 1 >= text.size()) return false;
  const auto next = static_cast<unsigned char>(text[i + 1]);
  return (text[i] == '@' && std::isalnum(next) != 0) || (text[i] == '#' && std::isdigit(next) != 0);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  const std::string safe = printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    if (is_reference(safe, i)) {
      escaped += std::string("`") + safe[i] + "`";
      continue;
    }
    if (means_something(safe, i)) escaped += '\\';
    escaped += safe[i];
  }
  return escaped;
}

std::string markdown_code(std::string_view text, std::size_t width) {
  const std::string code = shortened(text, width);
  if (code.empty()) return code;
  // The fence must be longer than any sequence of backticks in the code.
  std::size_t longest = 0;
  std::size_t row = 0;
  for (const char c : code) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  const char* space = code.front() == '`' || code.back() == '`' ? " " : "";
  return fence + space + code + space + fence;
}

std::string summary_text(std::string_view text) {
  std::string html;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '@':
      case '#':  // references are not linked in code
        html += std::string("<code>") + c + "</code>";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string without_folders(std::string_view text) {
  constexpr std::string_view quotes = "'\"";
  constexpr std::string_view openers = " =(,'\"";
  std::string kept;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_at_start = i == 0 || openers.find(text[i - 1]) != std::string_view::npos;
    if (text[i] != '/' || !is_at_start) {
      kept += text[i++];
      continue;
    }
    const bool is_quoted = i > 0 && quotes.find(text[i - 1]) != std::string_view::npos;
    const std::size_t end = std::min(
        text.size(), is_quoted ? text.find(text[i - 1], i) : text.find_first_of(" ),'\"", i));
    const std::string_view path = text.substr(i, end - i);
    const std::size_t last = path.rfind('/');
    kept += last + 1 < path.size() ? path.substr(last + 1) : path;
    i = end;
  }
  return kept;
}

std::string markdown_cell(std::string_view markdown) {
  std::string cell;
  std::size_t backslashes = 0;
  for (const char c : markdown) {
    if (c == '|' && backslashes % 2 == 0) cell += '\\';
    backslashes = c == '\\' ? backslashes + 1 : 0;
    cell += c;
  }
  return cell;
}

std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows) {
  const auto line = [](const MarkdownCells& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + markdown_cell(cell) + " |";
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
