// Thrust calls without a stream.

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>

#include <memory>

#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {
namespace {

struct Set {
  std::uint32_t value;
  __device__ void operator()(std::uint32_t& word) const { word = value; }
};

// Writes the record of a tile. The host does not wait. If `broken` is true, uses the legacy default
// stream, otherwise the stream of the tile.
void set_record(const TileRecords& records, const TileJob& job, bool broken) {
  const Set set{0x01010101U * static_cast<std::uint32_t>(TileRecords::byte_of(job.tile))};
  std::uint32_t* const begin = records.of(job.tile);
  std::uint32_t* const end = begin + TileRecords::words;
  if (broken) {
    PLANTED("thrust-default-stream", thrust::for_each(thrust::cuda::par_nosync, begin, end, set));
  } else {
    thrust::for_each(thrust::cuda::par_nosync.on(job.stream), begin, end, set);
  }
}

}  // namespace

std::vector<Case> thrust_cases() {
  return {pipeline_pair(
      {.name = "thrust-default-stream",
       .wrong = "A Thrust algorithm without a stream in its policy runs in the legacy default "
                "stream.",
       .fix = "Pass thrust::cuda::par_nosync.on(stream) as the policy."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.kind = StreamKind::blocking;
        const auto records = std::make_shared<TileRecords>(setting.shape);
        recipe.step = [=, broken = setting.broken()](const TileJob& job) {
          set_record(*records, job, broken);
        };
        recipe.verify = [=] { records->verify(); };
        recipe.clear = [=] { records->clear(); };
      })};
}

}  // namespace lapscope::workloads::streams
