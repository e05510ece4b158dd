#include "collector/trace/trace_writer.h"

#include <sqlite3.h>

#include <utility>

#include "collector/schema/enumeration.h"
#include "collector/schema/views.h"

namespace lapscope::trace {

void set_fact(schema::Database& database, std::string_view name,
              std::optional<std::string_view> value) {
  const auto& table = schema::describe<schema::CaptureRow>;
  if (database.has_table(table.name)) {
    schema::Statement erase(database,
                            "DELETE FROM " + std::string(table.name) + " WHERE name = ?1");
    erase.bind(1, name);
    erase.execute();
  }
  const schema::CaptureRow row{std::string(name), std::optional<std::string>(value)};
  schema::insert_rows(database, std::span(&row, 1));
}

TraceWriter::TraceWriter(const std::filesystem::path& path)
    : TraceWriter(schema::Database(path, schema::Database::Mode::create)) {}

TraceWriter::TraceWriter(schema::Database database) : TraceWriter(std::move(database), "WAL") {}

TraceWriter TraceWriter::unread(schema::Database database) {
  return TraceWriter(std::move(database), "MEMORY");  // defensive connections must have a journal
}

TraceWriter::TraceWriter(schema::Database database, const char* journal)
    : database_(std::move(database)), inserts_(schema::all_tables().size()) {
  // A checkpoint every 16 MiB limits the size of the -wal file. With more checkpoints, there would
  // be a pause every few hundred rows. Waits up to 5 s for a lock, because other processes may read
  // the trace or try to mark it as cut off.
  database_.set_busy_timeout(5000);
  database_.execute("PRAGMA page_size = " + std::to_string(page_while_written) +
                    "; PRAGMA journal_mode = " + journal +
                    "; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 1024;"
                    "PRAGMA application_id = " +
                    std::to_string(schema::application_id) +
                    "; PRAGMA user_version = " + std::to_string(schema::format_version));
  for (const auto& [name, value] : {
           std::pair{"EXPORT_PRODUCT_NAME", std::string("lapscope")},
           std::pair{"EXPORT_SCHEMA_VERSION", std::string(schema::nsys_schema_version)},
           std::pair{"EXPORT_SCHEMA_VERSION_MAJOR", std::string("3")},
           std::pair{"EXPORT_SCHEMA_VERSION_MINOR", std::string("24")},
           std::pair{"EXPORT_SCHEMA_VERSION_MICRO", std::string("14")},
       }) {
    insert(schema::MetaDataRow{name, value});
  }
}

schema::Statement TraceWriter::prepare(const schema::TableInfo& table, std::size_t rows) {
  begin();
  database_.execute(schema::create_table_sql(table));
  for (const schema::ColumnInfo& column : table.columns) {
    if (!column.enumeration.empty()) create_enumeration(column.enumeration);
  }
  return schema::Statement(database_, schema::insert_sql(table, rows));
}

void TraceWriter::begin() {
  if (in_transaction_) return;
  database_.execute("BEGIN");
  in_transaction_ = true;
}

schema::Statement& TraceWriter::insert_statement(std::size_t table) {
  begin();
  std::optional<schema::Statement>& one = inserts_[table].one;
  if (!one) one.emplace(prepare(schema::all_tables()[table], 1));
  return *one;
}

void TraceWriter::insert_batch(std::size_t table) {
  insert_statement(table);  // begins a transaction, and makes the table
  Inserts& inserts = inserts_[table];
  if (!inserts.many) {
    inserts.many.emplace(database_,
                         schema::insert_sql(schema::all_tables()[table], RowBatch::capacity));
    inserts.batch->forget_bindings();
  }
  inserts.batch->insert_all(*inserts.many);
}

void TraceWriter::insert_waiting() {
  for (std::size_t table = 0; table < inserts_.size(); ++table) {
    RowBatch* const batch = inserts_[table].batch.get();
    if (batch && !batch->is_empty()) batch->insert_each(insert_statement(table));
  }
}

void TraceWriter::forget_inserts() {
  for (Inserts& inserts : inserts_) inserts = {};
}

void TraceWriter::commit() {
  insert_waiting();
  if (!in_transaction_) return;
  database_.execute("COMMIT");
  in_transaction_ = false;
}

void TraceWriter::rollback() {
  // After a failed write, SQLite may have rolled back already.
  if (!sqlite3_get_autocommit(database_.handle())) database_.execute("ROLLBACK");
  in_transaction_ = false;
  forget_inserts();  // their tables may be gone
}

void TraceWriter::free_log() { database_.execute("PRAGMA wal_checkpoint(PASSIVE)"); }

void TraceWriter::finish() {
  commit();
  schema::create_views(database_, schema::ViewPlace::in_file);
  forget_inserts();  // a pending statement would keep the journal mode from changing
  database_.execute("PRAGMA journal_mode = DELETE");
}

void TraceWriter::set_fact(std::string_view name, std::optional<std::string_view> value) {
  begin();
  trace::set_fact(database_, name, value);
}

std::int64_t TraceWriter::intern(std::string_view text) {
  if (const auto known = strings_.find(text); known != strings_.end()) return known->second;
  const auto id = static_cast<std::int64_t>(strings_.size()) + 1;
  const schema::StringRow row{id, std::string(text)};
  insert(row);
  strings_.emplace(row.value, id);
  text_bytes_ += row.value.size();
  return id;
}

void TraceWriter::create_enumeration(std::string_view table) {
  const std::string name(table);
  if (database_.has_table(name)) return;
  database_.execute("CREATE TABLE " + name + " (id INTEGER PRIMARY KEY, name TEXT, label TEXT)");
  schema::Statement row(database_, "INSERT INTO " + name + " VALUES (?1, ?2, ?3)");
  for (const schema::Enumerator& value : schema::enumeration(table).values) {
    row.bind(1, value.id);
    row.bind(2, value.name);
    row.bind(3, value.label);
    row.execute();
  }
}

void RowBatch::insert_all(schema::Statement& statement) {
  for (std::size_t i = 0; i < capacity; ++i) {
    const int first = static_cast<int>(i * table_.columns.size()) + 1;
    if (is_bound_) {
      schema::bind_changes(statement, table_, first, row(i), bound(i));
    } else {
      copy_to_bound(i);
      schema::bind_values(statement, table_, bound(i), first);
    }
  }
  is_bound_ = true;
  size_ = 0;
  statement.execute();
}

void RowBatch::insert_each(schema::Statement& statement) {
  for (std::size_t i = 0; i < size_; ++i) {
    schema::bind_values(statement, table_, row(i));
    statement.execute();
  }
  size_ = 0;
}

}  // namespace lapscope::trace
