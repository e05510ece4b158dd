#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/resource.h"

namespace lapscope::analyzer {

// The dependences between tasks and calls. Indices below `tasks` are tasks, the others calls.
struct Dependences {
  std::uint32_t tasks = 0;
  std::vector<std::uint32_t> begin;  // links of i are links[begin[i], begin[i + 1])
  std::vector<Link> links;
  std::vector<std::uint32_t> inputs;  // by index: number of links that must release it
  std::vector<Ns> earliest;           // by index: it starts no sooner; `never`: no bound
  std::vector<std::uint16_t> needs;   // by index: its resource
};

// Returns the interval in which each task and call runs. A task or call is ready when all links to
// it have released it. From this time on, its resource decides when it starts and ends. A task or
// call that is never released has the result {never, never}. Everything that waits for it has this
// result, too.
std::vector<Interval> simulate(Dependences dependences, Delays& delays,
                               const std::vector<std::unique_ptr<Resource>>& resources);

}  // namespace lapscope::analyzer
