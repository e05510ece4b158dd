#include "workloads/side_by_side/side_by_side_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "workloads/harness/guard.h"

namespace lapscope::workloads::side_by_side {
namespace {

constexpr const char* footer =
    "Examples:\n"
    "  side_by_side\n"
    "  side_by_side --kernel map,reads --share half --at-once 1,2 --format json\n"
    "  lapscope record -o t.sqlite -- side_by_side --form apart --repeats 1 --works table.json\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or wrong result, 2 wrong command line, 77 no GPU.";

constexpr int most_at_once = 32;

struct Raw {
  std::vector<std::string> kernels{"each"};
  std::vector<std::string> shares{"each"};
  std::string form = "table";
  std::string format = "text";
  std::string works;
  bool no_copies = false;
};

template <typename All>
std::vector<typename All::value_type> named(const std::string& option,
                                            const std::vector<std::string>& names, const All& all) {
  std::vector<typename All::value_type> found;
  for (const std::string& name : names) {
    const auto matches = [&](auto value) {
      return name == "each" || workloads::name_of(value) == name;
    };
    if (std::ranges::none_of(all, matches)) {
      std::string valid = "each";
      for (const auto value : all) valid.append(", ").append(workloads::name_of(value));
      throw UsageError(option + " takes a list of these: " + valid + "; not '" + name + "'");
    }
    std::ranges::copy_if(all, std::back_inserter(found), matches);
  }
  return found;
}

Form form_of(const std::string& name) {
  if (name == "table") return Form::table;
  if (name == "together") return Form::together;
  if (name == "apart") return Form::apart;
  throw UsageError("--form must be table, together or apart, not '" + name + "'");
}

std::map<std::string, std::uint32_t> read_works(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("--works: cannot read " + path);
  const auto table = nlohmann::json::parse(file, nullptr, false);
  std::map<std::string, std::uint32_t> works;
  if (table.is_object() && table.contains("kernels")) {
    for (const auto& row : table["kernels"]) works[row.value("name", "")] = row.value("work", 0U);
  }
  if (works.empty()) {
    throw UsageError("--works: " + path + " is not what side_by_side --format json printed");
  }
  return works;
}

Options checked(Options options, const Raw& raw) {
  options.kinds = named("--kernel", raw.kernels, all_usual_kinds);
  options.shares = named("--share", raw.shares, all_gpu_shares);
  options.form = form_of(raw.form);
  options.copies = !raw.no_copies;
  if (raw.format != "text" && raw.format != "json") {
    throw UsageError("--format must be text or json, not '" + raw.format + "'");
  }
  options.json = raw.format == "json";
  for (const int count : options.at_once) {
    if (count < 1 || count > most_at_once) {
      throw UsageError("--at-once takes numbers from 1 to " + std::to_string(most_at_once));
    }
  }
  if (options.repeats < 1 || options.repeats > 1000) {
    throw UsageError("--repeats must be from 1 to 1000");
  }
  if (!(options.us >= 20 && options.us <= 100000)) {
    throw UsageError("--us must be from 20 to 100000");
  }
  if (!raw.works.empty()) options.works = read_works(raw.works);
  return options;
}

}  // namespace

std::string name_of(UsualKind kind, GpuShare share) {
  return std::string(workloads::name_of(kind)) + "-" + std::string(workloads::name_of(share));
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  Raw raw;
  CLI::App app("What equal kernels in streams of their own take together, against one alone.",
               "side_by_side");
  app.add_option("--kernel", raw.kernels, "gemm, map, reduction, arithmetic, reads, or each")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--share", raw.shares,
                 "With blocks on so many multiprocessors: quarter, half, all, or each")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--at-once", options.at_once, "How many kernels")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--form", raw.form,
                 "table: queued before the first may start; together: issued as fast as the host "
                 "can; apart: the host waits after each")
      ->capture_default_str();
  app.add_flag("--seen", options.seen,
               "First launch each kernel three times alone and three times beside its own");
  app.add_flag("--no-copies", raw.no_copies, "Leave out kernels beside copies in both directions");
  app.add_option("--us", options.us, "Wanted length of a kernel alone")->capture_default_str();
  app.add_option(
      "--works", raw.works,
      "What a run with --format json printed: do as much work, instead of deciding again "
      "how much lasts as long");
  app.add_option("--repeats", options.repeats, "Runs of each, after one that does not count")
      ->capture_default_str();
  app.add_option("--format", raw.format, "text or json")->capture_default_str();
  app.footer(footer);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  return checked(std::move(options), raw);
}

}  // namespace lapscope::workloads::side_by_side
