#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/held_tasks.h"
#include "analyzer/fixes/tiles.h"

namespace lapscope::analyzer {

// What advice depends on: steps that a program has taken already, or that do not concern it.
struct Situation {
  bool communicates = false;  // kernels of collectives are among the ops, or held each other up
  bool has_tiles = false;     // what its stream held up begins a tile (see Tiles)
  bool has_fetches = false;   // it begins with data that could have come in before (likewise)
  bool has_results = false;   // it waits for copies of results that it does not need (likewise)
  bool has_graphs = false;    // graph launches were held up
  bool goes_first = false;    // who waited for room has a stream of higher priority already
  bool copies_block = false;  // pageable copies are made by calls that wait for them on purpose
  bool link_bound = false;    // a copy engine is busy nearly all of the time
  bool sleeps = false;        // threads slept between their calls when they held work up
  bool is_corrected = false;  // the recorder's own time is taken off
};

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const Held& held, const Tiles& tiles, const CausesResult& result);

// What a finding says in words.
struct Sentences {
  std::string explanation;  // why ops were held up
  std::string fix;          // what to do, in CUDA's terms
  std::string caveat;       // how far the prediction can be trusted; may be empty
};

// `sites` are the finding's, most waiting first; at least one.
Sentences sentences_of(Cause cause, const std::vector<CallSite>& sites, const Situation& situation);

// What there is to do besides the findings of a scope: the steps of the usual way (page-lock
// memory, cut the data in tiles, give communication a stream, a priority and room) that the trace
// shows not to be taken, and, where an engine or the host is the bound, what streams cannot change.
// Nothing that a finding is about. `result` has everything else.
std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result);

}  // namespace lapscope::analyzer
