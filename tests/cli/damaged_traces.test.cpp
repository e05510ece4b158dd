#include <filesystem>

#include "collector/schema/sqlite.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

// lapscope must not treat copies of recorded traces as complete if a part is missing.
namespace lapscope::test {
namespace {

namespace fs = std::filesystem;
using schema::Database;

constexpr const char* traces[] = {"stream_pipeline-overlapped", "default-stream-kernel-broken",
                                  "event-chain-broken",         "event-fan-in-fixed",
                                  "graph-chain-fixed",          "tiny-kernels-fixed",
                                  "sync-event-broken",          "pageable-copy-fixed",
                                  "multi-gpu-fan-out-broken",   "oddities/pytorch-step"};

constexpr const char* kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* memsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* events = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr const char* waits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";

// What the damaged copy of a trace says about the number of its records (LAPSCOPE_RECORDS). If the
// number is higher than the number of rows, records are missing.
enum class Counts {
  kept,    // the original counts of received records
  fitted,  // as if the missing records had never been received
  gone,    // the table of counts is removed
  export_  // all tables that exports of Nsight Systems lack are removed
};

class Copy {
 public:
  explicit Copy(const std::string& trace)
      : path_(folder_ / "t.sqlite"), database_(copied(trace, path_), Database::Mode::read_write) {
    database_.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  }

  std::int64_t rows(const std::string& table, const std::string& where = "1") {
    if (!database_.has_table(table)) return 0;
    return database_.query_int64("SELECT count(*) FROM " + table + " WHERE " + where).value_or(0);
  }
  void remove(const std::string& table, const std::string& where) {
    if (database_.has_table(table)) {
      database_.execute("DELETE FROM " + table + " WHERE " + where);
    }
  }
  void drop(const std::string& table) { database_.execute("DROP TABLE IF EXISTS " + table); }
  void execute(const std::string& sql) { database_.execute(sql); }

