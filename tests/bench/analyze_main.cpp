#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/rounds.h"
#include "tests/bench/summary.h"
#include "tests/bench/trace_cache.h"

// Compares the time of `lapscope analyze` with the time of a plain SQLite scan of the same columns.
namespace lapscope::bench {
namespace {

struct Options {
  std::string lapscope = LAPSCOPE_COMMAND;
  std::string cache = LAPSCOPE_BENCH_TRACES;
  std::vector<std::int64_t> ops{100'000, 1'000'000, 10'000'000};
  bool causes = false;
};

// Runs `analyze`. An inconclusive result is no failure, because the traces are synthetic.
Run run_analysis(const Rounds::Command& command) {
  const auto run = run_unless_refused(command);
  if (!run) throw std::runtime_error("'" + command.front() + "' refused the trace");
  return *run;
}

enum Command : std::size_t { analyze, scan };

// Measures with a trace of one size, which is made at its first use. Sizes that --benchmark_filter
// excludes therefore cost nothing.
class Size {
 public:
  Size(const Options& options, std::int64_t ops) : options_(options) { measured_.ops = ops; }

  void measure(Command command, benchmark::State& state) {
    try {
      if (!rounds_) prepare();
      for (auto iteration : state) report(command, rounds_->next(command), state);
    } catch (const std::exception& error) {
      failed_ = true;
      state.SkipWithError(error.what());
    }
  }

  bool failed() const { return failed_; }
  // Returns nothing if nothing was measured.
  std::optional<SizeRuns> measured() const {
    if (!rounds_ || rounds_->runs(analyze).empty()) return std::nullopt;
    SizeRuns result = measured_;
    result.analyze = rounds_->runs(analyze);
    result.scan = rounds_->runs(scan);
    return result;
  }

 private:
  void prepare() {
    const auto empty = cached_trace(options_.cache, 1, LAPSCOPE_GENERATE_TRACE);
    const auto trace = cached_trace(options_.cache, measured_.ops, LAPSCOPE_GENERATE_TRACE);
    measured_.file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(trace));
    read_through(trace);  // fills the page cache equally for all commands
    measured_.read_s = read_through(trace);
    const auto analysis = [this](const std::string& of) {
      Rounds::Command command{options_.lapscope, "analyze", of};
      if (!options_.causes) command.push_back("--no-causes");
      return command;
    };
    measured_.empty_rss = run_analysis(analysis(empty)).peak_rss;
    if (measured_.empty_rss <= own_peak_rss()) {
      std::cerr << "The benchmark itself has needed as much memory as `analyze` on an empty trace: "
                   "bytes/op is too low.\n";
    }
    rounds_.emplace(std::vector<Rounds::Command>{analysis(trace), {LAPSCOPE_SQLITE_SCAN, trace}},
                    run_analysis);
  }

  void report(Command command, const Run& run, benchmark::State& state) const {
    const auto ops = static_cast<double>(measured_.ops);
    state.SetIterationTime(run.wall_s);
    state.counters["ns/op"] = 1e9 * run.wall_s / ops;
    state.counters["cpu_ns/op"] = 1e9 * run.cpu_s / ops;
    state.counters["peak_MiB"] = static_cast<double>(run.peak_rss) / (1024 * 1024);
    if (command == scan) return;  // its memory does not grow with the ops
    state.counters["bytes/op"] = static_cast<double>(run.peak_rss - measured_.empty_rss) / ops;
  }

  const Options& options_;
  SizeRuns measured_;
  std::optional<Rounds> rounds_;
  bool failed_ = false;
};

void add(const std::string& name, Command command, std::int64_t ops, Size& size) {
  benchmark::RegisterBenchmark(
      (name + "/" + std::to_string(ops)).c_str(),
      [command, &size](benchmark::State& state) { size.measure(command, state); })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->ComputeStatistics("min",
                          [](const std::vector<double>& values) {
                            return *std::min_element(values.begin(), values.end());
                          })
      ->ComputeStatistics("max", [](const std::vector<double>& values) {
        return *std::max_element(values.begin(), values.end());
      });
}

// Returns the exit status: 0 measured, 1 something failed, 2 usage.
int run(const Options& options, std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (benchmark::ReportUnrecognizedArguments(argc, argv.data())) return 2;

  std::list<Size> sizes;
  for (const std::int64_t ops : options.ops) {
    Size& size = sizes.emplace_back(options, ops);
    add("analyze", analyze, ops, size);
    add("sqlite_scan", scan, ops, size);
  }
  benchmark::RunSpecifiedBenchmarks();
  std::vector<SizeRuns> measured;
  for (const Size& size : sizes) {
    if (auto runs = size.measured()) measured.push_back(std::move(*runs));
  }
  if (!measured.empty()) {
    print_summary(measured, options.causes ? with_causes : without_causes, std::cout);
  }
  return std::ranges::any_of(sizes, &Size::failed) ? 1 : 0;
}

}  // namespace
}  // namespace lapscope::bench

int main(int argc, char** argv) {
  lapscope::bench::Options options;
  CLI::App app(
      "Measures `lapscope analyze` against a plain SQLite scan of the same columns, in turns.",
      "analyze");
  app.add_option("--ops", options.ops, "Sizes of the traces, from small to large")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1'000}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  app.add_option("--cache", options.cache, "Folder in which generated traces are kept")
      ->capture_default_str();
  app.add_option("--lapscope", options.lapscope, "The command to measure")->capture_default_str();
  app.add_flag("--causes", options.causes, "Measure the analysis with causes");
  app.footer(
      "Options of Google Benchmark are taken too: --benchmark_filter=REGEX,\n"
      "--benchmark_repetitions=N (5 unless given), --benchmark_out=FILE.");
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::vector<std::string> arguments{argv[0], "--benchmark_repetitions=5",
                                     "--benchmark_display_aggregates_only=true"};
  const std::vector<std::string> extras = app.remaining();
  arguments.insert(arguments.end(), extras.begin(), extras.end());
  return lapscope::bench::run(options, std::move(arguments));
}
