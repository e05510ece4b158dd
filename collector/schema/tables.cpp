#include "collector/schema/tables.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace lapscope::schema {
namespace {

template <class... Rows>
constexpr std::array<TableInfo, sizeof...(Rows)> infos_of(std::type_identity<std::tuple<Rows...>>) {
  return {describe<Rows>...};
}

}  // namespace

std::span<const TableInfo> all_tables() {
  static constexpr auto tables = infos_of(std::type_identity<AllRows>());
  return tables;
}

std::size_t index_of(std::string_view table) {
  const std::span<const TableInfo> tables = all_tables();
  const auto found = std::ranges::find(tables, table, &TableInfo::name);
  if (found == tables.end()) throw std::out_of_range("no table " + std::string(table));
  return static_cast<std::size_t>(found - tables.begin());
}

}  // namespace lapscope::schema
