#include "analyzer/gate_file/gate_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/parse_condition.h"
#include "analyzer/gate_file/toml.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

[[noreturn]] void refuse(const Place& place, std::string_view sentence) {
  throw GateFileError(fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, sentence));
}

Place place_of(const std::string& file, const toml::source_region& source) {
  return {file, source.begin.line, source.begin.column};
}

// A key of a gate, and the function that reads its value into the gate.
struct Key {
  std::string_view name;
  void (*take)(Gate& gate, const toml::node& node, const std::string& file);
};

Place place_of(const std::string& file, const toml::node& node) {
  return place_of(file, node.source());
}

// Returns the result of parse(). If parse() throws a ConditionError, throws a GateFileError with
// the place of `node` instead.
template <class F>
auto understood(const std::string& file, const toml::node& node, F&& parse) {
  try {
    return parse();
  } catch (const ConditionError& error) {
    refuse(place_of(file, node), error.what());
  }
}

std::string text_in(const toml::node& node, const std::string& file, const char* what) {
  if (const auto* text = node.as_string()) return text->get();
  refuse(place_of(file, node), fmt::format("{} must be a text in quotes", what));
}

bool flag_in(const toml::node& node, const std::string& file, const char* what) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  refuse(place_of(file, node), fmt::format("{} must be true or false", what));
}

std::int64_t count_in(const toml::node& node, const std::string& file, const char* what) {
  const auto* number = node.as_integer();
  if (number != nullptr && number->get() >= 0) return number->get();
  refuse(place_of(file, node), fmt::format("{} must be a whole number, 0 or more", what));
}

// Calls take(text, node) for each text of an array. `node` may be a single text instead.
template <class F>
void each_text(const toml::node& node, const std::string& file, const char* what, F&& take) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    take(text_in(node, file, what), node);
    return;
  }
  if (array->empty()) refuse(place_of(file, node), fmt::format("{} is empty", what));
  for (const toml::node& element : *array) take(text_in(element, file, what), element);
}

std::vector<std::string> texts_in(const toml::node& node, const std::string& file,
                                  const char* what) {
  std::vector<std::string> texts;
  each_text(node, file, what, [&](std::string text, const toml::node& place) {
    if (text.empty()) refuse(place_of(file, place), fmt::format("{} must not be empty", what));
    texts.push_back(std::move(text));
  });
  return texts;
}

// Returns a quantity as a user would write it on the command line. `node` is a number, or a text
// with a unit.
std::string quantity_in(const toml::node& node, const std::string& file, const char* what) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_integer()) {
    if (number->flags() == toml::value_flags::none) return fmt::format("{}", number->get());
    refuse(place_of(file, node), fmt::format("{} must be a decimal number", what));
  }
  if (const auto* text = node.as_string()) return text->get();
  refuse(place_of(file, node),
         fmt::format("{} must be a number, or a text as \"80%\" or \"8.5ms\"", what));
}

// Returns the entries of a table in the order of the file. toml++ itself sorts them by name.
std::vector<std::pair<std::string_view, const toml::node*>> entries_of(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::ranges::sort(entries, [](const auto& a, const auto& b) {
    const auto& first = a.first->source().begin;
    const auto& second = b.first->source().begin;
    return std::tie(first.line, first.column) < std::tie(second.line, second.column);
  });
  std::vector<std::pair<std::string_view, const toml::node*>> named;
  for (const auto& [key, node] : entries) named.emplace_back(key->str(), node);
  return named;
}

const toml::table& table_in(const toml::node& node, const std::string& file, const char* what) {
  if (const auto* table = node.as_table()) return *table;
  refuse(place_of(file, node), fmt::format("{} must be a table", what));
}

void take_bounds(Gate& gate, const toml::node& node, const std::string& file, Sense sense) {
  const char* key = sense == Sense::at_least ? "min" : "max";
  const auto* table = node.as_table();
  if (table == nullptr) {
    refuse(
        place_of(file, node),
        fmt::format("{} must be a table of measures, as {} = {{ overlap_ratio = 0.5 }}", key, key));
  }
  for (const auto& [name, value] : entries_of(*table)) {
    const std::string text = quantity_in(*value, file, "a bound");
    Bound bound = understood(file, *value, [&, measure = name] {
      return parse_bound(parse_measure(measure), sense, text);
    });
    bound.place = place_of(file, *value);
    gate.bounds.push_back(std::move(bound));
  }
}

