#include "reports/html/html_markup.h"

#include <fmt/format.h>

#include <ostream>

#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

// Returns the FNV-1a hash of the page's content as a nonce. The content security policy permits
// only scripts and styles with this nonce. A name in a trace cannot contain the right nonce: any
// change of the name changes the hash.
std::string nonce_of(const std::vector<std::string>& parts) {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::string& part : parts) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string html_name(std::string_view text, std::size_t width) {
  constexpr std::size_t longest = 4000;
  const std::string shown = shortened(text, width);
  if (shown == printable(text)) return "<code>" + html_text(shown) + "</code>";
  return "<code title=\"" + html_text(shortened(text, longest)) + "\">" + html_text(shown) +
         "</code>";
}

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

void write_page(std::string_view title, const std::vector<std::string>& parts,
                std::string_view tool_version, std::ostream& out) {
  const std::string nonce = nonce_of(parts);
  out << fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'nonce-{0}'; style-src 'nonce-{0}'; base-uri 'none'; "
      "form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{1} · lapscope</title>\n<style nonce=\"{0}\">{2}</style>\n</head>\n<body>\n",
      nonce, html_text(title), page_style);
  for (const std::string& part : parts) out << part;
  out << fmt::format("<footer><p class=\"faint\">lapscope {}</p></footer>\n",
                     html_text(tool_version));
  out << fmt::format("<script nonce=\"{}\">{}</script>\n</body>\n</html>\n", nonce, page_script);
}

}  // namespace lapscope::reports
