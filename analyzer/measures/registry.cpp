#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {
namespace {

constexpr const Measure* all[] = {
    &overlap_ratio,
    &busy_overlap_ratio,
    &overlap_efficiency,
    &copy_hidden,
    &h2d_hidden,
    &d2h_hidden,
    &bidirectional,
    &kernel_concurrency,
    &kernel_overlap,
    &comm_hidden,
    &idle_ratio,
    &wall,
    &busy,
    &sum,
    &other_work,
    &idle,
};

}  // namespace

std::span<const Measure* const> measures() { return all; }

const Measure* find_measure(std::string_view name) {
  for (const Measure* measure : all) {
    if (measure->name == name) return measure;
  }
  return name == bare_wall.name ? &bare_wall : nullptr;
}

}  // namespace lapscope::analyzer
