#include "workloads/streams/suite/usual_runs.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"

namespace lapscope::workloads::streams {

std::string UsualChoice::name() const {
  std::ostringstream text;
  text << name_of(kind) << '-' << name_of(share) << '-' << name_of(bound);
  return text.str();
}

namespace {

constexpr std::string_view each = "each";
constexpr std::string_view work_suffix = "_work";

// Returns the values of `all` that have these names. Throws UsageError for an unknown name.
template <typename All>
auto named(const std::string& option, const std::vector<std::string>& names, const All& all) {
  std::vector<typename All::value_type> found;
  for (const std::string& name : names) {
    const auto matches = [&](auto value) { return name == each || name_of(value) == name; };
    if (std::ranges::none_of(all, matches)) {
      std::string valid(each);
      for (const auto value : all) valid.append(", ").append(name_of(value));
      throw UsageError(option + " takes a list of these: " + valid + "; not '" + name + "'");
    }
    std::ranges::copy_if(all, std::back_inserter(found), matches);
  }
  return found;
}

}  // namespace

std::vector<UsualChoice> usual_choices(const std::vector<std::string>& kernels,
                                       const std::vector<std::string>& shares,
                                       const std::vector<std::string>& bounds) {
  std::vector<UsualChoice> choices;
  for (const UsualKind kind : named("--kernel", kernels, all_usual_kinds)) {
    for (const GpuShare share : named("--share", shares, all_gpu_shares)) {
      for (const Bound bound : named("--bound", bounds, all_bounds)) {
        choices.push_back({kind, share, bound});
      }
    }
  }
  return choices;
}

std::map<std::string, std::uint32_t> read_works(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("--works: cannot read " + path);
  std::map<std::string, std::uint32_t> works;
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    const std::string key = line.substr(0, colon);
    if (colon == std::string::npos || !key.ends_with(work_suffix)) continue;
    std::istringstream value(line.substr(colon + 2));
    std::uint32_t work = 0;
    if (!(value >> work) || work == 0) {
      throw UsageError("--works: " + path + " has no amount of work in the line '" + line + "'");
    }
    works[key.substr(0, key.size() - work_suffix.size())] = work;
  }
  if (works.empty()) {
    throw UsageError("--works: " + path +
                     " has no amounts of work; it should be what a run with "
                     "--kernel printed");
  }
  return works;
}

namespace {

double wall_ms(Workload& workload, const std::string& range) {
  workload.arm();
  const MeasuredRegion region(range.c_str());
  return host_us([&] { workload.run(); }) / 1e3;
}

// Verifies only the last run, so that all runs follow each other without a pause.
void run_one(const Options& options, const DeviceInfo& device, const UsualChoice& choice,
             std::ostream& out) {
  const std::string range = options.chosen->name + " " + choice.name();
  const auto workload =
      options.chosen->make({options.shape, device, options.variant->name, range, choice});
  const PartTimes parts = workload->calibrate();
  workload->clear();
  std::ostringstream walls;
  walls << std::fixed << std::setprecision(3);
  for (int i = 0; i < options.repeats; ++i) {
    walls << (i == 0 ? "" : " ") << wall_ms(*workload, range);
  }
  workload->verify();
  Report report;
  workload->report(report);
  report.add_number(choice.name() + "_kernel_us", parts.kernel_us);
  report.add(choice.name() + "_wall_ms", walls.str());
  out << report << std::flush;
}

}  // namespace

void run_usual(const Options& options, const DeviceInfo& device, std::ostream& out) {
  MeasuredRegion::prepare();
  Report head;
  head.add("workload", "stream_suite");
  head.add("case", options.chosen->name);
  head.add("variant", options.variant->name);
  head.add("device", device.name);
  head.add_count("tiles", options.shape.tiles);
  head.add_count("tile_mib", options.shape.tile_mib);
  head.add_count("repeats", options.repeats);
  out << head << std::flush;
  std::string failed;
  std::string skipped;
  for (const UsualChoice& choice : options.usual) {
    try {
      run_one(options, device, choice, out);
    } catch (const SkippedError& error) {
      skipped = error.what();
      out << choice.name() << "_skipped: " << skipped << '\n' << std::flush;
    } catch (const std::exception& error) {
      failed = choice.name() + ": " + error.what();
      out << choice.name() << "_failed: " << error.what() << '\n' << std::flush;
    }
  }
  if (!failed.empty()) throw std::runtime_error(failed);
  if (!skipped.empty() && options.usual.size() == 1) throw SkippedError(skipped);
  out << "verified: yes\n";
}

}  // namespace lapscope::workloads::streams
