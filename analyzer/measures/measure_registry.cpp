#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {
namespace {

constexpr const Measure* all[] = {
    &overlap_ratio,
    &overlap_ratio_alone,
    &busy_overlap_ratio,
    &overlap_efficiency,
    &copy_hidden,
    &h2d_hidden,
    &d2h_hidden,
    &bidirectional,
    &kernel_concurrency,
    &kernel_overlap,
    &stretch,
    &comm_hidden,
    &idle_ratio,
    &wall,
    &busy,
    &sum,
    &other_work,
    &idle,
};

constexpr const Measure* of_some[] = {
    &bare_wall,           &corrected_wall, &host_data_loading,
    &host_dispatch,       &host_optimizer, &host_garbage_collection,
    &host_logging_and_io, &host_lock,      &host_process_wait,
    &host_sleep,          &host_user,      &host_other,
    &host_unknown};

}  // namespace

std::span<const Measure* const> measures() { return all; }
std::span<const Measure* const> measures_of_some() { return of_some; }

const Measure* find_measure(std::string_view name) {
  for (const auto& some : {measures(), measures_of_some()}) {
    for (const Measure* measure : some) {
      if (measure->name == name) return measure;
    }
  }
  return nullptr;
}

}  // namespace lapscope::analyzer
