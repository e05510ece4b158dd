#pragma once

#include <array>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The rate of large copies of page-locked memory on a device, in bytes per ns, by engine. If an
// engine ran no such copy, its rate is the rate of the other direction. If no engine ran such a
// copy, the rate is assumed::share_of_link times the rate of the link to the host, or 0 if the rate
// of the link is not known.
struct CopyRates {
  std::array<double, all_engines.size()> by_engine{};
  bool is_assumed = false;  // not measured: derived from the link with share_of_link

  double of(Engine engine) const { return by_engine[static_cast<std::size_t>(engine)]; }
};

CopyRates copy_rates(const Trace& trace, std::size_t device);
std::vector<CopyRates> copy_rates(const Trace& trace);  // by device

}  // namespace lapscope::analyzer
