#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/resource.h"

namespace lapscope::analyzer {

// What lets what go. Calls have the indices behind those of tasks.
struct Dependences {
  std::uint32_t tasks = 0;
  std::vector<std::uint32_t> begin;  // links of i are links[begin[i], begin[i + 1])
  std::vector<Link> links;
  std::vector<std::uint32_t> inputs;  // how many links let it start
  std::vector<Ns> earliest;           // it starts no sooner, or never
  std::vector<std::uint16_t> needs;   // which of the resources
};

// When each task and call runs on resources of which it needs one: it is ready when all links to
// it have let it go, starts when its resource lets it, and ends when that says so. From never to
// never where nothing let it go, or one that it waits for.
std::vector<Interval> simulate(Dependences dependences, Delays& delays,
                               const std::vector<std::unique_ptr<Resource>>& resources);

}  // namespace lapscope::analyzer
