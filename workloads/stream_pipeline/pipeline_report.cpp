#include "workloads/stream_pipeline/pipeline_report.h"

#include <chrono>
#include <string>

namespace lapscope::workloads {

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

}  // namespace lapscope::workloads
