#include "workloads/streams/streams_options.h"

#include <cuda_runtime_api.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/usual_runs.h"

namespace lapscope::workloads::streams {
namespace {

using Json = nlohmann::ordered_json;

std::string needs_text(const Needs& needs) {
  std::string text = needs.gpus > 1 ? std::to_string(needs.gpus) + " GPUs" : "";
  for (const std::string& library : needs.libraries) {
    text.append(text.empty() ? "" : ", ").append(library);
  }
  return text.empty() ? "-" : text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

Json planted_json(const Case& listed, const Variant& variant) {
  Json lines = Json::array();
  if (variant.name != "broken") return lines;
  for (const SourceLine& planted : planted_lines(listed.name)) {
    lines.push_back(planted.file + ":" + std::to_string(planted.line));
  }
  return lines;
}

Json variant_json(const Case& listed, const Variant& variant) {
  Json causes = Json::array();
  for (const Cause cause : variant.causes) causes.push_back(cause_code(cause));
  Json environment = Json::object();
  for (const auto& [name, value] : variant.environment) environment[name] = value;
  return {{"name", variant.name},
          {"causes", causes},
          {"planted", planted_json(listed, variant)},
          {"environment", environment},
          {"wall_tolerance", variant.wall_tolerance},
          {"sum_tolerance", variant.sum_tolerance}};
}

Json case_json(const Case& listed) {
  Json variants = Json::array();
  for (const Variant& variant : listed.variants) {
    variants.push_back(variant_json(listed, variant));
  }
  return {{"name", listed.name},
          {"wrong", listed.wrong},
          {"fix", listed.fix},
          {"gpus", listed.needs.gpus},
          {"libraries", listed.needs.libraries},
          {"once", listed.once},
          {"variants", variants}};
}

}  // namespace

void list_as_text(std::ostream& out, const std::vector<Case>& cases) {
  constexpr std::size_t name_width = 28;
  constexpr std::size_t variant_width = 18;
  constexpr std::size_t cause_width = 24;
  const auto line = [&](const std::string& name, const std::string& variant,
                        const std::string& cause, const std::string& needs) {
    out << padded(name, name_width) << padded(variant, variant_width) << padded(cause, cause_width)
        << needs << '\n';
  };
  line("case", "variant", "planted cause", "needs");
  for (const Case& listed : cases) {
    for (const Variant& variant : listed.variants) {
      line(listed.name, variant.name, cause_codes(variant.causes), needs_text(listed.needs));
    }
  }
}

void list_as_json(std::ostream& out, const std::vector<Case>& cases) {
  Json all = Json::array();
  for (const Case& listed : cases) all.push_back(case_json(listed));
  out << Json{{"schema", "lapscope-cases/1"},
              {"cuda", cuda_version_text(CUDART_VERSION)},
              {"cases", all}}
             .dump(2)
      << '\n';
}

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  stream_suite --list\n"
    "  stream_suite pageable-copy --variant broken\n"
    "  stream_suite pipeline --variant fixed --tiles 48 --tile-mib 16 --kernel-us 250\n"
    "  stream_suite sync-stream --kernel gemm,map --share half --bound each --repeats 4\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or wrong result, 2 wrong command line, 77 too few GPUs, too\n"
    "little memory or no GPU.";

// The command line before it is checked.
struct Raw {
  std::string chosen;
  std::string variant;
  bool list = false;
  std::string format = "text";
  Shape shape;
  int repeats = 1;
  std::vector<std::string> kernels;
  std::vector<std::string> shares{"all"};
  std::vector<std::string> bounds{"copies"};
  std::string works;
  std::vector<std::string> given;  // Options of the shape.

