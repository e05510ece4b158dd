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
// With p stages and m micro-batches, the bubble is (p - 1) / m of the work. So with n times as many
// micro-batches, it is 1/n as long. But the host then has n times as much to issue, and the run
// takes at least as long as the slowest host needs. n is doubled as long as this saves at least
// `least` ns more, and assumed::noteworthy of the time. n is 2 if the time of a host is not known.
//
//   n    work and bubble      host
//   1    [work][--------]     [-]
//   2    [work][----]         [--]
//   4    [work][--]           [----]
//   8    [work][-]            [--------]    the host takes longer
RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks, Ns least);

}  // namespace lapscope::analyzer
