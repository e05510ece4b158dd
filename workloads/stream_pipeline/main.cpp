#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/workload_report.h"
#include "workloads/stream_pipeline/copy_compute_pipeline.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

// A copy-compute-copy pipeline in CUDA streams, in four variants (see --help).

namespace lapscope::workloads {
namespace {

// Returns the report of one or more verified runs. README.md explains each line.
Report report_pipeline(const Options& options, const DeviceInfo& device, const KernelPlan& plan,
                       const std::vector<PipelineRun>& runs) {
  const std::chrono::duration<double, std::micro> calibration = runs.front().begin - plan.begin;
  Report report;
  report.add("workload", "stream_pipeline");
  report.add("variant", variant_name(options.variant));
  report.add("device", device.name);
  report.add_count("tiles", options.tiles);
  const StreamLayout layout = layout_of(options.variant, options.buffers);
  report.add_count("buffers", layout.buffers);
  report.add_count("streams", layout.streams());
  report.add_count("tile_mib", options.tile_mib);
  report.add_number("kernel_us", plan.kernel_us);
  report.add_count("kernel_iterations", plan.iterations);
  report.add_number("calibration_us", calibration.count());
  report.add_count("repeats", options.repeats);

  std::vector<double> walls;
  for (const PipelineRun& run : runs) {
    walls.push_back(run.wall_ms);
    report.add_number("run_" + std::to_string(walls.size()) + "_wall_ms", run.wall_ms);
  }
  report.add_number("wall_ms", median(walls));
  return report;
}

// Adds the lines of --engine-bound: medians of the engines' times, measured after each run.
void add_pace(Report& report, const TilePace& pace, const std::vector<EngineTimes>& engines) {
  const auto add = [&](const char* key, auto us_of) {
    std::vector<double> us;
    for (const EngineTimes& each : engines) us.push_back(us_of(each));
    report.add_number(key, median(us));
  };
  add("h2d_us", [](const EngineTimes& each) { return each.copies.h2d_us; });
  add("d2h_us", [](const EngineTimes& each) { return each.copies.d2h_us; });
  add("h2d_both_us", [](const EngineTimes& each) { return each.copies.h2d_both_us; });
  add("d2h_both_us", [](const EngineTimes& each) { return each.copies.d2h_both_us; });
  add("kernel_alone_us", [](const EngineTimes& each) { return each.kernel_us; });
  pace.report(report);
}

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
