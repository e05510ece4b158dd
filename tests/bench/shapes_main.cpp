#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/child_run.h"
#include "tests/bench/shapes.h"
#include "tests/bench/summary.h"

// Measures time and memory of `lapscope analyze`, or of another command, with larger and larger
// traces of each shape.
namespace lapscope::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string lapscope = LAPSCOPE_COMMAND;
  std::string folder = LAPSCOPE_BENCH_SHAPES;
  std::vector<std::int64_t> rows{10'000, 100'000, 1'000'000};
  std::vector<std::string> only;
  std::vector<std::string> words{"analyze"};
  double most_seconds = 600;
};

// Writes the trace in a separate process. If this process wrote the trace, it would need more
// memory, and Linux would count this memory as memory of each command that it starts later.
void write_apart(const fs::path& path, const Shape& shape, std::int64_t rows) {
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) {
    try {
      write_shape(path, shape, rows);
      ::_exit(0);
    } catch (const std::exception& error) {
      std::cerr << "shapes: " << error.what() << ".\n";
      ::_exit(1);
    }
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + std::strerror(errno));
  }
  if (status != 0) throw std::runtime_error("'" + path.string() + "' could not be written");
}

std::optional<Run> measure(const Options& options, const Shape& shape, std::int64_t rows) {
  const fs::path path = fs::path(options.folder) / (std::string(shape.name) + ".sqlite");
  write_apart(path, shape, rows);
  std::vector<std::string> command{options.lapscope};
  command.insert(command.end(), options.words.begin(), options.words.end());
  command.insert(command.end(), shape.options.begin(), shape.options.end());
  command.push_back(path);
  // Status 4: the trace is too large. Status 3: inconclusive.
  std::optional<Run> run = run_unless_refused(command);
  fs::remove(path);
  return run;
}

void measure(const Options& options, const Shape& shape) {
  std::optional<Run> before;
  std::int64_t rows_before = 0;
  for (const std::int64_t rows : options.rows) {
    const std::optional<Run> run = measure(options, shape, rows);
    std::string line = fmt::format("{:<20}{:>9} {:<18}", shape.name, rows, shape.rows);
    if (!run) {
      std::cout << line << " refused\n" << std::flush;
      return;
    }
    line += fmt::format(" {:>8.2f} s {:>9.1f} MiB", run->cpu_s,
                        static_cast<double>(run->peak_rss) / (1 << 20));
    if (before) {
      const auto exponent = [&](double was, double is) {
        return growth_exponent(static_cast<double>(rows_before), was, static_cast<double>(rows),
                               is);
      };
      line += fmt::format(
          "   time^{:.2f} memory^{:.2f}", exponent(before->cpu_s, run->cpu_s),
          exponent(static_cast<double>(before->peak_rss), static_cast<double>(run->peak_rss)));
    }
    std::cout << line << '\n' << std::flush;
    before = run;
    rows_before = rows;
    if (run->wall_s > options.most_seconds) return;
  }
}

}  // namespace
}  // namespace lapscope::bench

int main(int argc, char** argv) {
  using namespace lapscope::bench;
  Options options;
  CLI::App app("How the time and memory of `lapscope analyze` grow with traces of a few shapes.",
               "shapes");
  app.add_option("--rows", options.rows, "Sizes")->delimiter(',')->capture_default_str();
  app.add_option("--shape", options.only, "These shapes only");
  app.add_option("--folder", options.folder, "Where a trace is written")->capture_default_str();
  app.add_option("--command", options.words, "What is run, as gate,--min-overlap,0")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--lapscope", options.lapscope, "The command to measure")->capture_default_str();
  app.add_option("--most-seconds", options.most_seconds,
                 "Measures no larger size of a shape once one took longer")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    std::filesystem::create_directories(options.folder);
    for (const Shape& shape : shapes()) {
      const bool is_asked =
          options.only.empty() ||
          std::find(options.only.begin(), options.only.end(), shape.name) != options.only.end();
      if (is_asked) measure(options, shape);
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "shapes: " << error.what() << ".\n";
    return 1;
  }
  return 0;
}
