// Programs in which a mistake prevents overlap of streams, and the same programs without the
// mistake (see --help).

#include <iostream>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/run_case.h"
#include "workloads/streams/suite/usual_runs.h"

namespace lapscope::workloads::streams {
namespace {

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  set_environment(*options->variant);
  const DeviceInfo device = open_device();
  require_machine(options->chosen->needs, options->shape);
  if (options->usual.empty()) {
    std::cout << run_case(*options, device);
  } else {
    run_usual(*options, device, std::cout);
  }
}

}  // namespace
}  // namespace lapscope::workloads::streams

int main(int argc, char** argv) {
  return lapscope::workloads::guard("stream_suite",
                                    [&] { lapscope::workloads::streams::run(argc, argv); });
}
