#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

// How a table of the trace is declared: a row struct, and beside it one `describe<Row>` that names
// every member with its unit and meaning. SQL, binding, reading and docs/trace-format.md all follow
// from that.
//
//   struct EventRow { std::int64_t start{}; std::optional<std::int64_t> end; };
//   template <> inline constexpr auto describe<EventRow> = table<EventRow>(
//       "EVENTS", "What happened.",
//       column("start", &EventRow::start, Unit::session_ns, "first instant"),
//       column("end", &EventRow::end, Unit::session_ns, "last instant; NULL while open"));
//
// std::int64_t and std::string members are NOT NULL; std::optional members may be NULL.
namespace lapscope::schema {

enum class Unit {
  none,
  session_ns,  // integer ns since the session start (TARGET_INFO_SESSION_START_TIME); -1 = not
               // known
  utc_ns,      // integer ns since 1970-01-01 UTC
  ns,          // a duration or a clock reading in integer ns
  bytes,
  bytes_per_s,
  hz,
  id,         // an identifier; equal or not is all that can be asked of it
  string_id,  // StringIds.id
  enum_id,    // id in the ENUM_* table that the column names
  count,
  flags,
};

std::string_view name_of(Unit unit);

// Whether a column (or table) is Nsight Systems' own or an addition of lapscope.
enum class Origin { nsys, lapscope };

enum class ColumnType { integer, real, text };

struct ColumnInfo {
  std::string_view name;
  ColumnType type = ColumnType::integer;
  bool nullable = false;
  Unit unit = Unit::none;
  std::string_view meaning;
  Origin origin = Origin::nsys;
  std::string_view enumeration = {};  // the ENUM_* table of an enum_id
};

// A member of a row. Six types for all columns, told apart at run time: code for each column of
// each table would be most of what the collector and its tests are compiled from.
template <class Row>
using Member = std::variant<std::int64_t Row::*, std::optional<std::int64_t> Row::*, double Row::*,
                            std::optional<double> Row::*, std::string Row::*,
                            std::optional<std::string> Row::*>;

template <class T>
struct IsOptional : std::false_type {
  using value_type = T;
};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {
  using value_type = T;
};

template <class T>
constexpr ColumnType column_type() {
  using Value = typename IsOptional<T>::value_type;
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    return ColumnType::integer;
  } else if constexpr (std::is_same_v<Value, double>) {
    return ColumnType::real;
  } else {
    static_assert(std::is_same_v<Value, std::string>, "a column holds int64, double or string");
    return ColumnType::text;
  }
}

// As SQLite calls it.
std::string_view name_of(ColumnType type);

template <class Row>
struct Column {
  ColumnInfo info;
  Member<Row> member;
};

template <class Row, class T>
constexpr Column<Row> column(std::string_view name, T Row::*member, Unit unit,
                             std::string_view meaning) {
  return {{name, column_type<T>(), IsOptional<T>::value, unit, meaning}, member};
}

// A column that nsys exports do not have.
template <class Row, class T>
constexpr Column<Row> extra(std::string_view name, T Row::*member, Unit unit,
                            std::string_view meaning) {
  Column<Row> result = column(name, member, unit, meaning);
  result.info.origin = Origin::lapscope;
  return result;
}

template <class Row, class T>
constexpr Column<Row> enumerated(std::string_view name, T Row::*member,
                                 std::string_view enumeration, std::string_view meaning) {
  Column<Row> result = column(name, member, Unit::enum_id, meaning);
  result.info.enumeration = enumeration;
  return result;
}

template <class Row, class T>
constexpr Column<Row> extra_enumerated(std::string_view name, T Row::*member,
                                       std::string_view enumeration, std::string_view meaning) {
  Column<Row> result = enumerated(name, member, enumeration, meaning);
  result.info.origin = Origin::lapscope;
  return result;
}

// What is known of a table without its row type.
struct TableInfo {
  std::string_view name;
  std::string_view meaning;
  std::span<const ColumnInfo> columns;
};

template <class Row, std::size_t count>
struct Table {
  std::string_view name;
  std::string_view meaning;
  std::array<ColumnInfo, count> columns;
  std::array<Member<Row>, count> members;
  static constexpr std::size_t column_count = count;

  constexpr operator TableInfo() const { return {name, meaning, columns}; }
};

template <class Row, class... Columns>
constexpr Table<Row, sizeof...(Columns)> table(std::string_view name, std::string_view meaning,
                                               const Columns&... columns) {
  return {name, meaning, {columns.info...}, {columns.member...}};
}

template <class Row>
inline constexpr int describe = 0;  // specialised by every row type

// Calls f(column, member, index) for every column of Row, index counting from 0. The type of
// `member` is one of Member<Row>.
template <class Row, class F>
void for_each_column(F&& f) {
  constexpr const auto& table = describe<Row>;
  for (std::size_t i = 0; i < table.column_count; ++i) {
    const auto call = [&](auto member) { f(table.columns[i], *member, static_cast<int>(i)); };
    const Member<Row>& member = table.members[i];
    switch (member.index()) {
      case 0:
        call(std::get_if<0>(&member));
        break;
      case 1:
        call(std::get_if<1>(&member));
        break;
      case 2:
        call(std::get_if<2>(&member));
        break;
      case 3:
        call(std::get_if<3>(&member));
        break;
      case 4:
        call(std::get_if<4>(&member));
        break;
      default:
        call(std::get_if<5>(&member));
        break;
    }
  }
}

}  // namespace lapscope::schema
