// A copy-compute-copy pipeline in CUDA streams, in four variants (see --help).

#include <iostream>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/guard.h"
#include "workloads/stream_pipeline/copy_compute_pipeline.h"
#include "workloads/stream_pipeline/pipeline_report.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

namespace lapscope::workloads {
namespace {

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  require_memory(memory_needed(*options), free_memory(1),
                 "use fewer --tiles or a smaller --tile-mib");
  Pipeline pipeline(*options, device);
  const KernelPlan plan = pipeline.calibrate(options->kernel_us);

  std::vector<PipelineRun> runs;
  std::vector<EngineTimes> engines;
  for (int i = 0; i < options->repeats; ++i) {
    if (i > 0) pipeline.clear();
    runs.push_back(pipeline.run(plan.iterations));
    pipeline.verify(plan.iterations);
    if (options->engine_bound) engines.push_back(pipeline.measure_pace(plan.iterations));
  }
  Report report = report_pipeline(*options, device, plan, runs);
  if (options->engine_bound) add_pace(report, *pipeline.pace(), engines);
  report.add("verified", "yes");
  std::cout << report;
}

}  // namespace
}  // namespace lapscope::workloads

int main(int argc, char** argv) {
  return lapscope::workloads::guard("stream_pipeline",
                                    [&] { lapscope::workloads::run(argc, argv); });
}
