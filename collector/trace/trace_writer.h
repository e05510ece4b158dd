#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::trace {

// Collects rows of one table to insert them together. With one statement for the whole batch,
// SQLite needs less than half the time of one statement per row. The bindings of the previous batch
// remain. So if a value is the same as in the previous batch, it is not bound again. This saves
// most bindings if a program launches the same kernel many times.
class RowBatch {
 public:
  static constexpr std::size_t capacity = 32;

  virtual ~RowBatch() = default;

  bool is_empty() const { return size_ == 0; }
  bool is_full() const { return size_ == capacity; }

  // Inserts the rows of a full batch. `statement` comes from insert_sql() with `capacity` rows.
  void insert_all(schema::Statement& statement);
  // Inserts the rows with one statement per row. `statement` comes from insert_sql() with one row.
  void insert_each(schema::Statement& statement);
  // Call this function when insert_all() gets a new statement.
  void forget_bindings() { is_bound_ = false; }

 protected:
  explicit RowBatch(const schema::TableInfo& table) : table_(table) {}
  RowBatch(const RowBatch&) = delete;
  RowBatch& operator=(const RowBatch&) = delete;

  std::size_t size_ = 0;

 private:
  virtual const std::byte* row(std::size_t index) const = 0;
  // Returns the values of row `index` that are bound at present.
  virtual std::byte* bound(std::size_t index) = 0;
  // Copies row(index) to bound(index).
  virtual void copy_to_bound(std::size_t index) = 0;

  const schema::TableInfo table_;
  bool is_bound_ = false;
};

template <class Row>
class BatchOf : public RowBatch {
 public:
  explicit BatchOf(const schema::TableInfo& table = schema::describe<Row>) : RowBatch(table) {}

  void add(const Row& row) { rows_[size_++] = row; }

 private:
  const std::byte* row(std::size_t index) const override { return schema::bytes_of(rows_[index]); }
  std::byte* bound(std::size_t index) override { return schema::bytes_of(bound_[index]); }
  void copy_to_bound(std::size_t index) override { bound_[index] = rows_[index]; }

  std::array<Row, capacity> rows_;
  std::array<Row, capacity> bound_;
};

// Page size in bytes. With SQLite's default of 4 KiB, writing takes a fifth longer.
inline constexpr int page_while_written = 16'384;

// Writes one row of LAPSCOPE_CAPTURE. Replaces an earlier row that has the same name.
void set_fact(schema::Database& database, std::string_view name,
              std::optional<std::string_view> value);

// Writes one trace. After commit(), all rows so far are visible to readers and survive if the
// program is killed. Only one thread may use the writer. Every member may throw
// schema::SqliteError, for example if the disk is full.
//
// Until finish(), the file is in WAL mode with synchronous=OFF. A crash of the machine may make the
// database unreadable.
class TraceWriter {
 public:
  explicit TraceWriter(const std::filesystem::path& path);
  explicit TraceWriter(schema::Database database);
  // Returns a writer for a trace that nobody reads before it is complete. Such a trace needs no
  // -wal file. If the program is killed before finish(), the rows may be lost.
  static TraceWriter unread(schema::Database database);

  // Appends a row and returns its rowid. The first row of a table creates the table, and the ENUM_*
  // tables that the table refers to.
  template <class Row>
  std::int64_t insert(const Row& row) {
    schema::Statement& statement = insert_statement(schema::index_of<Row>());
    schema::bind_row(statement, row);
    statement.execute();
    return database_.last_rowid();
  }

  // A faster insert() for the tables with the most rows. The row may wait in memory until commit().
  // If SQLite refuses a waiting row, a later append() or commit() throws.
  template <class Row>
  void append(const Row& row) {
    const std::size_t table = schema::index_of<Row>();
    std::unique_ptr<RowBatch>& batch = inserts_[table].batch;
    if (!batch) batch = std::make_unique<BatchOf<Row>>();
    static_cast<BatchOf<Row>&>(*batch).add(row);
    if (batch->is_full()) insert_batch(table);
  }

  // Creates `table`, and the ENUM_* tables that it refers to. Returns a statement that inserts
  // `rows` rows. `table` may lack columns whose values are unknown.
  schema::Statement prepare(const schema::TableInfo& table, std::size_t rows);

  // Deletes a row, so that a new version of the row can be written.
  template <class Row>
  void remove(std::int64_t rowid) {
    begin();
    schema::Statement erase(database_,
                            "DELETE FROM " + schema::table_name<Row>() + " WHERE rowid = ?1");
    erase.bind(1, rowid);
    erase.execute();
  }

  // In all rows of `context`, changes the deviceId `unknown` to `device`. Used for rows that had to
  // be written before the device of their context was known.
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

  // Replaces all rows of a table by `rows`. Used for small tables of totals.
  template <class Row>
  void replace_all(std::span<const Row> rows) {
    insert_statement(schema::index_of<Row>());
    database_.execute("DELETE FROM " + schema::table_name<Row>());
    for (const Row& row : rows) insert(row);
  }

  void set_fact(std::string_view name, std::optional<std::string_view> value);

  // Returns the StringIds.id of a text. Adds the text if it is new.
  std::int64_t intern(std::string_view text);
  // Return the number of interned texts, and the total size of these texts in bytes.
  std::size_t texts() const { return strings_.size(); }
  std::size_t text_bytes() const { return text_bytes_; }

  void commit();
  // Drops the rows and the interned texts that were added since the last commit. Rows that are
  // written after this call must not have texts.
  void rollback();
  // Moves the contents of the -wal file into the database. After that, the next commit can use the
  // disk space of the -wal file again. Call this function outside of a transaction. While other
  // connections read the database, free_log() may move only a part of the contents.
  void free_log();
  // Commits. Makes the trace one file without a -wal file, in SQLite's default journal mode.
  void finish();

  schema::Database& database() { return database_; }
  // Returns the database of a writer. Call this function after finish().
  static schema::Database taken(TraceWriter writer) { return std::move(writer.database_); }

 private:
  TraceWriter(schema::Database database, const char* journal);

  // The statements and waiting rows of one table.
  struct Inserts {
    std::optional<schema::Statement> one;   // inserts a row
    std::optional<schema::Statement> many;  // inserts a full batch
    std::unique_ptr<RowBatch> batch;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  // Begins a transaction. Returns the statement that inserts a row into a table. `table` is the
  // index of the table in schema::all_tables().
  schema::Statement& insert_statement(std::size_t table);
  void insert_batch(std::size_t table);
  void begin();
  void insert_waiting();
  void forget_inserts();
  void create_enumeration(std::string_view table);

  schema::Database database_;
  std::vector<Inserts> inserts_;  // by table
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> strings_;
  std::size_t text_bytes_ = 0;
  bool in_transaction_ = false;
};

}  // namespace lapscope::trace
