#include "workloads/scan/bench/scan_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

#include "workloads/harness/guard.h"
#include "workloads/scan/bench/verify.h"

namespace lapscope::workloads::scan {
namespace {

constexpr const char* footer =
    "Examples:\n"
    "  scan_ladder\n"
    "  scan_ladder --rung contender --type u64 --n 2^28\n"
    "  scan_ladder --verify\n"
    "\n"
    "--rung cpu-sequential needs no GPU.\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or wrong result, 2 wrong command line, 77 no GPU or too "
    "little memory.";

constexpr std::uint64_t max_count = std::uint64_t{1} << 36;

std::uint64_t parse_digits(std::string_view text, bool& good) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  good = good && error == std::errc{} && stop == end;
  return value;
}

}  // namespace

std::vector<std::uint64_t> Options::sizes() const {
  if (n) return {*n};
  if (task == Task::verify) return awkward_sizes();
  std::vector<std::uint64_t> powers;
  for (int exponent = 10; exponent <= 30; exponent += 2) powers.push_back(1ULL << exponent);
  return powers;
}

std::vector<const Rung*> Options::chosen() const {
  if (rung != nullptr) return {rung};
  return {rungs().begin(), rungs().end()};
}

std::uint64_t parse_count(std::string_view option, std::string_view text) {
  bool good = true;
  std::uint64_t count = 0;
  if (text.starts_with("2^")) {
    const auto plus = text.find('+');
    const std::uint64_t exponent = parse_digits(text.substr(2, plus - 2), good);
    good = good && exponent <= 36;
    if (good) count = std::uint64_t{1} << exponent;
    if (plus != std::string_view::npos) count += parse_digits(text.substr(plus + 1), good);
  } else {
    count = parse_digits(text, good);
  }
  if (good && count <= max_count) return count;
  throw UsageError(std::string(option) +
                   " must be a number of elements up to 2^36, such as 1000000, 2^20 or 2^31+17, "
                   "not '" +
                   std::string(text) + "'");
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  bool list = false;
  bool verify = false;
  bool exclusive = false;
  std::string rung;
  std::string type(name_of(options.type));
  std::string n;

  CLI::App app(
      "Sums arrays in every way from one CPU core to a single-pass kernel, and prints how fast.",
      "scan_ladder");
  CLI::Option* const listed = app.add_flag("--list", list, "Print the rungs");
  app.add_flag("--verify", verify, "Time nothing: scan all awkward sizes of all types")
      ->excludes(listed);
  app.add_option("--rung", rung, "Only this one; --list prints the names");
  app.add_option("--type", type, "u32, u64 or f32")->capture_default_str();
  app.add_flag("--exclusive", exclusive, "Element i does not count for result i");
  app.add_option("--n", n, "Only this size: 1000000, 2^20, 2^31+17");
  app.add_option("--samples", options.samples, "Samples of each time; the median counts")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.footer(footer);

  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  options.task = list ? Task::list : verify ? Task::verify : Task::table;
  options.type = parse_type(type);
  options.kind = exclusive ? Kind::exclusive : Kind::inclusive;
  if (!rung.empty()) options.rung = &find_rung(rung);
  if (!n.empty()) options.n = parse_count("--n", n);
  if (options.n == 0 && !verify) throw UsageError("--n must be at least 1: nothing takes no time");
  if (options.rung != nullptr && options.n > options.rung->max_n) {
    throw UsageError("--rung " + rung + " scans " + std::to_string(options.rung->max_n) +
                     " elements at most");
  }
  return options;
}

}  // namespace lapscope::workloads::scan
