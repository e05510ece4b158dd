// Every way to scan, one rung after the other: see --help and README.md.

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <stdexcept>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/scan/bench/tables.h"
#include "workloads/scan/bench/torture.h"
#include "workloads/scan/bench/verify.h"
#include "workloads/scan/options.h"

namespace lapscope::workloads::scan {
namespace {

constexpr int patience_s = 30;

void for_each_rung(const Options& options, const std::function<void(const Rung&)>& use) {
  if (!options.rung.empty()) return use(find_rung(options.rung));
  for (const Rung* rung : rungs()) {
    if (rung->runs_here == nullptr || rung->runs_here()) use(*rung);
  }
}

void require_right(int wrong) {
  if (wrong > 0) throw std::runtime_error("wrong results, listed above");
}

void verify(const Options& options) {
  const Stream stream(StreamKind::non_blocking);
  prove_checks(stream.get());
  int wrong = 0;
  fmt::print("{:<26} {:>8} {:>8} {:>8}\n", "rung", "cases", "wrong", "skipped");
  for_each_rung(options, [&](const Rung& rung) {
    const Verdict verdict = verify_rung(rung, options.largest_n(), stream.get());
    wrong += verdict.wrong;
    fmt::print("{:<26} {:>8} {:>8} {:>8}\n", rung.name, verdict.cases, verdict.wrong,
               verdict.skipped);
    std::fflush(stdout);
  });
  require_right(wrong);
  fmt::print("verified: yes\n");
}

void torture_all(const Options& options, const DeviceInfo& device) {
  constexpr Combination combination{ElementType::u32, Operator::affine};
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
  if (options->task == Task::list) return print_list();
  const DeviceInfo device = open_device();
  switch (options->task) {
    case Task::lecture_table:
      return print_lecture_table(*options, device);
    case Task::modern_table:
      return print_modern_table(*options, device);
    case Task::verify:
      return verify(*options);
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
