#include "reports/words/filled.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>

namespace lapscope::reports {
namespace {

bool is_single(const analyzer::Details& details) {
  for (const analyzer::Detail& detail : details) {
    if (const auto* count = std::get_if<std::int64_t>(&detail)) return *count == 1;
  }
  return false;
}

}  // namespace

std::string filled(std::string_view text, const analyzer::Details& details) {
  std::string chosen;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('['), text.size());
    const std::size_t close = std::min(text.find(']', open), text.size());
    const std::size_t bar = text.find('|', open);
    if (close == text.size() || bar > close) {
      chosen += text.substr(0, close);
      if (close < text.size()) chosen += ']';
    } else {
      chosen += text.substr(0, open);
      chosen += is_single(details) ? text.substr(open + 1, bar - open - 1)
                                   : text.substr(bar + 1, close - bar - 1);
    }
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const analyzer::Detail& detail : details) {
    std::visit([&arguments](const auto& value) { arguments.push_back(value); }, detail);
  }
  return fmt::vformat(chosen, arguments);
}

std::vector<std::string> names_from(const analyzer::Details& details, std::size_t first) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < details.size(); ++i) {
    if (const auto* name = std::get_if<std::string>(&details[i])) names.push_back(*name);
  }
  return names;
}

namespace {

template <class Names>
std::string in_a_list(const Names& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    list += names[i];
  }
  return list;
}

}  // namespace

std::string listed(const std::vector<std::string>& names) { return in_a_list(names); }
std::string list_of(const std::vector<std::string_view>& names) { return in_a_list(names); }

}  // namespace lapscope::reports
