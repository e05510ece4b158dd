#include "tests/bench/trace_scan.h"

#include <sqlite3.h>

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "collector/schema/sqlite.h"
#include "collector/schema/tables.h"
#include "readers/read_trace.h"
#include "tests/bench/trace_generator.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::bench {
namespace {

using Columns = std::set<std::pair<std::string, std::string>>;

// Stores which columns SQL statements read. Stores only columns of tables that grow with the trace.
struct Observer {
  Columns columns;
  std::mutex mutex;

  template <class... Rows>
  static bool grows(std::string_view table) {
    return ((table == schema::describe<Rows>.name) || ...);
  }

  static int note(void* self, int action, const char* table, const char* column, const char*,
                  const char*) {
    using namespace schema;
    if (action != SQLITE_READ || !table || !column) return SQLITE_OK;
    // A statement that only counts rows has no column name. A rowid is not stored as a column.
    if (!*column || std::string_view(column) == "ROWID") return SQLITE_OK;
    if (grows<KernelRow, MemcpyRow, MemsetRow, ApiCallRow, SynchronizationRow, CudaEventRow,
              OverheadRow, MemoryRow, NvtxRow>(table)) {
      auto& observer = *static_cast<Observer*>(self);
      const std::scoped_lock lock(observer.mutex);
      observer.columns.emplace(table, column);
    }
    return SQLITE_OK;
  }
};

Observer* observer = nullptr;

int attach(sqlite3* database, const char**, const void*) {
  return sqlite3_set_authorizer(database, Observer::note, observer);
}

Columns columns_read_by(const std::function<void()>& body) {
  Observer seen;
  observer = &seen;
  const auto entry = reinterpret_cast<void (*)()>(attach);
  REQUIRE(sqlite3_auto_extension(entry) == SQLITE_OK);
  body();
  sqlite3_cancel_auto_extension(entry);
  observer = nullptr;
  return seen.columns;
}

TEST_CASE("the scan reads the columns that the analyzer reads, and no others") {
  const test::TemporaryFolder folder;
  generate_trace(folder / "t.sqlite", {.ops = 5'000});
  const Columns analyzer_reads =
      columns_read_by([&] { analyzer::read_trace(folder / "t.sqlite"); });
  const Columns scan_reads = columns_read_by([&] { scan_trace(folder / "t.sqlite"); });
  REQUIRE(analyzer_reads.size() > 40);
  REQUIRE(scan_reads == analyzer_reads);
}

TEST_CASE("the scan steps through every row") {
  const test::TemporaryFolder folder;
  generate_trace(folder / "t.sqlite", {.ops = 5'000});
  schema::Database database = schema::Database::immutable(folder / "t.sqlite");
  std::int64_t rows = 0;
  for (const char* table :
       {"KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "SYNCHRONIZATION", "CUDA_EVENT", "OVERHEAD"}) {
    rows += *database.query_int64(std::string("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_") + table);
  }
  rows += *database.query_int64("SELECT count(*) FROM NVTX_EVENTS");
  const ScanResult result = scan_trace(folder / "t.sqlite");
  REQUIRE(result.rows == rows);
  REQUIRE(result.sum != 0);
}

TEST_CASE("a file without the tables of a trace is not scanned") {
  const test::TemporaryFolder folder;
  schema::Database(folder / "t.sqlite", schema::Database::Mode::create)
      .execute("CREATE TABLE t (a)");
  REQUIRE_THROWS_AS(scan_trace(folder / "t.sqlite"), std::runtime_error);
}

}  // namespace
}  // namespace lapscope::bench
