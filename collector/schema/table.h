#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

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

template <class Row, class T>
struct Column {
  std::string_view name;
  T Row::*member;
  Unit unit;
  std::string_view meaning;
  Origin origin = Origin::nsys;
  std::string_view enumeration = {};  // the ENUM_* table of an enum_id
};

template <class Row, class T>
constexpr Column<Row, T> column(std::string_view name, T Row::*member, Unit unit,
                                std::string_view meaning) {
  return {name, member, unit, meaning};
}

// A column that nsys exports do not have.
template <class Row, class T>
constexpr Column<Row, T> extra(std::string_view name, T Row::*member, Unit unit,
                               std::string_view meaning) {
  return {name, member, unit, meaning, Origin::lapscope};
}

template <class Row, class T>
constexpr Column<Row, T> enumerated(std::string_view name, T Row::*member,
                                    std::string_view enumeration, std::string_view meaning) {
  return {name, member, Unit::enum_id, meaning, Origin::nsys, enumeration};
}

template <class Row, class T>
constexpr Column<Row, T> extra_enumerated(std::string_view name, T Row::*member,
                                          std::string_view enumeration, std::string_view meaning) {
  return {name, member, Unit::enum_id, meaning, Origin::lapscope, enumeration};
}

template <class Row, class... Ts>
struct Table {
  std::string_view name;
  std::string_view meaning;
  std::tuple<Column<Row, Ts>...> columns;
  static constexpr std::size_t column_count = sizeof...(Ts);
};

template <class Row, class... Ts>
constexpr Table<Row, Ts...> table(std::string_view name, std::string_view meaning,
                                  Column<Row, Ts>... columns) {
  return {name, meaning, {columns...}};
}

template <class Row>
inline constexpr int describe = 0;  // specialised by every row type

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
constexpr std::string_view sql_type() {
  if constexpr (IsOptional<T>::value) {
    return sql_type<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return "INTEGER";
  } else if constexpr (std::is_same_v<T, double>) {
    return "REAL";
  } else {
    static_assert(std::is_same_v<T, std::string>, "a column holds int64, double or string");
    return "TEXT";
  }
}

}  // namespace lapscope::schema
