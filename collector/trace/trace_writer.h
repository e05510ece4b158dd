#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "collector/trace/row_batch.h"

namespace lapscope::trace {

// Bytes of a page: with SQLite's usual 4 KiB, writing takes a fifth longer.
inline constexpr int page_while_written = 16'384;

// Writes one trace. Rows become visible to readers, and safe from a kill of the program, at
// commit(). Used by one thread. Every member may throw schema::SqliteError (a full disk, say).
//
// The file is in WAL mode with synchronous=OFF while it is written: a killed program leaves a
// readable database, a killed machine may not. finish() makes it one plain file.
class TraceWriter {
 public:
  explicit TraceWriter(const std::filesystem::path& path);
  explicit TraceWriter(schema::Database database);
  // Makes the writer of a trace that is not read before it is complete: it needs no log, and
  // nothing is safe before finish().
  static TraceWriter unread(schema::Database database);

  // Appends a row; the first of its sort makes the table and the ENUM_* tables it refers to.
  // Returns its rowid.
  template <class Row>
  std::int64_t insert(const Row& row) {
    begin();
    auto& statement = insert_statement<Row>();
    schema::bind_row(statement, row);
    statement.execute();
    return database_.last_rowid();
  }

  // The same for tables that get most rows: quicker, but the row may wait until commit(), and an
  // error of one row may be thrown for a later one.
  template <class Row>
  void append(const Row& row) {
    auto& slot = std::get<InsertSlot<Row>>(inserts_);
    if (!slot.batch) slot.batch = std::make_unique<RowBatch<Row>>();
    slot.batch->add(row);
    if (!slot.batch->full()) return;
    begin();
    if (!slot.batch_statement) {
      insert_statement<Row>();  // makes the table
      slot.batch_statement.emplace(
          database_, schema::insert_sql(schema::describe<Row>, RowBatch<Row>::capacity));
      slot.batch->forget_bindings();
    }
    slot.batch->insert_all(*slot.batch_statement);
  }

  // Makes a table, and the ENUM_* tables that it refers to, and what inserts so many of its rows.
  // For a table of which only some columns are known: `table` has these alone.
  schema::Statement prepare(const schema::TableInfo& table, std::size_t rows);

  // Takes a row back, for writing it anew.
  template <class Row>
  void remove(std::int64_t rowid) {
    begin();
    schema::Statement erase(
        database_, "DELETE FROM " + std::string(schema::describe<Row>.name) + " WHERE rowid = ?1");
    erase.bind(1, rowid);
    erase.execute();
  }

  // For rows that had to be written before the device of their context was known: sets deviceId,
  // where it still is `unknown`, of a context's rows.
  template <class Row>
  void set_device(std::int64_t context, std::int64_t device, std::int64_t unknown) {
    begin();
    insert_waiting();
    const std::string table(schema::describe<Row>.name);
    if (!database_.has_table(table)) return;
    schema::Statement update(
        database_, "UPDATE " + table + " SET deviceId = ?1 WHERE contextId = ?2 AND deviceId = ?3");
    update.bind(1, device);
    update.bind(2, context);
    update.bind(3, unknown);
    update.execute();
  }

  // For the small tables that state totals: makes `rows` the table's whole content.
  template <class Row>
  void replace_all(std::span<const Row> rows) {
    begin();
    insert_statement<Row>();
    database_.execute("DELETE FROM " + std::string(schema::describe<Row>.name));
    for (const Row& row : rows) insert(row);
  }

  // One row of LAPSCOPE_CAPTURE, replacing an earlier one of that name.
  void set_fact(std::string_view name, std::optional<std::string> value);

  // The StringIds.id of a text.
  std::int64_t intern(std::string_view text);
  // How many texts were interned, and of how many bytes.
  std::size_t texts() const { return strings_.size(); }
  std::size_t text_bytes() const { return text_bytes_; }

  void commit();
  // Drops what was written since the last commit. Texts interned since then are gone as well, so
  // that only rows without names may follow.
  void rollback();
  // Moves what the -wal file holds into the database, so that the next commit needs no more room on
  // the disk than that file has already. Outside a transaction; does what it can while others read.
  void free_log();
  // Commits, and leaves one self-contained file in SQLite's default mode.
  void finish();

  schema::Database& database() { return database_; }
  // What was written to, after finish().
  static schema::Database taken(TraceWriter writer) { return std::move(writer.database_); }

 private:
  TraceWriter(schema::Database database, const char* journal);

  template <class Row>
  struct InsertSlot {
    std::optional<schema::Statement> statement;
    std::optional<schema::Statement> batch_statement;
    std::unique_ptr<RowBatch<Row>> batch;
  };
  template <class Rows>
  struct SlotsOf;
  template <class... Rows>
  struct SlotsOf<std::tuple<Rows...>> {
    using type = std::tuple<InsertSlot<Rows>...>;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  template <class Row>
  schema::Statement& insert_statement() {
    auto& slot = std::get<InsertSlot<Row>>(inserts_);
    if (!slot.statement) slot.statement.emplace(prepare(schema::describe<Row>, 1));
    return *slot.statement;
  }

  void begin();
  void insert_waiting();
  void create_enumeration(std::string_view table);

  schema::Database database_;
  SlotsOf<schema::AllRows>::type inserts_;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> strings_;
  std::size_t text_bytes_ = 0;
  bool in_transaction_ = false;
};

}  // namespace lapscope::trace
