#include "workloads/streams/suite/expectation.h"

#include <algorithm>

#include "workloads/harness/tile_pipeline.h"

namespace lapscope::workloads::streams {
namespace {

double tile_alone_us(const PartTimes& parts) {
  return parts.h2d_us + parts.kernel_us + parts.d2h_us + parts.step_us;
}

double tile_among_others_us(const PartTimes& parts) {
  return parts.h2d_both_us + parts.kernel_us + parts.d2h_both_us + parts.step_us;
}

// How many kernels run at once. A multiprocessor has room for two blocks of the kernel. Where
// blocks of the first kernel end early, blocks of a third kernel start (H200).
constexpr double most_at_once = 2.5;

// The first copy to the device and the last copy to the host run without any other copy.
double pipelined_sum_us(const PartTimes& parts, const Shape& shape, int buffers, double host_us) {
  const double copies = tile_alone_us(parts) + (shape.tiles - 1) * tile_among_others_us(parts) -
                        shape.tiles * parts.kernel_us;
  const double apart = std::max(parts.h2d_both_us, host_us);
  return copies + kernels_us(parts, shape.tiles, apart, buffers);
}

}  // namespace

double engine_bound_us(const PartTimes& parts) {
  return workloads::engine_bound_us(parts.h2d_both_us, parts.kernel_us, parts.d2h_both_us);
}

double kernels_us(const PartTimes& parts, int count, double apart_us, int buffers) {
  const double kernel = parts.kernel_us;
  const double copies = parts.h2d_both_us + parts.d2h_both_us;
  const double most = std::min(most_at_once * kernel, buffers * kernel - copies);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += std::max(kernel, std::min(most, (i + 1) * kernel - i * apart_us));
  }
  return sum;
}

double period_us(const PartTimes& parts, int buffers) {
  return std::max(engine_bound_us(parts), tile_among_others_us(parts) / buffers);
}

Expectation one_after_the_other(const PartTimes& parts, const Shape& shape, double between_us) {
  const double sum = shape.tiles * tile_alone_us(parts);
  const int operations = parts.step_us > 0 ? 4 : 3;
  return {sum + shape.tiles * (operations * parts.hand_over_us + between_us), sum};
}

Expectation pipelined(const PartTimes& parts, const Shape& shape, int buffers) {
  return paced_by_host(parts, shape, buffers, 0);
}

Expectation paced_by_host(const PartTimes& parts, const Shape& shape, int buffers, double host_us) {
  const double pace = std::max(period_us(parts, buffers), host_us);
  return {tile_alone_us(parts) + (shape.tiles - 1) * pace,
          pipelined_sum_us(parts, shape, buffers, host_us)};
}

}  // namespace lapscope::workloads::streams
