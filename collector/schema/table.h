#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// A row struct declares a table of the trace. Each of its lines declares a member, which is a
// column of the same name, with its type, its unit and its meaning. SQL, binding, reading and
// docs/trace-format.md are derived from these declarations.
//
//   struct EventRow {
//     TABLE(EventRow, "EVENTS", "What happened.");
//     COLUMN(Int, start, session_ns, "first instant");
//     COLUMN(MaybeInt, end, session_ns, "last instant; NULL while open");
//     CODE(Int, kind, "ENUM_KIND", "kind of event");
//   };
//
// CODE declares a column with the ids of an ENUM_* table. EXTRA and EXTRA_CODE declare columns that
// lapscope adds to a table of Nsight Systems. COLUMN and EXTRA can have a Domain as a further
// argument, which replaces the domain of the unit.
namespace lapscope::schema {

// The types of columns. Columns of the Maybe types may be NULL, and all other columns are NOT NULL.
using Int = std::int64_t;
using Real = double;
using Text = std::string;
using MaybeInt = std::optional<Int>;
using MaybeReal = std::optional<Real>;
using MaybeText = std::optional<Text>;

enum class Unit {
  none,
  session_ns,  // integer ns since the session start (TARGET_INFO_SESSION_START_TIME); -1 = not
               // known
  utc_ns,      // integer ns since 1970-01-01 UTC
  ns,          // a duration or a clock reading in integer ns
  bytes,
  bytes_per_s,
  hz,
  id,         // an identifier, which can only be compared for equality
  cupti_id,   // a 32-bit identifier of CUPTI; the greatest value means none
  string_id,  // StringIds.id
  enum_id,    // id in the ENUM_* table that the column names
  count,
  flags,
};

std::string_view name_of(Unit unit);

// The tool that defines a column or table.
enum class Origin { nsys, lapscope };

enum class ColumnType { integer, real, text };

// The valid integers of a column. The collector never records other values.
struct Domain {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  constexpr bool has(std::int64_t value) const { return least <= value && value <= most; }
  constexpr bool is_any() const { return has(Domain().least) && has(Domain().most); }
};

// Returns the valid integers of a unit. Sizes have at most 57 bits, as the address spaces of CUDA's
// hosts and devices. Counts have 32 bits, as in CUPTI's records.
constexpr Domain domain_of(Unit unit) {
  switch (unit) {
    case Unit::bytes:
    case Unit::bytes_per_s:
      return {0, std::int64_t{1} << 57};
    case Unit::cupti_id:
    case Unit::count:
    case Unit::flags:
      return {0, (std::int64_t{1} << 32) - 1};
    case Unit::hz:
    case Unit::ns:
      return {0, std::numeric_limits<std::int64_t>::max()};
    default:
      return {};
  }
}

struct ColumnInfo {
  std::string_view name;
  ColumnType type = ColumnType::integer;
  bool nullable = false;
  Unit unit = Unit::none;
  std::string_view meaning;
  Origin origin = Origin::nsys;
  std::string_view enumeration = {};  // the ENUM_* table of an enum_id
  Domain domain = {};                 // unlimited if there is an enumeration
  std::size_t offset = 0;             // of the value in its row struct, in bytes

  // `value` must be outside the enumeration or domain of the column. Returns whether traces of
  // other recorders may contain `value`. These recorders write 0 for an unknown value, and have
  // codes and ids of their own.
  constexpr bool is_of_collector(std::int64_t value) const {
    return value == 0 || !enumeration.empty() || unit == Unit::cupti_id;
  }
};

// A pointer to a member of a row. One of these six pointers is set. With a std::variant instead,
// the code that reads tables would take a fifth longer to compile.
template <class Row>
struct Member {
  std::int64_t Row::*integer = nullptr;
  std::optional<std::int64_t> Row::*maybe_integer = nullptr;
  double Row::*real = nullptr;
  std::optional<double> Row::*maybe_real = nullptr;
  std::string Row::*text = nullptr;
  std::optional<std::string> Row::*maybe_text = nullptr;

