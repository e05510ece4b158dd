#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/reader/open_trace.h"
#include "analyzer/reader/read_trace.h"
#include "collector/kineto/import.h"
#include "collector/schema/sqlite.h"
#include "collector/trace/copy_tables.h"
#include "reports/renderer.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {
namespace {

using schema::Database;

// Small ones that differ in what they have: graphs, several devices, an end by a signal.
constexpr std::array seeds = {
    "sm-filling-kernels-fixed",   "event-fan-in-fixed", "graph-chain-fixed",
    "peer-copies-fixed",          "oddities/killed",    "graph-callback-fixed",
    "same-direction-copies-fixed"};

struct Column {
  std::string table;
  std::string name;
};

struct Seed {
  std::vector<std::uint8_t> bytes;
  std::vector<Column> columns;
};

Seed read_seed(const char* name) {
  const std::string path = std::string(LAPSCOPE_TEST_TRACES "/") + name + ".sqlite";
  Seed seed;
  std::ifstream file(path, std::ios::binary);
  seed.bytes.assign(std::istreambuf_iterator<char>(file), {});
  Database database = Database::immutable(path);
  schema::Statement columns(
      database,
      "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'ENUM%' ORDER BY 1, c.cid");
  while (columns.step()) {
    seed.columns.push_back({std::string(columns.text(0)), std::string(columns.text(1))});
  }
  return seed;
}

const Seed& seed_of(std::uint8_t choice) {
  static const std::vector<Seed> all = [] {
    std::vector<Seed> read;
    for (const char* name : seeds) read.push_back(read_seed(name));
    return read;
  }();
  return all[choice % all.size()];
}

// As SQL: of what no cell should have as much as of what is near its value.
std::string value_of(std::uint8_t sort, std::int64_t number, const std::string& column) {
  constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
  switch (sort % 12) {
    case 0:
      return "NULL";
    case 1:
      return std::to_string(number);
    case 2:
      return column + " + " + std::to_string(number % 1'000'000);
    case 3:
      return column + " + " + std::to_string(number % 1'000'000'000'000);
    case 4:
      return column + " + " + std::to_string(two_to_32);
    case 5:
      return "'text'";
    case 6:
      return "x'00ff80'";
    case 7:
      return "9223372036854775807";
    case 8:
      return "9007199254740992";
    case 9:
      return std::to_string(number % 16);
    case 10:
      return "1e300";
    default:
      return "-1";
  }
}

void edit(Database& database, const Seed& seed, Input& input) {
  const auto what = input.take<std::uint8_t>();
  const Column& column = seed.columns[input.take<std::uint16_t>() % seed.columns.size()];
  const std::string row = std::to_string(input.take<std::uint8_t>());
  const std::string name = '"' + column.name + '"';
  const auto sort = input.take<std::uint8_t>();
  const std::string value = value_of(sort, input.take<std::int64_t>(), name);
  std::string sql;
  switch (what % 6) {
    case 0:
    case 1:
      sql = "UPDATE " + column.table + " SET " + name + " = " + value + " WHERE rowid = " + row;
      break;
    case 2:
      sql = "UPDATE " + column.table + " SET " + name + " = " + value;
      break;
    case 3:
      sql = "DELETE FROM " + column.table + " WHERE rowid % 3 = " + row + " % 3";
      break;
    case 4:
      sql = "INSERT INTO " + column.table + " SELECT * FROM " + column.table +
            " WHERE rowid <= " + row;
      break;
    default:
      sql = "DROP TABLE " + column.table;
  }
  try {
    database.execute(sql);
  } catch (const schema::SqliteError&) {
    // A constraint, or a table that another edit has dropped.
  }
}

// In one format, which the input decides: all of them cost more than the analysis.
void show(const analyzer::Trace& trace, std::size_t format) {
  analyzer::AnalyzeOptions options;
  const reports::Renderer& renderer = reports::renderers()[format % reports::renderers().size()];
  options.timeline = renderer.draws;
  options.explain_whole = renderer.name == "json";
  const std::vector<analyzer::Report> reports = {analyzer::analyze(trace, options)};
  std::ostringstream out;
  renderer.render(reports, {.width = 80}, out);
}

void analyze_file(const std::string& path, std::size_t format) {
  try {
    show(analyzer::read_trace(path), format);
  } catch (const analyzer::UnreadableTrace&) {
  }
}

void convert_file(const std::string& path) {
  try {
    analyzer::OpenedTrace source = analyzer::open_trace(path);
    Database copy = Database::in_memory();
    trace::copy_tables(source.database, copy);
  } catch (const analyzer::UnreadableTrace&) {
  } catch (const schema::SqliteError&) {
    // A sentence of the command, too.
  }
}

}  // namespace

std::string file_of(Bytes bytes) {
  static const std::string path = [] {
    const char* const memory = "/dev/shm";
    const std::string folder =
        ::access(memory, W_OK) == 0 ? memory : std::filesystem::temp_directory_path().string();
    static const struct Removed {
      std::string path;
      ~Removed() { ::unlink(path.c_str()); }
    } removed{folder + "/lapscope-fuzz-" + std::to_string(::getpid())};
    return removed.path;
  }();
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

void trace_bytes(Bytes input) {
  const std::string path = file_of(input);
  analyze_file(path, input.size());
  convert_file(path);
}

void kineto_json(Bytes input) {
  const std::string path = file_of(input);
  try {
    kineto::kind_of_json(path);
    auto writer = trace::TraceWriter::unread(Database::in_memory());
    kineto::import_trace(path, writer, nullptr);
    writer.finish();
    show(analyzer::read_trace(trace::TraceWriter::taken(std::move(writer)), path), input.size());
  } catch (const kineto::UnreadableJson&) {
  } catch (const analyzer::UnreadableTrace&) {
  }
}

void row_values(Bytes bytes) {
  Input input(bytes);
  const Seed& seed = seed_of(input.take<std::uint8_t>());
  const std::string path = file_of(seed.bytes);
  {
    Database database(path, Database::Mode::read_write);
    database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN");
    while (!input.empty()) edit(database, seed, input);
    database.execute("COMMIT");
  }
  analyze_file(path, bytes.size());
}

}  // namespace lapscope::fuzz
