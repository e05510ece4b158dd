#include "reports/columns/column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <ostream>
#include <stdexcept>

namespace lapscope::reports {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t alignment = 64;

std::size_t padding(std::size_t size) { return (alignment - size % alignment) % alignment; }

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Returns the validity bitmap. Empty if all rows have a value.
std::string valid_bits(const std::vector<std::int64_t>& values) {
  if (std::ranges::find(values, no_value) == values.end()) return "";
  std::string bits((values.size() + 7) / 8, '\0');
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] == no_value) continue;
    bits[row / 8] = static_cast<char>(static_cast<unsigned char>(bits[row / 8]) | 1U << row % 8);
  }
  return bits;
}

}  // namespace

void ColumnTable::add_integers(std::string_view name, const std::vector<std::int64_t>& values) {
  rows_ = values.size();
  columns_.push_back({std::string(name), "int", 0, {valid_bits(values), bytes_of(values)}});
}

void ColumnTable::add_texts(std::string_view name, const std::vector<std::int32_t>& numbers,
                            const std::vector<std::string>& texts) {
  rows_ = numbers.size();
  std::vector<std::int32_t> ends{0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    if (all.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw std::runtime_error(
          "the names of the trace take more than 2 GiB, which a table cannot hold.");
    }
    ends.push_back(static_cast<std::int32_t>(all.size()));
  }
  columns_.push_back({std::string(name),
                      "text",
                      texts.size(),
                      {bytes_of(numbers), bytes_of(ends), std::move(all)}});
}

void ColumnTable::write(std::ostream& out) const {
  std::string head =
      fmt::format(R"({{"schema": "lapscope-rows/1", "rows": {}, "columns": [)", rows_);
  for (const Column& column : columns_) {
    head += fmt::format(R"({}{{"name": "{}", "type": "{}", "bytes": [)",
                        &column == columns_.data() ? "" : ", ", column.name, column.type);
    for (const std::string& part : column.parts) {
      head += fmt::format("{}{}", &part == column.parts.data() ? "" : ", ", part.size());
    }
    head += column.type == "text" ? fmt::format(R"(], "values": {}}})", column.values) : "]}";
  }
  head += "]}";
  head.append(padding(head.size() + 1), ' ');
  out << head << '\n';
  const std::string zeros(alignment, '\0');
  for (const Column& column : columns_) {
    for (const std::string& part : column.parts) {
      out.write(part.data(), static_cast<std::streamsize>(part.size()));
      out.write(zeros.data(), static_cast<std::streamsize>(padding(part.size())));
    }
  }
}

}  // namespace lapscope::reports
