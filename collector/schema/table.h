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

// A row struct and a `describe<Row>` declare a table of the trace: the column name, unit and
// meaning of each member. SQL, binding, reading and docs/trace-format.md are derived from this.
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

// Returns the valid integers of a unit. Sizes have at most 57 bits, like the address spaces of
// CUDA's hosts and devices. Counts have 32 bits, like those in CUPTI's records.
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

  // Returns true if another recorder may have written the invalid `value`; only the collector never
  // writes it. Other recorders write 0 for an unknown value, and have codes and ids of their own.
  // `value` must be outside the enumeration or domain.
  constexpr bool is_of_collector(std::int64_t value) const {
    return value == 0 || !enumeration.empty() || unit == Unit::cupti_id;
  }
};

// A pointer to a member of a row. One of these six is set. With a std::variant instead, the code
// that reads tables would take a fifth longer to compile.
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
};

template <class Row, class T>
constexpr Column<Row> column(std::string_view name, T Row::*member, Unit unit,
                             std::string_view meaning) {
  Column<Row> result = {{name, column_type<T>(), IsOptional<T>::value, unit, meaning}, member};
  result.info.domain = domain_of(unit);
  return result;
}

template <class Row>
constexpr Column<Row> within(Domain domain, Column<Row> column) {
  column.info.domain = domain;
  return column;
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
inline constexpr int describe = 0;  // specialised for every row type

// Returns the column that a member of Row declares.
template <class Row>
constexpr const ColumnInfo& column_of(Member<Row> member) {
  constexpr const auto& table = describe<Row>;
  std::size_t place = 0;
  while (!(table.members[place] == member)) ++place;
  return table.columns[place];
}

// The types that members of a row can have.
enum class CellType : std::uint8_t {
  integer,
  maybe_integer,
  real,
  maybe_real,
  text,
  maybe_text,
};

struct Cell {
  CellType type = CellType::integer;
  std::size_t offset = 0;  // bytes
};

// A table and the memory layout of its rows. Code that uses a Layout is compiled only once, for all
// row types.
struct Layout {
  TableInfo table;
  std::span<const Cell> cells;  // by column
};

template <class Row>
Cell cell_of(const Row& row, const Member<Row>& member) {
  const auto cell = [&row](CellType type, const void* value) {
    const std::ptrdiff_t offset =
        static_cast<const std::byte*>(value) - reinterpret_cast<const std::byte*>(&row);
    return Cell{type, static_cast<std::size_t>(offset)};
  };
  if (member.integer) return cell(CellType::integer, &(row.*member.integer));
  if (member.maybe_integer) return cell(CellType::maybe_integer, &(row.*member.maybe_integer));
  if (member.real) return cell(CellType::real, &(row.*member.real));
  if (member.maybe_real) return cell(CellType::maybe_real, &(row.*member.maybe_real));
  if (member.text) return cell(CellType::text, &(row.*member.text));
  return cell(CellType::maybe_text, &(row.*member.maybe_text));
}

template <class Row>
const Layout& layout_of() {
  static const auto cells = [] {
    constexpr const auto& table = describe<Row>;
    std::array<Cell, table.column_count> result;
    const Row row{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = cell_of(row, table.members[i]);
    return result;
  }();
  static const Layout layout{describe<Row>, cells};
  return layout;
}

// Calls f(column, value, index) for every value of the row at address `row`. The first column has
// index 0. If Bytes is const std::byte, the values are const, too.
template <class Bytes, class F>
void for_each_value(const Layout& layout, Bytes* row, F&& f) {
  for (std::size_t i = 0; i < layout.cells.size(); ++i) {
    const auto call = [&]<class T>(std::type_identity<T>) {
      using Value = std::conditional_t<std::is_const_v<Bytes>, const T, T>;
      f(layout.table.columns[i], *reinterpret_cast<Value*>(row + layout.cells[i].offset),
        static_cast<int>(i));
    };
    switch (layout.cells[i].type) {
      case CellType::integer:
        call(std::type_identity<std::int64_t>{});
        break;
      case CellType::maybe_integer:
        call(std::type_identity<std::optional<std::int64_t>>{});
        break;
      case CellType::real:
        call(std::type_identity<double>{});
        break;
      case CellType::maybe_real:
        call(std::type_identity<std::optional<double>>{});
        break;
      case CellType::text:
        call(std::type_identity<std::string>{});
        break;
      case CellType::maybe_text:
        call(std::type_identity<std::optional<std::string>>{});
        break;
    }
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
