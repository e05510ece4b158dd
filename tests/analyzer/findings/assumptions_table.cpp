#include "tests/analyzer/findings/assumptions_table.h"

#include <fmt/format.h>

#include <stdexcept>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::test {
namespace {

using analyzer::AssumedUnit;
using analyzer::Assumption;

std::string value_of(const Assumption& one) {
  switch (one.unit) {
    case AssumedUnit::ns:
      return one.number < 1e6 ? fmt::format("{:g} us", one.number / 1e3)
                              : fmt::format("{:g} ms", one.number / 1e6);
    case AssumedUnit::bytes:
      return one.number < 1 << 20 ? fmt::format("{:g} KiB", one.number / (1 << 10))
                                  : fmt::format("{:g} MiB", one.number / (1 << 20));
    case AssumedUnit::share:
      return fmt::format("{:g} %", 100 * one.number);
    case AssumedUnit::times:
      return fmt::format("{:g} times", one.number);
    case AssumedUnit::count:
      break;
  }
  return fmt::format("{:g}", one.number);
}

std::string table_of(const analyzer::AssumptionTable& numbers) {
  std::string table =
      "| number | value | what it is | how it was obtained | on which GPU, by what, when | to "
      "change it |\n"
      "| --- | ---: | --- | --- | --- | --- |\n";
  for (const Assumption* one : numbers.numbers) {
    const std::string option = one->option.empty() ? "" : fmt::format("`{}`", one->option);
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", one->name, value_of(*one),
                         one->meaning, one->source, one->measured, option);
  }
  return table;
}

std::string rules_table() {
  std::string table =
      "| rule | fact of CUDA or of the hardware | from where, or why it is thought to hold | made "
      "with |\n| --- | --- | --- | --- |\n";
  for (const analyzer::Rule* one : analyzer::rules()) {
    table +=
        fmt::format("| `{}` | {} | {} | {} |\n", one->name, one->fact, one->source, one->made_with);
  }
  return table;
}

std::string with_table(const std::string& name, const std::string& table, const std::string& page) {
  const std::string begin = "<!-- " + name + ": written by tests/approve.sh -->\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find("<!-- end of " + name + " -->");
  if (from == std::string::npos || to == std::string::npos || to < from) {
    throw std::runtime_error("the page has no markers for the table of " + name);
  }
  return page.substr(0, from + begin.size()) + table + page.substr(to);
}

}  // namespace

std::string with_assumptions(const std::string& page) {
  std::string written = with_table("rules", rules_table(), page);
  for (const analyzer::AssumptionTable& one : analyzer::assumption_tables) {
    written = with_table(std::string(one.name), table_of(one), written);
  }
  return written;
}

}  // namespace lapscope::test
