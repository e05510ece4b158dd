#include "reports/html/escape.h"

#include "reports/words/printable.h"

namespace lapscope::reports {

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

}  // namespace lapscope::reports
