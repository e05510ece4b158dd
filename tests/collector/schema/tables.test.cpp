#include "collector/schema/tables.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "collector/schema/enumeration.h"
#include "tests/catch.h"
#include "tests/collector/support/rows.h"

namespace lapscope::schema {
namespace {

// Converts to any type, so that member_count() can count the values of a struct.
struct Anything {
  template <class T>
  operator T() const;
};

template <class Row, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { Row{(static_cast<void>(I), Anything{})...}; };
}

constexpr std::size_t more_than_any_row = 64;

// Returns the number of members: how many values an initializer list may have.
template <class Row, std::size_t Count = more_than_any_row>
constexpr std::size_t member_count() {
  if constexpr (takes<Row>(std::make_index_sequence<Count>{})) {
    static_assert(Count < more_than_any_row);
    return Count;
  } else {
    return member_count<Row, Count - 1>();
  }
}

struct ThreeMembers {
  std::int64_t number{};
  std::optional<std::string> text;
  std::optional<double> real;
};
static_assert(member_count<ThreeMembers>() == 3, "the counting itself");

TEST_CASE("every member of every row is declared as a column", "[schema]") {
  test::for_each_table([]<class Row>() {
    INFO(describe<Row>.name);
    CHECK(member_count<Row>() == describe<Row>.column_count);
  });
}

TEST_CASE("a member has one column and a column one name", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    INFO(table.name);
    std::set<std::string_view> names;
    std::set<std::size_t> members;
    for (const ColumnInfo& column : table.columns) {
      names.insert(column.name);
      members.insert(column.offset);
    }
    CHECK(names.size() == table.columns.size());
    CHECK(members.size() == table.columns.size());
  }
}

// Other tests do not detect swapped columns: they write and read them in the same wrong order.
TEST_CASE("columns stand in the order of the members", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    INFO(table.name);
    CHECK(std::ranges::is_sorted(table.columns, {}, &ColumnInfo::offset));
  }
}

TEST_CASE("no two tables have the same name", "[schema]") {
  std::set<std::string_view> names;
  for (const TableInfo& table : all_tables()) {
    INFO(table.name);
    CHECK(names.insert(table.name).second);
  }
}

TEST_CASE("every table and column says what it means", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    INFO(table.name);
    CHECK_FALSE(table.meaning.empty());
    for (const ColumnInfo& column : table.columns) {
      INFO(column.name);
      CHECK_FALSE(column.meaning.empty());
      CHECK(column.meaning.find('\n') == std::string_view::npos);
    }
  }
}

TEST_CASE("coded columns and only those name a table of codes that exists", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    for (const ColumnInfo& column : table.columns) {
      INFO(table.name << "." << column.name);
      CHECK((column.unit == Unit::enum_id) == !column.enumeration.empty());
      if (column.unit == Unit::enum_id) {
        CHECK_FALSE(enumeration(column.enumeration).values.empty());
      }
    }
  }
}

TEST_CASE("tables that Nsight Systems does not have say so in their name or columns", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    const bool ours = table.name.starts_with("LAPSCOPE_");
    for (const ColumnInfo& column : table.columns) {
      INFO(table.name << "." << column.name);
      if (ours) CHECK(column.origin == Origin::lapscope);
    }
  }
}

TEST_CASE("every unit has a name but the absence of one", "[schema]") {
  for (const Unit unit :
       {Unit::session_ns, Unit::utc_ns, Unit::ns, Unit::bytes, Unit::bytes_per_s, Unit::hz,
        Unit::id, Unit::string_id, Unit::enum_id, Unit::count, Unit::flags}) {
    CHECK_FALSE(name_of(unit).empty());
  }
  CHECK(name_of(Unit::none).empty());
}

}  // namespace
}  // namespace lapscope::schema