  bool has(const std::string& option) const {
    return std::find(given.begin(), given.end(), option) != given.end();
  }
};

void require_range(const std::string& option, double value, double low, double high) {
  if (value >= low && value <= high) return;
  const auto text = [](double number) { return std::to_string(static_cast<int>(number)); };
  throw UsageError(option + " must be from " + text(low) + " to " + text(high));
}

// Without a name, returns the first variant: the broken one if the case has a mistake.
const Variant& variant_of(const Case& chosen, const std::string& name) {
  return name.empty() ? chosen.variants.front() : find_variant(chosen, name);
}

// Returns the kernels that replace the case's own kernel. Returns none without --kernel.
std::vector<UsualChoice> checked_kernels(const Raw& raw, const Case& chosen) {
  if (raw.kernels.empty()) {
    for (const char* option : {"--share", "--bound", "--works"}) {
      if (raw.has(option)) {
        throw UsageError(std::string(option) + " is for other kernels: give --kernel, too");
      }
    }
    return {};
  }
  if (raw.has("--kernel-us")) {
    throw UsageError("--kernel takes no --kernel-us: --bound decides how long the kernel takes");
  }
  if (!chosen.takes_usual_kernels || chosen.once) {
    throw UsageError(chosen.name + " does not take --kernel: it needs the kernel that it has");
  }
  auto choices = usual_choices(raw.kernels, raw.shares, raw.bounds);
  if (raw.works.empty()) return choices;
  const auto works = read_works(raw.works);
  for (UsualChoice& choice : choices) {
    const auto place = works.find(choice.name());
    if (place != works.end()) choice.work = place->second;
  }
  return choices;
}

Options checked(const Raw& raw) {
  if (raw.chosen.empty()) {
    throw UsageError("name a case: stream_suite CASE --variant broken. --list shows all cases");
  }
  Options options;
  options.chosen = &find_case(raw.chosen);
  options.variant = &variant_of(*options.chosen, raw.variant);
  options.shape = raw.shape;
  options.repeats = raw.repeats;
  options.usual = checked_kernels(raw, *options.chosen);
  for (const std::string& option : raw.given) {
    if (!options.chosen->ignores(option)) continue;
    throw UsageError(raw.chosen + " does not take " + option + ": nothing in it would change");
  }
  if (!raw.has("--kernel-us")) options.shape.kernel_us = options.chosen->kernel_us;
  require_range("--tiles", options.shape.tiles, 4, options.chosen->most_tiles);
  require_range("--tile-mib", options.shape.tile_mib, 1, 256);
  require_range("--kernel-us", options.shape.kernel_us, 10, 100000);
  require_range("--repeats", options.repeats, 1, options.chosen->once ? 1 : 1000);
  return options;
}

void print_list(const Raw& raw) {
  const std::string& format = raw.format;
  if (!raw.chosen.empty() || !raw.variant.empty() || !raw.given.empty()) {
    throw UsageError("--list prints all cases: give it no case, and no option but --format");
  }
  if (format == "text") {
    list_as_text(std::cout, all_cases());
  } else if (format == "json") {
    list_as_json(std::cout, all_cases());
  } else {
    throw UsageError("--format must be text or json, not '" + format + "'");
  }
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv) {
  Raw raw;
  CLI::App app(
      "Programs whose streams fail to overlap for one reason each, and the same put right.",
      "stream_suite");
  app.add_option("CASE", raw.chosen, "The case to run: --list shows them");
  app.add_option("--variant", raw.variant,
                 "broken, fixed, control, or one that --list names [the first of the case]");
  app.add_flag("--list", raw.list, "Print the cases with their variants and causes");
  const auto* format =
      app.add_option("--format", raw.format, "Of the list: text or json")->capture_default_str();
  const CLI::Option* const of_shape[] = {
      app.add_option("--tiles", raw.shape.tiles,
                     "Number of tiles, kernels or rounds' worth of work")
          ->capture_default_str(),
      app.add_option("--tile-mib", raw.shape.tile_mib,
                     "Size of a tile in MiB; the host holds two to four copies of all tiles")
          ->capture_default_str(),
      app.add_option("--kernel-us", raw.shape.kernel_us,
                     "Length of the kernel of a tile in us [130 in most cases]"),
      app.add_option("--kernel", raw.kernels,
                     "Run the case with these kernels in place of its own, one after the other: "
                     "gemm, map, reduction, arithmetic, reads, or each")
          ->delimiter(','),
      app.add_option("--share", raw.shares,
                     "With blocks on so many multiprocessors: quarter, half, all, or each")
          ->delimiter(',')
          ->capture_default_str(),
      app.add_option("--bound", raw.bounds,
                     "Bound by copies, of which the kernel takes a quarter, or by compute, where "
                     "it takes three times as long: copies, compute, or each")
          ->delimiter(',')
          ->capture_default_str(),
      app.add_option("--works", raw.works,
                     "What a run with --kernel printed: do as much work, instead of deciding "
                     "again how much lasts as long")};
  app.add_option("--repeats", raw.repeats, "Runs in one process; record one")
      ->capture_default_str();
  app.footer(footer);

  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  for (const CLI::Option* option : of_shape) {
    if (option->count() > 0) raw.given.push_back(option->get_name());
  }
  if (raw.list) {
    print_list(raw);
    return std::nullopt;
  }
  if (format->count() > 0) throw UsageError("--format is for --list: a case prints text");
  return checked(raw);
}

}  // namespace lapscope::workloads::streams
