// Cases in which several host threads issue the tiles of one pipeline in turn.

#include <memory>

#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int threads = 4;

Case one_stream() {
  return pipeline_pair(
      {.name = "threads-one-stream",
       .wrong = "Four host threads put their work into one stream that they share.",
       .fix = "Give each thread a stream of its own."},
      Cause::stream_order, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.threads = threads;
        recipe.streams = setting.broken() ? 1 : threads;
      });
}

Case per_thread_default() {
  return pipeline_pair(
      {.name = "per-thread-default-stream",
       .wrong = "Four threads use their per-thread default streams, which wait for the legacy "
                "default stream, and one memset per tile still goes there.",
       .fix = "Keep the legacy default stream out of it: put the memset into the thread's stream."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.threads = threads;
        recipe.thread_stream = true;
        const auto records = std::make_shared<TileRecords>(setting.shape);
        recipe.step = [=](const TileJob& job) {
          check(PLANTED("per-thread-default-stream",
                        cudaMemsetAsync(records->of(job.tile), TileRecords::byte_of(job.tile),
                                        TileRecords::bytes,
                                        setting.broken() ? cudaStreamLegacy : job.stream)),
                "set a record");
        };
        recipe.verify = [=] { records->verify(); };
        recipe.clear = [=] { records->clear(); };
      });
}

}  // namespace

std::vector<Case> thread_cases() { return {one_stream(), per_thread_default()}; }

}  // namespace lapscope::workloads::streams
