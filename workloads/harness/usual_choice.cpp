#include "workloads/harness/usual_choice.h"

#include <algorithm>
#include <cmath>

namespace lapscope::workloads {
namespace {

constexpr double share_of_copy = 0.25;
constexpr double times_the_copy = 3;

}  // namespace

std::string_view name_of(UsualKind kind) {
  constexpr std::string_view names[] = {"gemm", "map", "reduction", "arithmetic", "reads"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(GpuShare share) {
  constexpr std::string_view names[] = {"quarter", "half", "all"};
  return names[static_cast<std::size_t>(share)];
}

std::string_view name_of(Bound bound) {
  constexpr std::string_view names[] = {"copies", "compute"};
  return names[static_cast<std::size_t>(bound)];
}

unsigned blocks_of(GpuShare share, int multiprocessors) {
  constexpr int parts[] = {4, 2, 1};
  return static_cast<unsigned>(
      std::max(1, multiprocessors / parts[static_cast<std::size_t>(share)]));
}

double kernel_us_for(Bound bound, double copy_us) {
  return copy_us * (bound == Bound::copies ? share_of_copy : times_the_copy);
}

MatrixTiles matrix_tiles(unsigned blocks) {
  const auto rows = std::max(1U, static_cast<unsigned>(std::sqrt(static_cast<double>(blocks))));
  return {rows, std::max(1U, blocks / rows)};
}

}  // namespace lapscope::workloads