  constexpr Member() = default;
  constexpr Member(std::int64_t Row::*member) : integer(member) {}
  constexpr Member(std::optional<std::int64_t> Row::*member) : maybe_integer(member) {}
  constexpr Member(double Row::*member) : real(member) {}
  constexpr Member(std::optional<double> Row::*member) : maybe_real(member) {}
  constexpr Member(std::string Row::*member) : text(member) {}
  constexpr Member(std::optional<std::string> Row::*member) : maybe_text(member) {}
  constexpr bool operator==(const Member&) const = default;
};

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

std::string_view name_of(ColumnType type);

template <class Row>
struct Column {
  ColumnInfo info;
  Member<Row> member;
  std::size_t offset = 0;
};

template <class T>
constexpr ColumnInfo column(std::string_view name, Unit unit, std::string_view meaning,
                            Domain domain) {
  return {.name = name,
          .type = column_type<T>(),
          .nullable = IsOptional<T>::value,
          .unit = unit,
          .meaning = meaning,
          .domain = domain};
}
template <class T>
constexpr ColumnInfo column(std::string_view name, Unit unit, std::string_view meaning) {
  return column<T>(name, unit, meaning, domain_of(unit));
}

template <class T>
constexpr ColumnInfo code(std::string_view name, std::string_view enumeration,
                          std::string_view meaning) {
  ColumnInfo column = schema::column<T>(name, Unit::enum_id, meaning);
  column.enumeration = enumeration;
  return column;
}

// A column that nsys exports do not have.
constexpr ColumnInfo extra(ColumnInfo column) {
  column.origin = Origin::lapscope;
  return column;
}

// The declaration of a table. This type does not depend on the row type.
struct TableInfo {
  std::string_view name;
  std::string_view meaning;
  std::span<const ColumnInfo> columns;
};

template <class Row, std::size_t count>
struct Table {
  std::string_view name;
  std::string_view meaning;
  std::array<ColumnInfo, count> columns = {};
  std::array<Member<Row>, count> members = {};
  static constexpr std::size_t column_count = count;

