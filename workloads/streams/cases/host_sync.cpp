// Cases in which the host waits for each tile before it issues the next tile. The cases differ in
// the call that waits.

#include <algorithm>
#include <memory>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {
namespace {

// The pause between two queries of an event. Without a pause, the queries would fill the trace.
constexpr double between_queries_us = 30;

Case waiting(Text text, Configure configure) {
  return pipeline_pair(std::move(text), Cause::host_sync, serial_with_round_trips, configure);
}

Case device() {
  return waiting({.name = "sync-device",
                  .wrong = "cudaDeviceSynchronize after each tile.",
                  .fix = "Wait once, after the last tile."},
                 [](Recipe& recipe, const Setting& setting) {
                   if (!setting.broken()) return;
                   recipe.after = [](const TileJob&) {
                     check(PLANTED("sync-device", cudaDeviceSynchronize()), "wait for the device");
                   };
                 });
}

Case stream() {
  return waiting({.name = "sync-stream",
                  .wrong = "cudaStreamSynchronize after each tile.",
                  .fix = "Wait for a tile only where its result is needed, after the loop."},
                 [](Recipe& recipe, const Setting& setting) {
                   if (!setting.broken()) return;
                   recipe.after = [](const TileJob& job) {
                     check(PLANTED("sync-stream", cudaStreamSynchronize(job.stream)),
                           "wait for a stream");
                   };
                 });
}

// Both variants record the event. They differ only in the wait.
template <typename Wait>
void record_then(Recipe& recipe, const Setting& setting, Wait wait) {
  const auto done = std::make_shared<Event>(EventKind::ordering);
  recipe.after = [done, wait, broken = setting.broken()](const TileJob& job) {
    done->record(job.stream);
    if (broken) wait(*done);
  };
}

Case event() {
  return waiting({.name = "sync-event",
                  .wrong = "cudaEventSynchronize after each tile.",
                  .fix = "Record the events, and wait for the last one after the loop."},
                 [](Recipe& recipe, const Setting& setting) {
                   record_then(recipe, setting, [](const Event& done) {
                     check(PLANTED("sync-event", cudaEventSynchronize(done.get())),
                           "wait for an event");
                   });
                 });
}

void pause(double us) {
  double passed = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (passed < us) {
    passed =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }
}

void query_until_done(const Event& done) {
  cudaError_t answer = cudaErrorNotReady;
  while ((answer = PLANTED("sync-query", cudaEventQuery(done.get()))) == cudaErrorNotReady) {
    pause(between_queries_us);
  }
  check(answer, "ask whether an event is done");
  cudaGetLastError();  // Clears "not ready", which is not an error here.
}

Expectation serial_with_queries(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.round_trip_us + between_queries_us / 2);
}

Case query() {
  Case result =
      waiting({.name = "sync-query",
               .wrong = "A loop of cudaEventQuery after each tile, until it is done.",
               .fix = "Issue the next tiles first; ask for the last event after the loop."},
              [](Recipe& recipe, const Setting& setting) {
                record_then(recipe, setting, query_until_done);
              });
  result.variants.front().expect = serial_with_queries;
  return result;
}

// Uses blocking streams, because cudaMemcpy waits only for earlier work of such streams.
Case blocking_copy() {
  return waiting(
      {.name = "sync-memcpy",
       .wrong = "4 KiB per tile are fetched by a blocking cudaMemcpy.",
       .fix = "Fetch them by cudaMemcpyAsync in the stream of the tile, into pinned memory."},
      [](Recipe& recipe, const Setting& setting) {
        recipe.kind = StreamKind::blocking;
        const auto records = std::make_shared<TileRecords>(setting.shape);
        const auto fetched = std::make_shared<PinnedBuffer<std::uint32_t>>(
            TileRecords::words * static_cast<std::size_t>(setting.shape.tiles));
        recipe.after = [=, broken = setting.broken()](const TileJob& job) {
          std::uint32_t* const to = fetched->data() + job.tile * TileRecords::words;
          const std::uint32_t* const from = records->wanted_on_device(job.tile);
          constexpr std::size_t bytes = TileRecords::bytes;
          check(broken ? PLANTED("sync-memcpy", cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost))
                       : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, job.stream),
                "fetch a record");
        };
        recipe.verify = [=] { records->verify_copy(fetched->span()); };
        recipe.clear = [=] { std::ranges::fill(fetched->span(), 0U); };
      });
}

}  // namespace

std::vector<Case> host_sync_cases() {
  return {device(), stream(), event(), blocking_copy(), query()};
}

}  // namespace lapscope::workloads::streams