void take_scope(Gate& gate, GateScope scope, const toml::node& node, const std::string& file) {
  if (gate.scope) {
    refuse(place_of(file, node),
           "the scope is named twice; `steady = true` is short for `scope = \"steady\"`");
  }
  gate.scope = scope;
}

// Returns the baseline of a gate. Adds an empty baseline if there is none, because a key such as
// `tolerance` may come before the key `baseline`.
Baseline& baseline_of(Gate& gate) {
  if (!gate.baseline) gate.baseline.emplace();
  return *gate.baseline;
}

void take_waiver(Gate& gate, const toml::node& node, const std::string& file) {
  const toml::table& table = table_in(node, file, "waive");
  Waiver waiver;
  waiver.place = place_of(file, node);
  bool dated = false;
  constexpr std::string_view keys[] = {"condition", "reason", "until"};
  for (const auto& [name, value] : entries_of(table)) {
    if (name == "condition") {
      waiver.condition = text_in(*value, file, "condition");
    } else if (name == "reason") {
      waiver.reason = text_in(*value, file, "reason");
    } else if (name == "until") {
      const auto* date = value->as_date();
      if (date == nullptr) {
        refuse(place_of(file, *value), "until must be a date without quotes, as 2026-12-31");
      }
      waiver.until = Date{std::chrono::year{date->get().year},
                          std::chrono::month{date->get().month}, std::chrono::day{date->get().day}};
      dated = true;
    } else {
      refuse(place_of(file, *value),
             fmt::format("unknown key '{}' of a waiver{}", name, suggestion(name, keys)));
    }
  }
  if (waiver.condition.empty()) {
    refuse(waiver.place, "a waiver needs a condition, as \"max idle_ratio\"");
  }
  if (is_blank(waiver.reason)) refuse(waiver.place, "a waiver needs a reason");
  if (!dated) refuse(waiver.place, "a waiver needs the date until which it holds, as 2026-12-31");
  gate.waivers.push_back(std::move(waiver));
}

constexpr Key keys_of_gate[] = {
    {"traces", [](Gate& gate, const toml::node& node,
                  const std::string& file) { gate.traces = texts_in(node, file, "traces"); }},
    {"range", [](Gate& gate, const toml::node& node,
                 const std::string& file) { gate.ranges = texts_in(node, file, "range"); }},
    {"profiler_brackets",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       gate.profiler_brackets = flag_in(node, file, "profiler_brackets");
     }},
    {"scope",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       const std::string name = text_in(node, file, "scope");
       take_scope(gate, understood(file, node, [&] { return parse_scope(name); }), node, file);
     }},
    {"steady",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       if (flag_in(node, file, "steady")) take_scope(gate, GateScope::steady, node, file);
     }},
    {"device", [](Gate& gate, const toml::node& node,
                  const std::string& file) { gate.device = count_in(node, file, "device"); }},
    {"min", [](Gate& gate, const toml::node& node,
               const std::string& file) { take_bounds(gate, node, file, Sense::at_least); }},
    {"max", [](Gate& gate, const toml::node& node,
               const std::string& file) { take_bounds(gate, node, file, Sense::at_most); }},
    {"forbid",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       each_text(node, file, "forbid", [&](const std::string& text, const toml::node& place) {
         understood(file, place, [&] { add_ban(gate, text, place_of(file, place)); });
       });
     }},
    {"over",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       const std::string name = text_in(node, file, "over");
       gate.over = understood(file, node, [&] { return parse_over(name); });
     }},
    {"possible",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       gate.forbids_possible = flag_in(node, file, "possible");
     }},
    {"baseline",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       baseline_of(gate).file = text_in(node, file, "baseline");
       baseline_of(gate).place = place_of(file, node);
     }},
    {"compare",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       Baseline& baseline = baseline_of(gate);
       baseline.measures.clear();
       each_text(node, file, "compare", [&](const std::string& text, const toml::node& place) {
         baseline.measures.push_back(
             understood(file, place, [&] { return &parse_compared(text); }));
       });
     }},
    {"tolerance",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       Tolerance tolerance;
       const auto add = [&](const toml::node& part) {
         const std::string text = quantity_in(part, file, "a tolerance");
         understood(file, part, [&] { add_tolerance(tolerance, text); });
       };
       if (const auto* array = node.as_array()) {
         if (array->empty()) {
           refuse(place_of(file, node),
                  "tolerance is empty; leave it out for the default, or write one as \"5%\"");
         }
         for (const toml::node& part : *array) add(part);
       } else {
         add(node);
       }
       baseline_of(gate).tolerance = tolerance;
     }},
    {"min_ops", [](Gate& gate, const toml::node& node,
                   const std::string& file) { gate.least_ops = count_in(node, file, "min_ops"); }},
    {"max_replay_error",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       const std::string text = quantity_in(node, file, "max_replay_error");
       gate.most_replay_error = understood(file, node, [&] { return parse_share(text); });
     }},
    {"allow_other_gpu",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       gate.allow_other_gpu = flag_in(node, file, "allow_other_gpu");
     }},
    {"allow_other_command",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       gate.allow_other_command = flag_in(node, file, "allow_other_command");
     }},
    {"allow",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       each_text(node, file, "allow", [&](const std::string& text, const toml::node& place) {
         gate.allowed.insert(understood(file, place, [&] { return parse_allowance(text); }));
       });
     }},
    {"waive",
     [](Gate& gate, const toml::node& node, const std::string& file) {
       const auto* array = node.as_array();
       if (array == nullptr) {
         refuse(place_of(file, node), "waive must be an array of tables, as [[gate.NAME.waive]]");
       }
       for (const toml::node& waiver : *array) take_waiver(gate, waiver, file);
     }},
};

