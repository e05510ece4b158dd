#include "cli/reading_options.h"

#include <filesystem>
#include <optional>
#include <string>

#include "analyzer/model/limits.h"
#include "cli/machine_memory.h"
#include "cli/number_checks.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::cli {
namespace {

namespace limits = analyzer::limits;

bool checks_large_files = false;
std::optional<std::int64_t> max_ops;

}  // namespace

void add_max_ops_option(CLI::App& command) {
  max_ops.reset();  // removes the value of an earlier command in this process
  command
      .add_option_function<double>(
          "--max-ops", [](double ops) { max_ops = static_cast<std::int64_t>(ops); },
          "Refuse files that need more memory than N ops, each with one call. Default: the number "
          "of ops that fit into the memory of this machine")
      ->check(from_to(1, 1e12))
      ->type_name("N");
}

void add_reading_options(CLI::App& command) {
  command.add_flag("--check", checks_large_files,
                   "Also check the database pages of traces larger than 100 MiB. This takes about "
                   "as long as reading the trace");
  add_max_ops_option(command);
}

bool is_checked(const std::string& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  return checks_large_files || bytes <= analyzer::limits::checked_bytes;
}

analyzer::RowLimit row_limit() {
  static const std::int64_t room = machine_memory() / limits::bytes_of_op;
  return {max_ops.value_or(room)};
}

std::size_t replay_limit() {
  const double share = static_cast<double>(limits::bytes_of_op) / limits::bytes_of_replayed_op;
  return static_cast<std::size_t>(static_cast<double>(row_limit().ops) * share);
}

void refuse_replay(const std::string& file, const analyzer::TooManyToReplay& error) {
  throw analyzer::UnreadableTrace(
      "'" + file + "' has too many ops to replay at once: " + std::to_string(error.ops) +
      " ops; --max-ops " + std::to_string(row_limit().ops) + " has memory for " +
      std::to_string(error.most) +
      ". Evaluate a smaller scope or a sample, or raise --max-ops if there is memory: about " +
      std::to_string(limits::bytes_of_replayed_op) + " bytes per op.");
}

}  // namespace lapscope::cli
