#pragma once

#include <span>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// Returns the finding for the bubble of a pipeline: the shortest time that a rank waits for
// messages. Every stage waits at least so long, because stages take turns. If a stage waits longer,
// the excess is not the bubble: the stage waits for the slowest stage.
//
// With p stages and m micro-batches, the bubble is (p - 1) / m of the work. With n times as many
// micro-batches, the bubble is 1/n as long, but the host has n times as much to issue. The run
// takes at least as long as the slowest host needs. n is 2, and is doubled while each doubling
// saves enough: at least `least` ns, and at least the share assumed::noteworthy of the window. If
// the host time of a rank is not known, n stays 2.
//
//   n    work and bubble      host
//   1    [work][--------]     [-]
//   2    [work][----]         [--]
//   4    [work][--]           [----]
//   8    [work][-]            [--------]    the host takes longer
RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks, Ns least);

}  // namespace lapscope::analyzer
