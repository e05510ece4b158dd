#include "workloads/streams/suite/measure_parts.h"

#include <algorithm>
#include <vector>

#include "workloads/harness/calibration.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/workload_report.h"

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

TileKernel::TileKernel(const Setting& setting, AffineKernel::Waves waves)
    : wanted_us_(setting.shape.kernel_us),
      elements_(setting.shape.tile_elements()),
      clock_khz_(setting.device.clock_khz),
      in_one_wave_(setting.device.multiprocessors),
      kernel_(setting.device.multiprocessors, waves),
      cycles_(2) {}

double TileKernel::calibrate(std::uint32_t* data, cudaStream_t stream) {
  const LinearCost cost =
      measure_kernel_cost(in_one_wave_, data, elements_, cycles_.span(), clock_khz_, stream);
  iterations_ = cost.units_for(wanted_us_);
  return measure(data, stream);
}

double TileKernel::measure(std::uint32_t* data, cudaStream_t stream) const {
  return stream_us(stream, [&] { launch(data, stream); });
}

void TileKernel::launch(std::uint32_t* data, cudaStream_t stream) const {
  kernel_.launch(data, elements_, step, iterations_, stream);
}

}  // namespace lapscope::workloads::streams
