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
  report.add_count("streams", layout_of(options.variant, options.streams).streams);
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

void add_pace(Report& report, const TilePace& pace, const EngineTimes& engines) {
  const CopyTimes& copies = engines.copies;
  report.add_number("h2d_us", copies.h2d_us);
  report.add_number("d2h_us", copies.d2h_us);
  report.add_number("h2d_both_us", copies.h2d_both_us);
  report.add_number("d2h_both_us", copies.d2h_both_us);
  report.add_number("kernel_alone_us", engines.kernel_us);
  pace.report(report, engine_bound_us(copies.h2d_both_us, engines.kernel_us, copies.d2h_both_us));
}

}  // namespace lapscope::workloads