  constexpr operator TableInfo() const { return {name, meaning, columns}; }
};

// The number of a line in a row struct, counted from the line with TABLE. Each column declares a
// function column_at(Line<number>). table_of() calls these functions in the order of the lines.
template <int number>
struct Line {};
inline constexpr int most_lines = 128;  // a test checks that no table has more

struct TableHead {
  int line = 0;
  std::string_view name;
  std::string_view meaning;
};

#define TABLE(row, name, meaning) \
  using Row = row;                \
  static constexpr TableHead head { __LINE__, name, meaning }
#define LAPSCOPE_COLUMN(type, name, ...)                               \
  static constexpr Column<Row> column_at(Line<__LINE__ - head.line>) { \
    return {__VA_ARGS__, &Row::name, offsetof(Row, name)};             \
  }                                                                    \
  type name {}
#define COLUMN(type, name, unit, ...) \
  LAPSCOPE_COLUMN(type, name, column<type>(#name, Unit::unit, __VA_ARGS__))
#define EXTRA(type, name, unit, ...) \
  LAPSCOPE_COLUMN(type, name, extra(column<type>(#name, Unit::unit, __VA_ARGS__)))
#define CODE(type, name, enumeration, meaning) \
  LAPSCOPE_COLUMN(type, name, code<type>(#name, enumeration, meaning))
#define EXTRA_CODE(type, name, enumeration, meaning) \
  LAPSCOPE_COLUMN(type, name, extra(code<type>(#name, enumeration, meaning)))

// COLUMNS(EventRow, start, end) expands to EventRow, &EventRow::start, &EventRow::end. These are
// the arguments of a template that takes some columns of a table.
#define COLUMNS(row, ...) row LAPSCOPE_RESCAN(LAPSCOPE_MEMBERS(row, __VA_ARGS__))
#define LAPSCOPE_MEMBERS(row, name, ...) \
  , &row::name __VA_OPT__(LAPSCOPE_LATER LAPSCOPE_PARENTHESES(row, __VA_ARGS__))
#define LAPSCOPE_LATER() LAPSCOPE_MEMBERS
#define LAPSCOPE_PARENTHESES ()
#define LAPSCOPE_RESCAN(...) LAPSCOPE_RESCAN3(LAPSCOPE_RESCAN3(LAPSCOPE_RESCAN3(__VA_ARGS__)))
#define LAPSCOPE_RESCAN3(...) LAPSCOPE_RESCAN2(LAPSCOPE_RESCAN2(LAPSCOPE_RESCAN2(__VA_ARGS__)))
#define LAPSCOPE_RESCAN2(...) LAPSCOPE_RESCAN1(LAPSCOPE_RESCAN1(LAPSCOPE_RESCAN1(__VA_ARGS__)))
#define LAPSCOPE_RESCAN1(...) __VA_ARGS__

template <class Row, int line>
inline constexpr bool has_column_at = requires {
  Row::column_at(Line<line>{});
};

template <class Row, int... lines>
constexpr auto table_of(std::integer_sequence<int, lines...>) {
  Table<Row, (std::size_t{0} + ... + has_column_at<Row, lines>)> table = {Row::head.name,
                                                                          Row::head.meaning};
  std::size_t place = 0;
  const auto add = [&]<int line>(Line<line> at) {
    if constexpr (has_column_at<Row, line>) {
      const Column<Row> column = Row::column_at(at);
      table.columns[place] = column.info;
      table.columns[place].offset = column.offset;
      if (table.name.starts_with("LAPSCOPE_")) table.columns[place].origin = Origin::lapscope;
      table.members[place++] = column.member;
    }
  };
  (add(Line<lines>{}), ...);
  return table;
}

template <class Row>
inline constexpr auto describe = table_of<Row>(std::make_integer_sequence<int, most_lines>{});

template <class Row>
std::string table_name() {
  return std::string(describe<Row>.name);
}

// Returns the column that a member of Row declares.
template <class Row>
constexpr const ColumnInfo& column_of(Member<Row> member) {
  constexpr const auto& table = describe<Row>;
  std::size_t place = 0;
  while (!(table.members[place] == member)) ++place;
  return table.columns[place];
}

// Calls f(column, value, index) for every value of the row at address `row`. The first column has
// index 0. If Bytes is const std::byte, the values are const, too. This code is compiled only once,
// for all row types.
template <class Bytes, class F>
void for_each_value(const TableInfo& table, Bytes* row, F&& f) {
  int index = 0;
  for (const ColumnInfo& column : table.columns) {
    const auto call = [&]<class T>(std::type_identity<T>) {
      using Value = std::conditional_t<std::is_const_v<Bytes>, const T, T>;
      f(column, *reinterpret_cast<Value*>(row + column.offset), index);
    };
    const auto call_as = [&]<class T>(std::type_identity<T> known) {
      column.nullable ? call(std::type_identity<std::optional<T>>{}) : call(known);
    };
    switch (column.type) {
      case ColumnType::integer:
        call_as(std::type_identity<Int>{});
        break;
      case ColumnType::real:
        call_as(std::type_identity<Real>{});
        break;
      case ColumnType::text:
        call_as(std::type_identity<Text>{});
        break;
    }
    ++index;
  }
}

template <class Row>
const std::byte* bytes_of(const Row& row) {
  return reinterpret_cast<const std::byte*>(&row);
}
template <class Row>
std::byte* bytes_of(Row& row) {
  return reinterpret_cast<std::byte*>(&row);
}

}  // namespace lapscope::schema
