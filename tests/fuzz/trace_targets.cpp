#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include "collector/schema/sqlite.h"
#include "collector/trace/copy_tables.h"
#include "readers/kineto/import.h"
#include "readers/open_trace.h"
#include "readers/read_trace.h"
#include "readers/xprof/profile_import.h"
#include "tests/fuzz/row_edits.h"
#include "tests/fuzz/show.h"

namespace lapscope::fuzz {
namespace {

using schema::Database;

// Small traces of different kinds: with graphs, with several devices, with an end by a signal.
constexpr std::array seeds = {
    "sm-filling-kernels-fixed",   "event-fan-in-fixed", "graph-chain-fixed",
    "peer-copies-fixed",          "oddities/killed",    "graph-callback-fixed",
    "same-direction-copies-fixed"};

const Seed& seed_of(std::uint8_t choice) {
  static const std::vector<Seed> all = [] {
    std::vector<Seed> read;
    for (const char* name : seeds) {
      read.push_back(read_seed(std::string(LAPSCOPE_TEST_TRACES "/") + name + ".sqlite"));
    }
    return read;
  }();
  return all[choice % all.size()];
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
    // The command reports this exception as a sentence.
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

void xprof_profile(Bytes input) {
  const std::string path = file_of(input);
  try {
    auto writer = trace::TraceWriter::unread(Database::in_memory());
    xprof::import_profile(path, writer, nullptr);
    writer.finish();
    show(analyzer::read_trace(trace::TraceWriter::taken(std::move(writer)), path), input.size());
  } catch (const kineto::UnreadableJson&) {
  } catch (const analyzer::UnreadableTrace&) {
  }
}

void row_values(Bytes bytes) {
  Input input(bytes);
  const Seed& seed = seed_of(input.take<std::uint8_t>());
  analyze_file(edited(seed, Columns::stay, input), bytes.size());
}

}  // namespace lapscope::fuzz
