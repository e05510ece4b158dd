#pragma once

#include <array>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What large copies of page-locked memory go at on a device, in bytes per ns, by engine: as the
// trace shows it, in the other direction if not in this one, else what the link should give; 0 when
// that is not known.
struct CopyRates {
  std::array<double, all_engines.size()> by_engine{};
  bool is_assumed = false;  // share_of_link stands in for what the trace has no example of

  double of(Engine engine) const { return by_engine[static_cast<std::size_t>(engine)]; }
};

CopyRates copy_rates(const Trace& trace, std::size_t device);
std::vector<CopyRates> copy_rates(const Trace& trace);  // by device

}  // namespace lapscope::analyzer
