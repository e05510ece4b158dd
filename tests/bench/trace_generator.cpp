#include "tests/bench/trace_generator.h"

#include <stdexcept>
#include <string>

#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"
#include "tests/bench/pipeline.h"
#include "tests/bench/synthetic_target.h"

namespace lapscope::bench {
namespace {

namespace fs = std::filesystem;

void check(const char* option, std::int64_t value, std::int64_t most) {
  if (value < 1 || value > most) {
    throw std::invalid_argument(std::string(option) + " must be from 1 to " + std::to_string(most) +
                                ", not " + std::to_string(value));
  }
}

void check(const TraceShape& shape) {
  check("OPS", shape.ops, 1'000'000'000);  // correlation ids have 32 bits
  check("--devices", shape.devices, 64);
  check("--streams", shape.streams, 1024);
  check("--threads (each drives a stream or more)", shape.threads, shape.devices * shape.streams);
}

}  // namespace

void generate_trace(const fs::path& path, const TraceShape& shape) {
  check(shape);
  if (fs::exists(path)) {
    throw fs::filesystem_error("generate_trace writes only new files", path,
                               std::make_error_code(std::errc::file_exists));
  }
  const fs::path unfinished = path.string() + ".part";
  trace::remove_files(unfinished);
  try {
    trace::TraceWriter trace(unfinished);
    write_target(trace, shape);
    Pipeline pipeline(trace, shape);
    pipeline.run();
    write_totals(trace, pipeline.totals());
    trace.finish();
  } catch (...) {
    trace::remove_files(unfinished);
    throw;
  }
  fs::rename(unfinished, path);
}

}  // namespace lapscope::bench
