#include "reports/query/query_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

// NULL is an empty text.
std::string text_of(const QueryValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
  return "";
}

bool is_number(const QueryValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

void render_text(const QueryResult& result, const TextStyle& style, std::ostream& out) {
  std::vector<Table::Align> aligns;
  std::vector<std::string> head;
  for (std::size_t column = 0; column < result.columns.size(); ++column) {
    const bool has_number = std::ranges::any_of(
        result.rows, [column](const auto& row) { return is_number(row[column]); });
    aligns.push_back(has_number ? Table::Align::right : Table::Align::left);
    head.push_back(Paint(style).bold(printable(result.columns[column])));
  }
  Table table(std::move(aligns));
  table.add(std::move(head));
  for (const auto& row : result.rows) {
    std::vector<std::string> cells;
    for (const QueryValue& value : row) cells.push_back(text_of(value));
    table.add(std::move(cells));
  }
  table.print(out, 0);
}

void render_csv(const QueryResult& result, const TextStyle&, std::ostream& out) {
  const auto line = [&out](const auto& values, const auto& text) {
    bool is_first = true;
    for (const auto& value : values) {
      out << (is_first ? "" : ",") << csv_field(text(value));
      is_first = false;
    }
    out << '\n';
  };
  line(result.columns, [](const std::string& name) { return name; });
  for (const auto& row : result.rows) line(row, text_of);
}

// Writes an array with an object for each row. The names of the columns must differ.
void render_json(const QueryResult& result, const TextStyle&, std::ostream& out) {
  out << "[";
  bool is_first = true;
  for (const auto& row : result.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t column = 0; column < row.size(); ++column) {
      nlohmann::ordered_json& member = object[result.columns[column]];
      if (std::holds_alternative<std::monostate>(row[column])) {
        member = nullptr;
      } else if (const auto* integer = std::get_if<std::int64_t>(&row[column])) {
        member = *integer;
      } else if (const auto* real = std::get_if<double>(&row[column])) {
        member = *real;
      } else {
        member = text_of(row[column]);
      }
    }
    out << (is_first ? "\n  " : ",\n  ")
        << object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    is_first = false;
  }
  out << (is_first ? "]\n" : "\n]\n");
}

constexpr std::array renderers = {QueryRenderer{"text", render_text},
                                  QueryRenderer{"csv", render_csv},
                                  QueryRenderer{"json", render_json}};

}  // namespace

std::span<const QueryRenderer> query_renderers() { return renderers; }

}  // namespace lapscope::reports
