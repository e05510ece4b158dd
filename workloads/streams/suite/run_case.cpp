#include "workloads/streams/suite/run_case.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "workloads/harness/calibration.h"
#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"

namespace lapscope::workloads::streams {
namespace {

// The largest number of tile buffers that a pipeline and its calibration have on the device.
constexpr std::size_t most_buffers = 16;

}  // namespace

void set_environment(const Variant& variant) {
  for (const auto& [name, value] : variant.environment) setenv(name.c_str(), value.c_str(), 1);
}

Memory memory_needed(const Needs& needs, const Shape& shape) {
  const auto tiles = static_cast<std::size_t>(shape.tiles);
  const auto copies = static_cast<std::size_t>(needs.host_copies);
  return {(copies * tiles + 2 * calibration_tiles) * shape.tile_bytes() + memory_of_cuda,
          (tiles + most_buffers) * shape.tile_bytes() + tiles * needs.device_bytes_per_tile +
              memory_of_cuda};
}

void require_machine(const Needs& needs, const Shape& shape) {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus), "count the CUDA devices");
  if (gpus < needs.gpus) {
    throw SkippedError("this case needs " + std::to_string(needs.gpus) + " GPUs, and " +
                       std::to_string(gpus) + (gpus == 1 ? " is" : " are") + " visible");
  }
  require_memory(memory_needed(needs, shape), free_memory(needs.gpus),
                 "use fewer --tiles or a smaller --tile-mib");
}

namespace {

double run_once(Workload& workload, const std::string& range) {
  workload.clear();
  workload.arm();
  const MeasuredRegion region(range.c_str());
  return host_us([&] { workload.run(); }) / 1e3;
}

void add_parts(Report& report, const PartTimes& parts) {
  const std::pair<const char*, double> all[] = {
      {"h2d_us", parts.h2d_us},           {"d2h_us", parts.d2h_us},
      {"h2d_both_us", parts.h2d_both_us}, {"d2h_both_us", parts.d2h_both_us},
      {"kernel_us", parts.kernel_us},     {"other_us", parts.other_us},
      {"step_us", parts.step_us},         {"hand_over_us", parts.hand_over_us},
      {"launch_us", parts.launch_us},     {"round_trip_us", parts.round_trip_us},
      {"planted_us", parts.planted_us},
  };
  for (const auto& [key, us] : all) {
    if (us > 0) report.add_number(key, us);
  }
}

void add_expectation(Report& report, const Options& options, const PartTimes& parts) {
  const Expectation expected = options.variant->expect(parts, options.shape);
  report.add_number("expected_wall_ms", expected.wall_us / 1e3);
  report.add_number("expected_gpu_wall_ms", expected.of_gpu_us() / 1e3);
  report.add_number("expected_overlap", expected.overlap_ratio());
  report.add("cause", cause_codes(options.variant->causes));
}

}  // namespace

Report run_case(const Options& options, const DeviceInfo& device) {
  const Setting setting{options.shape, device, options.variant->name, options.chosen->name};
  const auto workload = options.chosen->make(setting);
  MeasuredRegion::prepare();
  const PartTimes parts = workload->calibrate();

  std::vector<double> walls;
  for (int i = 0; i < options.repeats; ++i) {
    walls.push_back(run_once(*workload, setting.range));
    workload->verify();
  }

  Report report;
  report.add("workload", "stream_suite");
  report.add("case", options.chosen->name);
  report.add("variant", options.variant->name);
  report.add("device", device.name);
  const Case& chosen = *options.chosen;
  if (!chosen.ignores("--tiles")) report.add_count("tiles", options.shape.tiles);
  if (!chosen.ignores("--tile-mib")) report.add_count("tile_mib", options.shape.tile_mib);
  add_parts(report, parts);
  add_expectation(report, options, parts);
  workload->report(report);
  report.add_count("repeats", options.repeats);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    report.add_number("run_" + std::to_string(i + 1) + "_wall_ms", walls[i]);
  }
  report.add_number("wall_ms", median(walls));
  report.add("verified", "yes");
  return report;
}

}  // namespace lapscope::workloads::streams
