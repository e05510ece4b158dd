#include "workloads/scan/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

#include "workloads/harness/command_line.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads::scan {
namespace {

constexpr const char* footer =
    "Without --list, --table, --verify or --torture one rung scans --n elements and is verified.\n"
    "\n"
    "Examples:\n"
    "  scan_ladder --list\n"
    "  scan_ladder --rung look-back-warp --type u64 --n 2^28\n"
    "  scan_ladder --table modern --max-n 2^26\n"
    "\n"
    "Rungs of the CPU (cpu-*) need no GPU.\n"
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

Task parse_table(std::string_view name) {
  if (name == "lecture") return Task::lecture_table;
  if (name == "modern") return Task::modern_table;
  throw UsageError("--table must be lecture or modern, not '" + std::string(name) + "'");
}

void require_a_row(const Options& options, Task table, std::uint64_t begins) {
  if (options.task != table || options.largest_n() >= begins) return;
  throw UsageError("--max-n must be at least " + std::to_string(begins) +
                   ", the smallest size of this table");
}

// What the command line says about the task; at most one may be asked for.
struct Asked {
  bool list = false;
  std::string table;
  bool verify = false;
  bool torture = false;
};

Task task_of(const Asked& asked) {
  const int tasks =
      int{asked.list} + int{!asked.table.empty()} + int{asked.verify} + int{asked.torture};
  if (tasks > 1) throw UsageError("give only one of --list, --table, --verify and --torture");
  if (asked.list) return Task::list;
  if (!asked.table.empty()) return parse_table(asked.table);
  if (asked.verify) return Task::verify;
  return asked.torture ? Task::torture : Task::scan;
}

}  // namespace

Combination Options::combination() const {
  const ElementType other = task == Task::lecture_table ? ElementType::f32 : ElementType::u32;
  return {type.value_or(other), op};
}

std::uint64_t Options::largest_n() const {
  if (max_n != 0) return max_n;
  switch (task) {
    case Task::lecture_table:
      return std::uint64_t{1} << 24;
    case Task::modern_table:
      return std::uint64_t{1} << 30;
    default:
      return 10'000'000;
  }
}

int Options::repetitions() const {
  if (repeats != 0) return repeats;
  return task == Task::torture ? 10'000 : 11;
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
  Asked asked;
  std::string type;
  std::string op;
  std::string n = "2^24";
  std::string min_n;
  std::string max_n;
  bool inclusive = false;
  bool exclusive = false;

  CLI::App app("Scans arrays in every way from one CPU core to a tuned single-pass kernel.",
               "scan_ladder");
  app.add_flag("--list", asked.list, "Print the rungs: traffic, ceiling, what each changes");
  app.add_option("--table", asked.table,
                 "lecture: CPU and GPU times, 2^10 to 2^24; modern: GB/s and share of a copy, 2^16 "
                 "to 2^30");
  app.add_flag("--verify", asked.verify,
               "Run the correctness matrix; of one --type and --op if given");
  app.add_flag("--torture", asked.torture,
               "Repeat single-pass scans beside a kernel that takes most of the GPU");
  app.add_option("--rung", options.rung, "Only this one; --list prints the names");
  app.add_option("--type", type, "u8 (summed as u32), i32, u32, u64 or f32");
  app.add_option("--op", op, "sum (default), max, or affine (u32, u64): not commutative");
  app.add_option("--n", n, "Elements of one scan, and for --list: 1000000, 2^20, 2^31+17")
      ->capture_default_str();
  app.add_option("--min-n", min_n, "Smallest size of --verify");
  app.add_option("--max-n", max_n, "Largest size of --table and --verify");
  app.add_option("--factor", options.factor, "From size to size of --table modern: 2 or 4")
      ->check(CLI::IsMember({2, 4}))
      ->capture_default_str();
  app.add_flag("--inclusive", inclusive, "Element i counts for result i (default)");
  app.add_flag("--exclusive", exclusive, "It does not");
  app.add_option("--repeats", options.repeats, "Samples of one scan, scans of --torture")
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("--seconds", options.max_seconds, "Longest time for one figure of a table")
      ->check(CLI::Range(0.01, 60.0))
      ->capture_default_str();
  app.footer(footer);

  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  if (inclusive && exclusive) throw UsageError("give only one of --inclusive and --exclusive");
  options.task = task_of(asked);
  options.kind = exclusive ? Kind::exclusive : Kind::inclusive;
  if (!type.empty()) options.type = parse_type(type);
  if (!op.empty()) options.op = parse_operator(op);
  options.one_combination = !type.empty() || !op.empty();
  options.n = parse_count("--n", n);
  if (!min_n.empty()) options.min_n = parse_count("--min-n", min_n);
  if (!max_n.empty()) options.max_n = parse_count("--max-n", max_n);
  require_a_row(options, Task::lecture_table, lecture_begins);
  require_a_row(options, Task::modern_table, modern_begins);
  validate(options.combination());
  return options;
}

}  // namespace lapscope::workloads::scan
