#include "cli/terminal.h"

#include <langinfo.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <string_view>

namespace lapscope::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The encoding that the environment's locale asks for. The locale of the process stays as it was:
// numbers are printed the same everywhere.
bool locale_is_utf8() {
  const locale_t asked = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (asked == nullptr) return false;
  const bool utf8 = is_utf8(::nl_langinfo_l(CODESET, asked));
  ::freelocale(asked);
  return utf8;
}

}  // namespace

bool is_utf8(const char* codeset) {
  return ::strcasecmp(codeset, "UTF-8") == 0 || ::strcasecmp(codeset, "UTF8") == 0;
}

reports::TextStyle style_of_stdout() {
  reports::TextStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    constexpr unsigned short least = 40;
    style.width = std::max(size.ws_col, least);
  }
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  style.colour = terminal && !dumb && !is_set("NO_COLOR");
  style.unicode = locale_is_utf8();
  return style;
}

}  // namespace lapscope::cli
