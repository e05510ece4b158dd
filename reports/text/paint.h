#pragma once

#include <string>
#include <string_view>

#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// ANSI colours of a 16-colour terminal, which its user chose to be legible; texts as they are when
// the style has no colour.
class Paint {
 public:
  explicit Paint(const TextStyle& style) : colour_(style.colour) {}

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string faint(std::string_view text) const { return wrapped("2", text); }
  std::string of(analyzer::Engine engine, std::string_view text) const;
  std::string of(analyzer::Severity severity, std::string_view text) const;

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;

  bool colour_;
};

}  // namespace lapscope::reports
