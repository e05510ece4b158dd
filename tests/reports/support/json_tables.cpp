#include "tests/reports/support/json_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lapscope::test {
namespace {

using nlohmann::json;

// Replaces indexes: devices[0].gaps becomes devices[].gaps.
std::string without_indexes(std::string path) {
  std::erase_if(path, [](char c) { return c >= '0' && c <= '9'; });
  return path;
}

// Returns whether an object is a map, whose members are named after data, such as causes.
bool is_map(const std::string& indexed) {
  const std::string path = without_indexes(indexed);
  constexpr const char* names[] = {"measures",          "by_cause",     "first",
                                   "iterations.steady", "works[].gaps", "works[].blame"};
  return std::any_of(std::begin(names), std::end(names), [&path](const std::string& name) {
    return path.ends_with("." + name) || path == name;
  });
}

std::string type_of(const json& value) {
  return value.is_number_integer() ? "integer" : value.type_name();
}

struct Shape {
  std::set<std::string> types;
  std::map<std::string, Shape> members;  // by the rest of the path
};

void add(const json& value, const std::string& path, Shape& shape) {
  shape.types.insert(type_of(value));
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      const std::string step = is_map(path) ? "*" : name;
      const std::string below = path.empty() ? step : path + "." + step;
      add(member, below, shape.members[path.empty() ? step : "." + step]);
    }
  }
  if (!value.is_array()) return;
  for (const json& entry : value) add(entry, path + "[]", shape.members["[]"]);
}

std::string types_of(const Shape& shape) {
  std::string types;
  for (const std::string& type : shape.types) types += (types.empty() ? "" : " or ") + type;
  return types;
}

std::string text_of(const Shape& shape) {
  std::string text = types_of(shape);
  for (const auto& [step, member] : shape.members) text += "{" + step + text_of(member) + "}";
  return text;
}

// Writes a shape and its members. `shown` has the path of each shape that was written before, by
// its name and members.
void write(const std::string& path, const Shape& shape,
           std::map<std::pair<std::string, std::string>, std::string>& shown, std::string& text) {
  if (!path.empty() && !shape.members.empty()) {
    const std::size_t dot = path.rfind('.');
    const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    const auto [first, is_new] = shown.try_emplace({name, text_of(shape)}, path);
    if (!is_new) {
      text += path + ": as " + first->second + "\n";
      return;
    }
  }
  if (!path.empty()) text += path + ": " + types_of(shape) + "\n";
  for (const auto& [step, member] : shape.members) write(path + step, member, shown, text);
}

// Collects the values in an object. A value in a nested object has a name such as "waiting.start".
void collect(const json& object, const std::string& prefix,
             std::vector<std::pair<std::string, json>>& cells) {
  for (const auto& [name, member] : object.items()) {
    if (member.is_object()) {
      collect(member, prefix + name + ".", cells);
    } else {
      cells.emplace_back(prefix + name, member);
    }
  }
}

bool is_plain(const json& value) {
  if (value.is_array())
    return std::none_of(value.begin(), value.end(),
                        [](const json& entry) { return entry.is_structured(); });
  if (!value.is_object()) return true;
  return std::all_of(value.begin(), value.end(),
                     [](const json& member) { return is_plain(member); });
}

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Writes rows as a table. A header names the members, and is repeated if a row has other members.
void write_table(const std::string& path, const std::vector<std::pair<std::string, json>>& rows,
                 std::string& text) {
  std::string head;
  for (const auto& [name, row] : rows) {
    std::vector<std::pair<std::string, json>> cells;
    collect(row, "", cells);
    std::string names;
    std::string line = "  " + name;
    for (const auto& [member, value] : cells) {
      names += (names.empty() ? "" : " | ") + member;
      line += (line.size() > 2 ? " | " : "") + text_of(value);
    }
    if (names != head) text += path + ": " + names + "\n";
    head = names;
    text += line + "\n";
  }
}

bool has_objects(const json& map) {
  return std::any_of(map.begin(), map.end(), [](const json& member) { return member.is_object(); });
}

void write_values(const std::string& path, const json& value, std::string& text) {
  if (value.is_array() && !is_plain(value)) {
    std::vector<std::pair<std::string, json>> rows;
    for (const json& entry : value) rows.emplace_back("", entry);
    if (std::all_of(value.begin(), value.end(), is_plain)) return write_table(path, rows, text);
    for (std::size_t i = 0; i < value.size(); ++i) {
      write_values(path + "[" + std::to_string(i) + "]", value[i], text);
    }
  } else if (value.is_object() && is_map(path) && has_objects(value)) {
    std::vector<std::pair<std::string, json>> rows;
    for (const auto& [name, member] : value.items()) rows.emplace_back(name, member);
    write_table(path, rows, text);
  } else if (value.is_object() && !value.empty() && !is_map(path)) {
    for (const auto& [name, member] : value.items()) {
      write_values(path.empty() ? name : path + "." + name, member, text);
    }
  } else {
    text += path + ": " + text_of(value) + "\n";
  }
}

}  // namespace

std::string json_shape(std::span<const json> documents) {
  Shape all;
  for (const json& document : documents) add(document, "", all);
  std::map<std::pair<std::string, std::string>, std::string> shown;
  std::string text;
  write("", all, shown, text);
  return text;
}

std::string json_tables(const json& document) {
  std::string text;
  write_values("", document, text);
  return text;
}

}  // namespace lapscope::test
