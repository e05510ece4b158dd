#include "analyzer/model/ablation.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

double number_of(std::string_view name, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0) return number;
  throw std::invalid_argument(std::string(ablation_variable) + ": '" + std::string(text) +
                              "' is no value of " + std::string(name) + "; give a number");
}

void assume_one(std::string_view name, std::string_view value) {
  const auto is_it = [name](const auto* one) { return one->name == name; };
  bool is_number = false;
  for_each_assumption([&](const Assumption& one) {
    if (!is_it(&one)) return;
    one.set(one, number_of(name, value));
    is_number = true;
  });
  if (is_number) return;
  const auto all = rules();
  const auto rule = std::find_if(all.begin(), all.end(), is_it);
  if (rule == all.end()) {
    throw std::invalid_argument(std::string(ablation_variable) + ": there is no number or rule '" +
                                std::string(name) + "'; LAPSCOPE_ASSUME=list lists them");
  }
  (*rule)->is_on = number_of(name, value) != 0;
}

std::string_view name_of(AssumedUnit unit) {
  constexpr std::string_view names[] = {"ns", "bytes", "share", "times", "count"};
  static_assert(std::size(names) == static_cast<std::size_t>(AssumedUnit::count) + 1);
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace

void assume(std::string_view text) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t is = one.find('=');
    if (is == std::string_view::npos) {
      throw std::invalid_argument(std::string(ablation_variable) + ": '" + std::string(one) +
                                  "' has no value; write name=value");
    }
    assume_one(one.substr(0, is), one.substr(is + 1));
  }
}

void list_assumptions(std::ostream& out) {
  for_each_assumption([&out](const Assumption& one) {
    out << "number\t" << one.name << '\t' << name_of(one.unit) << '\t' << one.number << '\t'
        << one.source << '\n';
  });
  for (const Rule* one : rules()) {
    out << "rule\t" << one->name << '\t' << one->fact << '\t' << one->made_with << '\n';
  }
}

}  // namespace lapscope::analyzer
