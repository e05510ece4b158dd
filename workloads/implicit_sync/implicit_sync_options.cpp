#include "workloads/implicit_sync/implicit_sync_options.h"

#include <CLI/CLI.hpp>

#include "workloads/harness/guard.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr int max_repeats = 100;

constexpr const char* footer =
    "CALL is a line of --list, or a function: all its lines.\n"
    "\n"
    "Example:\n"
    "  implicit_sync cudaFree cudaMemcpy --repeats 9\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or a control came out wrong, 2 wrong command line, 77 no "
    "GPU, or\n"
    "no CALL that this machine can make.";

Format parse_format(const std::string& name) {
  if (name == "text") return Format::text;
  if (name == "json") return Format::json;
  throw UsageError("--format must be one of text, json, not '" + name + "'");
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  std::string format = "text";
  CLI::App app(
      "Measures whether CUDA calls block the host, wait for the device, or keep kernels of two "
      "streams "
      "from running together.",
      "implicit_sync");
  app.add_option("CALL", options.calls, "The calls to measure; without, all");
  app.add_flag("--list", options.list,
               "Prints the calls and what is said about them; needs no GPU");
  app.add_option("--format", format, "text or json")->capture_default_str();
  app.add_option("--repeats", options.repeats, "How often each experiment is made")
      ->capture_default_str();
  app.footer(footer);

  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  options.format = parse_format(format);
  if (options.repeats < 1 || options.repeats > max_repeats) {
    throw UsageError("--repeats must be from 1 to " + std::to_string(max_repeats));
  }
  return options;
}

}  // namespace lapscope::workloads::implicit_sync
