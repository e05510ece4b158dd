#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/machine/resource.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// Where the end, or the start, of a task or call lets another one go.
struct Link {
  std::uint32_t to = 0;
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool ends_wait = false;  // lets a call that waits for it end; otherwise lets it start
  bool is_turn = false;    // a call of another thread than what it comes after
};

// What a run is of. Calls have the indices behind those of tasks.
struct Program {
  std::uint32_t tasks = 0;
  std::vector<std::uint32_t> begin;  // links of i are links[begin[i], begin[i + 1])
  std::vector<Link> links;
  std::vector<std::uint32_t> inputs;   // how many links let it start
  std::vector<std::int64_t> earliest;  // it starts no sooner, or never
  std::vector<std::uint16_t> needs;    // which of the resources
};

// From what a link comes from until it lets the other one go.
class LinkDelays : public Delays {
 public:
  virtual std::int64_t of(std::uint32_t from, const Link& link) = 0;
};

// By task or call; never where nothing let it go, or one that it waits for.
struct Run {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
};

// Runs a program on resources of which each task and call needs one: it is ready when all links to
// it have let it go, starts when its resource lets it, and ends when that says so.
Run simulate(Program program, LinkDelays& delays,
             const std::vector<std::unique_ptr<Resource>>& resources);

}  // namespace lapscope::analyzer
