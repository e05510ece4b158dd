// A scan of an array larger than its buffers on the GPU, in streams: see --help.

#include <iostream>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/report.h"
#include "workloads/scan/streamed/options.h"
#include "workloads/scan/streamed/streamed_scan.h"

namespace lapscope::workloads::scan {
namespace {

void run(int argc, char** argv) {
  const auto options = parse_streamed_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  StreamedScan scan(*options);
  const double wall_ms = scan.run();
  scan.verify();

  Report report;
  report.add("workload", "streamed_scan");
  report.add("variant", name_of(options->variant));
  report.add("device", device.name);
  report.add_count("n", static_cast<std::int64_t>(options->n));
  report.add_count("chunks", static_cast<std::int64_t>(scan.chunks()));
  report.add_count("streams", scan.streams());
  report.add_count("chunk_mib", options->chunk_mib);
  report.add_number("wall_ms", wall_ms);
  report.add("verified", "yes");
  std::cout << report;
}

}  // namespace
}  // namespace lapscope::workloads::scan

int main(int argc, char** argv) {
  return lapscope::workloads::guard("streamed_scan",
                                    [&] { lapscope::workloads::scan::run(argc, argv); });
}
