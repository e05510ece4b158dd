#include "workloads/streams/suite/tile_kernel.h"

#include "workloads/harness/calibration.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads::streams {

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
