#include "analyzer/kinds_file/kinds_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analyzer/gate_file/toml.h"
#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

// Whether a built-in row fits all stacks of threads in this state.
bool is_always_decided(ThreadState state) {
  static const KindTable table;
  return std::ranges::any_of(table.rows(), [state](const KindRow& row) {
    return !row.has_patterns() && row.is_for(state);
  });
}

class Reading {
 public:
  explicit Reading(const std::string& name) : name_(name) {}

  std::vector<KindRow> rows(const toml::table& root) const {
    std::vector<KindRow> rows;
    for (auto&& [key, value] : root) {
      const auto* const tables = value.as_array();
      if (key.str() != "kind" || tables == nullptr) refuse(value, "only [[kind]] is known here");
      for (const toml::node& one : *tables) rows.push_back(row(one));
    }
    return rows;
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, std::string_view sentence) const {
    const toml::source_position at = node.source().begin;
    throw KindsFileError(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, sentence));
  }

  const std::string& text(const toml::node& node) const {
    const auto* const text = node.as_string();
    if (text == nullptr || text->get().empty()) refuse(node, "this must be a text in quotes");
    return text->get();
  }

  // Returns the texts of an array. A single text counts as an array of one text.
  std::vector<std::string> texts(const toml::node& node) const {
    const auto* const array = node.as_array();
    if (array == nullptr) return {text(node)};
    std::vector<std::string> all;
    for (const toml::node& one : *array) all.push_back(text(one));
    return all;
  }

  // Returns the enum value with this name. The enum has the values from 0 to count - 1.
  template <class Value>
  Value named(const toml::node& node, const std::string& text, std::size_t count) const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back(name_of(static_cast<Value>(i)));
      if (names.back() == text) return static_cast<Value>(i);
    }
    refuse(node, fmt::format("there is no '{}'{}", text, suggestion(text, names)));
  }

  KindRow::Reach reach(const toml::node& node) const {
    if (text(node) == "here") return KindRow::Reach::here;
    if (text(node) == "below") return KindRow::Reach::below;
    if (text(node) == "first") return KindRow::Reach::first;
    if (text(node) == "anywhere") return KindRow::Reach::anywhere;
    refuse(node, "reach is \"here\", \"below\", \"first\" or \"anywhere\"");
  }

  KindRow row(const toml::node& node) const {
    const auto* const table = node.as_table();
    if (table == nullptr) refuse(node, "[[kind]] has keys");
    KindRow row;
    std::optional<HostKind> kind;
    std::optional<KindRow::Reach> reached;
    for (auto&& [key, value] : *table) {
      const std::string_view name = key.str();
      if (name == "kind") {
        kind = named<HostKind>(value, text(value), host_kinds);
      } else if (name == "files") {
        row.files = texts(value);
      } else if (name == "functions") {
        row.functions = texts(value);
      } else if (name == "modules") {
        row.modules = texts(value);
      } else if (name == "states") {
        for (const std::string& state : texts(value)) {
          row.states.push_back(named<ThreadState>(value, state, thread_states));
        }
      } else if (name == "reach") {
        reached = reach(value);
      } else {
        refuse(value, fmt::format("unknown key '{}'; kind, files, functions, modules, states and "
                                  "reach are known",
                                  name));
      }
    }
    if (!kind) refuse(node, "a row says of which kind it is: kind = \"data_loading\"");
    if (!row.has_patterns() && row.states.empty()) {
      refuse(node, "a row without files, functions, modules or states fits everything");
    }
    row.kind = *kind;
    // The default reach of a row with states is `anywhere`. Rows with the reach `here` are tried
    // later than the built-in rows that fit all stacks in a state, so they may have no effect. A
    // row without patterns fits any stack, so its reach is always `anywhere`.
    const auto usual = row.states.empty() ? KindRow::Reach::here : KindRow::Reach::anywhere;
    row.reach = row.has_patterns() ? reached.value_or(usual) : KindRow::Reach::anywhere;
    for (const ThreadState state : row.states) {
      if (row.goes_first() || !is_always_decided(state)) continue;
      refuse(node, fmt::format("a row for the state '{}' needs reach = \"anywhere\" or \"first\"",
                               name_of(state)));
    }
    return row;
  }

  const std::string& name_;
};

}  // namespace

std::vector<KindRow> read_kinds_file(std::string_view content, const std::string& name) {
  try {
    return Reading(name).rows(toml::parse(content, name));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw KindsFileError(
        fmt::format("{}:{}:{}: {}", name, at.line, at.column, error.description()));
  }
}

}  // namespace lapscope::analyzer
