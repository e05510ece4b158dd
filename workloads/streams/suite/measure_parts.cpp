#include "workloads/streams/suite/measure_parts.h"

#include <algorithm>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/report.h"
#include "workloads/harness/stamp_kernel.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads::streams {
namespace {

void keep_smaller(double& smallest, double us, int round) {
  smallest = round == 0 ? us : std::min(smallest, us);
}

}  // namespace

void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel) {
  const CopyTimes times = workloads::measure_copies(shape.tile_elements(), launch_kernel);
  parts.h2d_us = times.h2d_us;
  parts.d2h_us = times.d2h_us;
  parts.h2d_both_us = times.h2d_both_us;
  parts.d2h_both_us = times.d2h_both_us;
}

double warm_median(const std::function<double()>& once) {
  once();
  std::vector<double> all(5);
  for (double& each : all) each = once();
  return median(all);
}

void measure_round_trip(PartTimes& parts) {
  const StampKernel nothing;
  const PinnedBuffer<std::uint32_t> slot(1);
  const Stream stream(StreamKind::non_blocking);
  for (int i = 0; i < 3; ++i) {
    double launch = 0;
    const double whole = host_us([&] {
      launch = host_us(
          [&] { nothing.launch(slot.data(), 1, std::chrono::nanoseconds(0), stream.get()); });
      check(cudaStreamSynchronize(stream.get()), "wait for a calibration");
    });
    keep_smaller(parts.launch_us, launch, i);
    keep_smaller(parts.round_trip_us, whole, i);
  }
}

}  // namespace lapscope::workloads::streams
