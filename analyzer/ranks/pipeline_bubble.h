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
// With n times as many micro-batches, the bubble is 1/n as long, as (p - 1) / (m + p - 1) with p
// stages and m micro-batches shows. But the host then has n times as much to issue, and the run
// takes at least as long as the slowest host needs. The finding has the power of two n with the
// greatest saving. A larger n must save at least `least` ns, and assumed::noteworthy of the time,
// more than n / 2. n is 2 if the time of a host is not known.
//
//   n     bubble          host            the run takes
//   1     [----------]    [--]            [work][----------]
//   2     [----]          [----]          [work][----]
//   4     [-]             [---------]     [work][-]
//   8     []              [---------------------]   longer again
RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks, Ns least);

}  // namespace lapscope::analyzer
