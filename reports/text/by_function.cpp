#include <fmt/format.h>
#include <fmt/ostream.h>

#include <limits>

#include "reports/text/text_sections.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {
namespace {

using analyzer::ScopeResult;

void print_functions(const ScopeResult& scope, const std::string& verdict, const TextStyle& style,
                     std::ostream& out) {
  constexpr std::size_t indent = 2;
  fmt::print(out, "\n{}\n", wrapped(verdict, style.width, indent));
  if (!scope.host_time) {
    fmt::print(out, "  Nobody looked at host threads: record with --host-samples.\n");
    return;
  }
  print_table(host_time_table(scope, std::numeric_limits<std::size_t>::max()), out);
  for (const std::string& text :
       {waiting_for_processor(*scope.host_time), words_of(scope.host_time->collections)}) {
    if (!text.empty()) fmt::print(out, "  {}\n", wrapped(text, style.width, indent));
  }
}

}  // namespace

void print_by_function(const analyzer::Report& report, const TextStyle& style, std::ostream& out) {
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const auto& range : device.ranges) {
      print_functions(range.scope, first_line(report, device, &range), style, out);
    }
    print_functions(device.scope, first_line(report, device, nullptr), style, out);
  }
}

}  // namespace lapscope::reports
