#include "collector/schema/tables.h"

#include <functional>
#include <set>
#include <string>

#include "collector/schema/enumeration.h"
#include "tests/catch.h"
#include "tests/collector/support/rows.h"

namespace lapscope::schema {
namespace {

// Stands for any value in a braced list, to find out how many a struct takes.
struct Anything {
  template <class T>
  operator T() const;
};

template <class Row, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { Row{(static_cast<void>(I), Anything{})...}; };
}

constexpr std::size_t more_than_any_row = 64;

// Members of an aggregate: the longest braced list that initialises it.
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
  test::for_each_table([]<class Row>() {
    INFO(describe<Row>.name);
    std::set<std::string> names;
    std::set<const void*> members;
    const Row row{};
    for_each_column<Row>([&](const ColumnInfo& column, auto member, int) {
      names.emplace(column.name);
      members.insert(&(row.*member));
    });
    CHECK(names.size() == describe<Row>.column_count);
    CHECK(members.size() == describe<Row>.column_count);
  });
}

// A name beside another name's member would go unnoticed where both write and read by it.
TEST_CASE("columns stand in the order of the members", "[schema]") {
  test::for_each_table([]<class Row>() {
    const Row row{};
    const void* last = nullptr;
    for_each_column<Row>([&](const ColumnInfo& column, auto member, int) {
      INFO(describe<Row>.name << "." << column.name);
      const void* place = &(row.*member);
      CHECK(std::less<>{}(last, place));
      last = place;
    });
  });
}

TEST_CASE("no two tables have the same name", "[schema]") {
  std::set<std::string> names;
  test::for_each_table([&names]<class Row>() {
    INFO(describe<Row>.name);
    CHECK(names.emplace(describe<Row>.name).second);
  });
}

TEST_CASE("every table and column says what it means", "[schema]") {
  test::for_each_table([]<class Row>() {
    INFO(describe<Row>.name);
    CHECK_FALSE(describe<Row>.meaning.empty());
    for_each_column<Row>([](const ColumnInfo& column, auto, int) {
      INFO(column.name);
      CHECK_FALSE(column.meaning.empty());
      CHECK(column.meaning.find('\n') == std::string_view::npos);
    });
  });
}

TEST_CASE("coded columns and only those name a table of codes that exists", "[schema]") {
  test::for_each_table([]<class Row>() {
    for_each_column<Row>([](const ColumnInfo& column, auto, int) {
      INFO(describe<Row>.name << "." << column.name);
      CHECK((column.unit == Unit::enum_id) == !column.enumeration.empty());
      if (column.unit == Unit::enum_id) {
        CHECK_FALSE(enumeration(column.enumeration).values.empty());
      }
    });
  });
}

TEST_CASE("tables that Nsight Systems does not have say so in their name or columns", "[schema]") {
  test::for_each_table([]<class Row>() {
    INFO(describe<Row>.name);
    const bool ours = describe<Row>.name.starts_with("LAPSCOPE_");
    for_each_column<Row>([ours](const ColumnInfo& column, auto, int) {
      INFO(column.name);
      if (ours) CHECK(column.origin == Origin::lapscope);
    });
  });
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
