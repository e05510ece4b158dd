#include "reports/markdown/escape.h"

#include <cctype>

#include "reports/words/printable.h"

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

}  // namespace lapscope::reports
