#pragma once

#include <array>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The rate of large copies of page-locked memory on a device, in bytes per ns, by engine. If the
// engine ran none, it is the rate of the other direction. If that ran none, it is
// assumed::share_of_link times the rate of the link. It is 0 if that is not known.
struct CopyRates {
  std::array<double, all_engines.size()> by_engine{};
  bool is_assumed = false;  // not measured: derived from the link with share_of_link

  double of(Engine engine) const { return by_engine[static_cast<std::size_t>(engine)]; }
};

CopyRates copy_rates(const Trace& trace, std::size_t device);
std::vector<CopyRates> copy_rates(const Trace& trace);  // by device

}  // namespace lapscope::analyzer
