#include "reports/text/paint.h"

namespace lapscope::reports {

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
  if (!colour_ || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Paint::of(analyzer::Engine engine, std::string_view text) const {
  switch (engine) {
    case analyzer::Engine::compute:
      return wrapped("32", text);
    case analyzer::Engine::h2d:
      return wrapped("34", text);
    case analyzer::Engine::d2h:
      return wrapped("35", text);
    case analyzer::Engine::other_copy:
      return wrapped("36", text);
  }
  return std::string(text);
}

std::string Paint::of(analyzer::Severity severity, std::string_view text) const {
  switch (severity) {
    case analyzer::Severity::error:
      return wrapped("1;31", text);
    case analyzer::Severity::warning:
      return wrapped("33", text);
    case analyzer::Severity::info:
      break;
  }
  return std::string(text);
}

}  // namespace lapscope::reports