  void leave(Counts counts) {
    if (counts == Counts::fitted) {
      fit("'CONCURRENT_KERNEL'", kernels);
      fit("'MEMSET'", memsets);
      fit("'CUDA_EVENT'", events);
      fit("'SYNCHRONIZATION'", waits);
      // The table of copies has two kinds of records. The first kind gets the whole count.
      fit("'MEMCPY'", copies);
      database_.execute("UPDATE LAPSCOPE_RECORDS SET received = 0 WHERE name = 'MEMCPY2'");
    }
    if (counts == Counts::gone) drop("LAPSCOPE_RECORDS");
    if (counts == Counts::export_) {
      std::vector<std::string> tables;
      {
        schema::Statement names(
            database_,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'LAPSCOPE_%'");
        while (names.step()) tables.emplace_back(names.text(0));
      }
      for (const std::string& table : tables) drop(table);
      database_.execute("PRAGMA application_id = 0");
    }
  }
  const fs::path& path() const { return path_; }

 private:
  static fs::path copied(const std::string& trace, const fs::path& to) {
    fs::copy_file(fs::path(LAPSCOPE_TEST_TRACES) / (trace + ".sqlite"), to);
    fs::permissions(to, fs::perms::owner_write, fs::perm_options::add);
    return to;
  }
  void fit(const std::string& kind, const std::string& table) {
    database_.execute("UPDATE LAPSCOPE_RECORDS SET received = " + std::to_string(rows(table)) +
                      " WHERE name = " + kind);
  }

  TemporaryFolder folder_;
  fs::path path_;
  Database database_;
};

struct Damage {
  std::string name;
  // Removes a part of the trace. Returns false if the trace has no such part.
  bool (*make)(Copy&);
  bool of_ops = true;
};

// Removes a third of the kernels that satisfy `where`.
bool remove_a_third(Copy& copy, const std::string& where) {
  const std::string chosen = where + " AND rowid % 3 = 0";
  if (copy.rows(kernels, chosen) == 0) return false;
  copy.remove(kernels, chosen);
  return true;
}

bool remove_graph_kernels(Copy& copy) {
  if (copy.rows(kernels, "graphNodeId IS NOT NULL") == 0) return false;
  copy.remove(kernels, "graphNodeId IS NOT NULL");
  return true;
}

// Removes the stream with most kernels. Does nothing if all ops are in this stream.
bool remove_a_stream(Copy& copy) {
  copy.execute(
      "CREATE TEMP TABLE chosen AS SELECT streamId FROM CUPTI_ACTIVITY_KIND_KERNEL "
      "GROUP BY 1 ORDER BY count(*) DESC LIMIT 1");
  if (copy.rows(kernels, "streamId NOT IN chosen") == 0) return false;
  for (const char* table : {kernels, copies, memsets}) copy.remove(table, "streamId IN chosen");
  return true;
}

bool remove_all(Copy& copy, const std::string& table) {
  if (copy.rows(table) == 0) return false;
  copy.remove(table, "1");
  return true;
}

bool drop_all(Copy& copy, const std::string& table) {
  if (copy.rows(table) == 0) return false;
  copy.drop(table);
  return true;
}

const Damage damages[] = {
    {"a third of the kernels", [](Copy& copy) { return remove_a_third(copy, "1"); }},
    {"all copies", [](Copy& copy) { return remove_all(copy, copies); }},
    {"a stream", remove_a_stream},
    {"a third of the kernels in graphs",
     [](Copy& copy) { return remove_a_third(copy, "graphNodeId IS NOT NULL"); }},
    {"all kernels in graphs", remove_graph_kernels},
    {"all kernels in graphs, and what tells of graphs",
     [](Copy& copy) {
       copy.drop("LAPSCOPE_GRAPH_NODES");
       copy.drop("LAPSCOPE_GRAPH_EDGES");
       return remove_graph_kernels(copy);
     }},
    {"the records of events", [](Copy& copy) { return remove_all(copy, events); }, false},
    {"the table of events", [](Copy& copy) { return drop_all(copy, events); }, false},
    {"the table of synchronization", [](Copy& copy) { return drop_all(copy, waits); }, false},
};

std::string verdict_on(const Copy& copy) {
  const auto result = run_in_process({"analyze", "--format", "json", copy.path()});
  CHECK(result.status == 3);
  return parse_json(result.out).at("verdict");
}

// Evaluates a condition that every trace fulfils.
int gate_on(const Copy& copy) {
  return run_in_process({"gate", copy.path(), "--max-idle", "100%"}).status;
}

// Like gate_on(), but the gate also forbids two causes that need records of events and waits.
int gate_of_waits_on(const Copy& copy) {
  return run_in_process({"gate", copy.path(), "--max-idle", "100%", "--forbid", "event-wait=100%",
                         "--forbid", "host-sync=100%"})
      .status;
}

// Returns whether a memory copy lies between the first and the last kernel. If there is none, an
// export without its copies is not suspicious: copies may lie before and after the recording.
bool has_copies_between_kernels(Copy& copy) {
  return copy.rows(copies,
                   "start > (SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL) AND "
                   "end < (SELECT max(start) FROM CUPTI_ACTIVITY_KIND_KERNEL)") > 0;
}

void check_damaged(const std::string& trace, Counts counts) {
  const test::TemporaryFolder folder;
  const std::string whole = folder / "whole.json";
  const std::string recorded = fs::path(LAPSCOPE_TEST_TRACES) / (trace + ".sqlite");
  REQUIRE(run_in_process({"summarize", recorded, "-o", whole}).status == 0);
  for (const Damage& damage : damages) {
    Copy copy(trace);
    const bool takes_the_ends = damage.name == "all copies" && !has_copies_between_kernels(copy);
    if (counts == Counts::export_ && takes_the_ends) continue;
    if (!damage.make(copy)) continue;
    copy.leave(counts);
    INFO(trace << " without " << damage.name << ", counts " << static_cast<int>(counts));
    CHECK(verdict_on(copy) == "inconclusive");
    if (!damage.of_ops) {
      CHECK(gate_of_waits_on(copy) == 3);
      continue;
    }
    CHECK(gate_on(copy) == 3);
    if (counts == Counts::kept || &damage == damages) {
      CHECK(run_in_process({"diff", whole, copy.path()}).status == 3);
    }
  }
}

TEST_CASE("no verdict is passed on a trace that lost records", "[damaged]") {
  for (const char* trace : traces) check_damaged(trace, Counts::kept);
}

TEST_CASE("nor on one that lost them without anybody counting", "[damaged]") {
  for (const char* trace : traces) check_damaged(trace, Counts::fitted);
}

TEST_CASE("nor on one without counts", "[damaged]") {
  for (const char* trace : traces) check_damaged(trace, Counts::gone);
}

TEST_CASE("nor on such an export of another tool", "[damaged]") {
  for (const char* trace : traces) check_damaged(trace, Counts::export_);
}

TEST_CASE("a recording that left kinds out cannot tell what they would", "[damaged]") {
  for (const char* trace : traces) {
    INFO(trace);
    Copy copy(trace);
    copy.drop(events);
    copy.drop(waits);
    copy.execute(
        "UPDATE LAPSCOPE_RECORDS SET enableResult = NULL, received = 0 "
        "WHERE name IN ('CUDA_EVENT', 'SYNCHRONIZATION')");
    CHECK(verdict_on(copy) == "inconclusive");
    CHECK(gate_of_waits_on(copy) == 3);
  }
}

TEST_CASE("no command concludes anything from rows that cannot be", "[damaged]") {
  const std::string whole = fs::path(LAPSCOPE_TEST_TRACES) / "stream_pipeline-overlapped.sqlite";
  for (const char* change :
       {"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9007199254740992 WHERE rowid = 20",
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = streamId + 4294967296 WHERE rowid = 20",
        "DELETE FROM NVTX_EVENTS WHERE rowid = 3", "DELETE FROM StringIds WHERE id % 2 = 0",
        "DROP TABLE LAPSCOPE_CAPTURE"}) {
    INFO(change);
    Copy copy("stream_pipeline-overlapped");
    copy.execute(change);
    CHECK(verdict_on(copy) == "inconclusive");
    CHECK(run_in_process({"gate", copy.path(), "--max-idle", "10%", "--min", "copy_hidden=0.9"})
              .status == 3);
    CHECK(run_in_process({"diff", whole, copy.path()}).status == 3);
    CHECK(run_in_process({"summarize", copy.path()}).status == 3);
    CHECK(run_in_process({"whatif", copy.path(), "--fix", "pageable-copy"}).status == 3);
  }
}

TEST_CASE("nodes and edges of graphs are counted, too", "[damaged]") {
  for (const char* lost : {"LAPSCOPE_GRAPH_NODES", "LAPSCOPE_GRAPH_EDGES"}) {
    INFO(lost);
    Copy copy("tiny-kernels-fixed");
    copy.remove(lost, "rowid % 7 = 0");
    CHECK(verdict_on(copy) == "inconclusive");
  }
}

TEST_CASE("without its counts, no trace of the collector is as it was recorded", "[damaged]") {
  for (const char* trace : traces) {
    INFO(trace);
    Copy copy(trace);
    copy.leave(Counts::gone);
    CHECK(verdict_on(copy) == "inconclusive");
    CHECK(gate_on(copy) == 3);
    const auto screen = run_in_process({"analyze", copy.path()});
    CHECK(screen.status == 3);
    CHECK(screen.out.find("nconclusive: the trace contradicts itself") < 20);
    const auto predicted = run_in_process({"whatif", copy.path()});
    CHECK(predicted.status == 3);
    CHECK(predicted.out.empty());
    const auto compared = run_in_process({"diff", copy.path(), copy.path()});
    CHECK(compared.status == 3);
    CHECK(compared.out.starts_with("Inconclusive: "));
  }
}

TEST_CASE("what is whole is judged, also as an export of another tool", "[damaged]") {
  for (const char* trace : traces) {
    for (const Counts counts : {Counts::kept, Counts::export_}) {
      INFO(trace << ", counts " << static_cast<int>(counts));
      Copy copy(trace);
      copy.leave(counts);
      const auto result = run_in_process({"analyze", "--format", "json", copy.path()});
      CHECK(result.status == 0);
      CHECK(gate_on(copy) == 0);
    }
  }
}

}  // namespace
}  // namespace lapscope::test