Gate gate_in(std::string_view name, const toml::node& node, const std::string& file) {
  Gate gate;
  gate.name = name;
  gate.place = place_of(file, node);
  for (const auto& [key, value] : entries_of(table_in(node, file, "a gate"))) {
    const auto* const known = std::ranges::find(keys_of_gate, key, &Key::name);
    if (known == std::end(keys_of_gate)) {
      std::vector<std::string_view> names;
      for (const Key& candidate : keys_of_gate) names.push_back(candidate.name);
      refuse(place_of(file, *value),
             fmt::format("unknown key '{}' of gate '{}'{}", key, name, suggestion(key, names)));
    }
    known->take(gate, *value, file);
  }
  if (gate.baseline && gate.baseline->file.empty()) {
    refuse(gate.place, fmt::format("gate '{}' compares with no baseline; name its file", name));
  }
  if (const auto fault = check_gate(gate)) {
    refuse(fault->place, fmt::format("in gate '{}', {}", name, fault->sentence));
  }
  return gate;
}

// Returns the length of the longest word in bytes. Spaces, tabs, '=' and '.' separate words.
std::size_t longest_word(std::string_view line) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t=.", at), line.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

// Checks the size of the file, its lines and its words before anything is parsed.
void check_size(std::string_view text, const std::string& file) {
  if (text.size() > limits::gate_file_bytes) {
    refuse({file, 1, 1}, "a gate file has at most " + std::to_string(limits::gate_file_bytes) +
                             " bytes; this one has more");
  }
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (std::ranges::count(one, '.') > limits::dots_in_gate_line) {
      refuse({file, line, 1},
             "a line has at most " + std::to_string(limits::dots_in_gate_line) + " dots");
    }
    if (longest_word(one) > limits::gate_word_bytes) {
      refuse({file, line, 1},
             "a word has at most " + std::to_string(limits::gate_word_bytes) + " bytes");
    }
  }
}

toml::table parsed(std::string_view text, const std::string& file) {
  check_size(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    refuse(place_of(file, error.source()), error.description());
  }
}

}  // namespace

GateFile read_gate_file(std::string_view text, const std::string& name) {
  const toml::table root = parsed(text, name);
  GateFile read;
  constexpr std::string_view keys[] = {"gate", "comm", "range_threads"};
  for (const auto& [key, node] : entries_of(root)) {
    if (key == "gate") {
      for (const auto& [gate, table] : entries_of(table_in(*node, name, "gate"))) {
        read.gates.push_back(gate_in(gate, *table, name));
      }
    } else if (key == "comm") {
      read.communication = texts_in(*node, name, "comm");
    } else if (key == "range_threads") {
      const std::string threads = text_in(*node, name, "range_threads");
      if (threads != name_of(RangeThreads::own) && threads != name_of(RangeThreads::helpers)) {
        refuse(place_of(name, *node), "range_threads is \"helpers\" or \"own\"");
      }
      if (threads == name_of(RangeThreads::own)) read.range_threads = RangeThreads::own;
    } else {
      refuse(place_of(name, *node), fmt::format("unknown key '{}'{}", key, suggestion(key, keys)));
    }
  }
  if (read.gates.empty()) {
    refuse({name, 1, 1},
           "there is no gate; write [gate.NAME] and its conditions, or let `lapscope "
           "gate --init` write them");
  }
  return read;
}

}  // namespace lapscope::analyzer
