// Cases with events between the tiles of a pipeline. The work needs some of the waits for events,
// and does not need others.

#include <memory>

#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

Case chain() {
  return pipeline_pair(
      {.name = "event-chain",
       .wrong =
           "The kernels must run in the order of the tiles, and each tile waits for all of the "
           "tile before it: copies too.",
       .fix = "Record the event behind the kernel instead of the copy out, and wait for it before "
              "the kernel instead of the copy in."},
      Cause::event_wait, serial, [](Recipe& recipe, const Setting& setting) {
        const auto done = std::make_shared<Event>(EventKind::ordering);
        const TileHook wait = [=](const TileJob& job) {
          if (job.tile > 0) PLANTED("event-chain", done->hold(job.stream));
        };
        const TileHook record = [=](const TileJob& job) { done->record(job.stream); };
        if (setting.broken()) {
          recipe.before = wait;
          recipe.after = record;
        } else {
          recipe.loaded = wait;
          recipe.computed = record;
        }
      });
}

}  // namespace

std::vector<Case> event_chain_cases() { return {chain()}; }

}  // namespace lapscope::workloads::streams
