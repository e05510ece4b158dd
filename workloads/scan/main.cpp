// Every way to scan, one rung after the other: see --help and README.md.

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/scan/bench/prove.h"
#include "workloads/scan/bench/tables.h"
#include "workloads/scan/bench/torture.h"
#include "workloads/scan/bench/verify.h"
#include "workloads/scan/options.h"

namespace lapscope::workloads::scan {
namespace {

constexpr int patience_s = 30;

void for_each_rung(const Options& options, const std::function<void(const Rung&)>& use) {
  if (!options.rung.empty()) {
    const Rung& rung = find_rung(options.rung);
    require_runs_here(rung);
    return use(rung);
  }
  for (const Rung* rung : rungs()) {
    if (rung->runs_here == nullptr || rung->runs_here()) use(*rung);
  }
}

void require_right(int wrong) {
  if (wrong > 0) throw std::runtime_error("wrong results, listed above");
}

bool is_on_cpu(const Options& options) {
  return !options.rung.empty() && find_rung(options.rung).on_cpu;
}

void verify(const Options& options, cudaStream_t stream) {
  const auto only = options.one_combination ? std::optional(options.combination()) : std::nullopt;
  Verdict all;
  fmt::print("{:<26} {:>8} {:>8} {:>8}\n", "rung", "cases", "wrong", "skipped");
  for_each_rung(options, [&](const Rung& rung) {
    const Verdict verdict = verify_rung(rung, {options.min_n, options.largest_n()}, only, stream);
    all.cases += verdict.cases;
    all.wrong += verdict.wrong;
    all.skipped += verdict.skipped;
    fmt::print("{:<26} {:>8} {:>8} {:>8}\n", rung.name, verdict.cases, verdict.wrong,
               verdict.skipped);
    std::fflush(stdout);
  });
  require_right(all.wrong);
  if (all.cases == 0 && all.skipped > 0) {
    throw SkippedError("there is too little memory for every case; give a smaller --max-n");
  }
  if (all.cases == 0) {
    throw UsageError("no rung has a case of this --type, --op, --min-n and --max-n");
  }
  fmt::print("verified: yes\n");
}

void verify_on_cpu(const Options& options) {
  prove_host_checks();
  verify(options, nullptr);
}

void verify_all(const Options& options) {
  const Stream stream(StreamKind::non_blocking);
  prove_host_checks();
  prove_device_checks(options.largest_n(), stream.get());
  verify(options, stream.get());
}

void torture_all(const Options& options, const DeviceInfo& device) {
  constexpr Combination combination{ElementType::u32, Operator::affine};
  if (!options.rung.empty() && !find_rung(options.rung).single_pass) {
    throw UsageError("--torture is of single-pass rungs, and " + options.rung + " is none");
  }
  int wrong = 0;
  fmt::print("{:<26} {:>8} {:>12} {:>8}\n", "rung", "scans", "occupations", "wrong");
  for_each_rung(options, [&](const Rung& rung) {
    if (!rung.single_pass) return;
    const TortureResult result =
        torture(rung, combination, options.repetitions(), patience_s, device);
    wrong += result.wrong;
    fmt::print("{:<26} {:>8} {:>12} {:>8}\n", rung.name, result.scans, result.occupations,
               result.wrong);
    std::fflush(stdout);
  });
  require_right(wrong);
  fmt::print("verified: yes\n");
}

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  if (!options->rung.empty()) find_rung(options->rung);
  if (options->task == Task::list) return print_list(*options);
  if (is_on_cpu(*options)) {
    if (options->task == Task::verify) return verify_on_cpu(*options);
    if (options->task == Task::scan) return print_cpu_scan(*options);
    require_gpu_rung(*options);
  }
  const DeviceInfo device = open_device();
  switch (options->task) {
    case Task::lecture_table:
      return print_lecture_table(*options, device);
    case Task::modern_table:
      return print_modern_table(*options, device);
    case Task::verify:
      return verify_all(*options);
    case Task::torture:
      return torture_all(*options, device);
    default:
      return print_scan(*options, device);
  }
}

}  // namespace
}  // namespace lapscope::workloads::scan

int main(int argc, char** argv) {
  return lapscope::workloads::guard("scan_ladder",
                                    [&] { lapscope::workloads::scan::run(argc, argv); });
}
