// Cases in which the device waits for host work, or in which calls wait without need.

#include <algorithm>
#include <memory>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/host_work.h"
#include "workloads/harness/worker_pool.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int workers = 4;
constexpr std::chrono::microseconds callback_length(300);

constexpr std::chrono::microseconds between_tiles(500);

// The host work of each tile, and threads that can do it in place of the main thread.
struct Bookkeeping {
  explicit Bookkeeping(std::chrono::microseconds length) : work(length), pool(workers) {}

  HostWork work;
  WorkerPool pool;
};

std::shared_ptr<Bookkeeping> with_bookkeeping(Recipe& recipe, std::chrono::microseconds length,
                                              std::uint64_t times) {
  const auto books = std::make_shared<Bookkeeping>(length);
  recipe.arm = [=] { books->pool.wake(); };
  recipe.finish = [=] { books->pool.wait(); };
  recipe.verify = [=] { books->work.verify(times); };
  recipe.clear = [=] { books->work.reset(); };
  return books;
}

void CUDART_CB perform_here(void* books) { static_cast<Bookkeeping*>(books)->work.perform(); }

void put_callback(cudaStream_t stream, Bookkeeping* books) {
  check(cudaLaunchHostFunc(stream, perform_here, books), "put a callback into a stream");
}

// Returns the mean time of a callback that does the work. As in the broken variant, there is a
// callback for each tile, and the callbacks are spread over Recipe::streams streams. The driver's
// thread therefore stays awake, as in the broken variant. In some processes, waking this thread
// takes as long as the work.
double callback_us(Bookkeeping& books, const Shape& shape) {
  std::vector<Stream> streams;
  for (int i = 0; i < Recipe{}.streams; ++i) streams.emplace_back(StreamKind::non_blocking);
  return warm_median([&] {
    return host_us([&] {
             for (std::size_t i = 0; i < static_cast<std::size_t>(shape.tiles); ++i) {
               put_callback(streams[i % streams.size()].get(), &books);
             }
             check(cudaDeviceSynchronize(), "wait for callbacks");
           }) /
           shape.tiles;
  });
}

// A single thread of the driver runs all callbacks.
Expectation one_callback_at_a_time(const PartTimes& parts, const Shape& shape) {
  const double tile = parts.h2d_us + parts.kernel_us + parts.d2h_us;
  return {tile + shape.tiles * parts.planted_us, shape.tiles * tile};
}

// The last worker starts together with the last kernel. It works during the last kernel and during
// the last copy to the host.
Expectation work_beside_last_tile(const PartTimes& parts, const Shape& shape) {
  Expectation result = overlapped(parts, shape);
  result.gpu_us = result.wall_us;
  result.wall_us += std::max(0.0, parts.planted_us - parts.kernel_us - parts.d2h_us);
  return result;
}

Case callback() {
  Case result = pipeline_pair(
      {.name = "host-callback",
       .wrong = "A callback between copy in and kernel does 0.3 ms of work, and the stream waits "
                "for it.",
       .fix = "Record an event there, and let other threads wait for that and do the work."},
      Cause::host_func, one_callback_at_a_time,
      [](Recipe& recipe, const Setting& setting) {
        const auto tiles = static_cast<std::size_t>(setting.shape.tiles);
        const auto books = with_bookkeeping(recipe, callback_length, tiles);
        if (setting.broken()) {
          recipe.loaded = [=](const TileJob& job) {
            PLANTED("host-callback", put_callback(job.stream, books.get()));
          };
          recipe.planted_us = [=, shape = setting.shape] { return callback_us(*books, shape); };
        } else {
          const auto copied = std::make_shared<std::vector<OrderEvent>>(tiles);
          recipe.loaded = [=](const TileJob& job) {
            OrderEvent& event = (*copied)[job.tile];
            event.record(job.stream);
            books->pool.submit([books = books.get(), waits_for = event.get()] {
              check(cudaEventSynchronize(waits_for), "wait for a copy");
              books->work.perform();
            });
          };
          recipe.planted_us = [=] { return books->work.us(); };
        }
      },
      work_beside_last_tile);
  // Some callbacks must first wake the driver's thread. This took 30 to 600 us.
  result.variants.front().wall_tolerance = 0.12;
  return result;
}

Expectation paced_by_work(const PartTimes& parts, const Shape& shape) {
  constexpr int launches = 3;
  return paced_by_host(parts, shape, Recipe{}.streams,
                       parts.planted_us + launches * parts.launch_us);
}

// If the workers take longer than the device, the wall time is that of the workers.
Expectation beside_workers(const PartTimes& parts, const Shape& shape) {
  Expectation result = overlapped(parts, shape);
  const int each = (shape.tiles - 1 + workers - 1) / workers;
  result.wall_us = std::max(result.wall_us, each * parts.planted_us);
  return result;
}

Case between() {
  Case result = pipeline_pair(
      {.name = "host-work",
       .wrong = "Between two tiles the thread that issues them computes for 0.5 ms.",
       .fix = "Let other threads do that work: it does not concern the device."},
      Cause::host_compute, paced_by_work,
      [](Recipe& recipe, const Setting& setting) {
        const auto books = with_bookkeeping(recipe, between_tiles,
                                            static_cast<std::uint64_t>(setting.shape.tiles) - 1);
        recipe.before = [=, broken = setting.broken()](const TileJob& job) {
          if (job.tile == 0) return;
          if (broken) {
            books->work.perform();
          } else {
            books->pool.submit([books = books.get()] { books->work.perform(); });
          }
        };
        recipe.planted_us = [=] { return books->work.us(); };
      },
      beside_workers);
  // The expected sum assumes that copies in both directions always overlap. Here only some do.
  result.variants.front().sum_tolerance = 0.1;
  result.variants.back().wall_tolerance = 0.1;
  return result;
}

// A launch returns when its kernel has ended. The kernel waits for the copy of its tile to the
// device. The copy of the tile to the host overlaps with the next tile's copy to the device.
Expectation launches_that_wait(const PartTimes& parts, const Shape& shape) {
  const double tile = parts.h2d_both_us + parts.kernel_us + parts.round_trip_us;
  return {shape.tiles * tile + parts.d2h_us, overlapped(parts, shape).sum_us};
}

Case blocking_launches() {
  constexpr const char* variable = "CUDA_LAUNCH_BLOCKING";
  Case result = pipeline_pair(
      {.name = "launch-blocking",
       .wrong = "CUDA_LAUNCH_BLOCKING=1, a setting for debugging, was left in the environment.",
       .fix = "Unset it: launches return at once then."},
      Cause::launch_blocking, launches_that_wait, [](Recipe&, const Setting&) {});
  result.variants.front().environment = {{variable, "1"}};
  result.variants.front().wall_tolerance = 0.1;
  result.variants.back().environment = {{variable, "0"}};
  return result;
}

}  // namespace

std::vector<Case> host_cases() { return {callback(), between(), blocking_launches()}; }

}  // namespace lapscope::workloads::streams
