#include "tests/bench/trace_cache.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/child_run.h"
#include "tests/bench/trace_generator.h"

namespace lapscope::bench {

namespace fs = std::filesystem;

fs::path cached_trace(const fs::path& folder, std::int64_t ops, const fs::path& generator) {
  fs::create_directories(folder);
  const fs::path path = folder / ("synthetic-v" + std::to_string(generator_version) + "-" +
                                  std::to_string(ops) + ".sqlite");
  if (!fs::exists(path)) {
    std::cerr << "generating " << path.string() << '\n';
    // A separate process generates the trace. If the benchmark generated the trace itself, Linux
    // would count the benchmark's memory as memory of each command that it starts later.
    run_child({generator.string(), std::to_string(ops), path.string()});
  }
  return path;
}

double read_through(const fs::path& path) {
  const auto begin = std::chrono::steady_clock::now();
  std::ifstream file;
  file.rdbuf()->pubsetbuf(nullptr, 0);
  file.open(path, std::ios::binary);
  std::vector<char> buffer(256 * 1024);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()))) continue;
  if (!file.eof()) throw std::runtime_error(path.string() + " cannot be read");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace lapscope::bench
