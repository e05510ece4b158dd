#include "analyzer/machine/observe.h"

#include <algorithm>
#include <array>

#include "analyzer/machine/room_observer.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// An engine that runs one op at a time, such as a copy engine. An op waits until the previous op of
// the engine has ended.
//
//   stream 1, to the device  AAAA....
//   stream 2, to the device  ....BBBB    B waits for A, C does not wait
//   stream 3, to the host    ..CCCC..
//
// If one engine copies in both directions, C waits for A as well.
class EngineObserver {
 public:
  // Returns the op that occupied the engine before `op`. Returns no_index if there was none, or if
  // the two ran at the same time.
  std::uint32_t had_by(std::uint32_t op, const Recorded& recorded) {
    const Interval own = recorded.times[op];
    const std::uint32_t before = last_;
    const Ns until = before == no_index ? never : recorded.times[before].end;
    if (until < own.end) last_ = op;
    return until > own.start + assumed::clock_tolerance ? no_index : before;
  }

 private:
  std::uint32_t last_ = no_index;  // of the ops so far, the one that ends last
};

}  // namespace

Observation observe(const MachineParameters& machine, const Workload& work,
                    const Recorded& recorded) {
  Observation seen;
  seen.blockers.resize(work.lengths.size());
  seen.lengths = work.lengths;
  seen.kept_out = machine.kept_out;
  const std::size_t devices = machine.traits.size();
  std::vector<std::array<EngineObserver, all_engines.size()>> engines(devices);
  std::vector<RoomObserver> rooms(devices, RoomObserver(machine, work, recorded, seen));
  for (const std::uint32_t t : recorded.ops) {
    const std::uint16_t device = work.tasks[t].device;
    const Engine engine = machine.traits[device].occupied_by(work.tasks[t].engine);
    if (machine.traits[device].is_exclusive(engine)) {
      const std::uint32_t by =
          engines[device][static_cast<std::size_t>(engine)].had_by(t, recorded);
      if (by != no_index) seen.blockers[t] = {by, recorded.times[by].end, Cause::copy_engine};
    } else if (engine == Engine::compute) {
      const std::uint32_t by = rooms[device].freed_by(t, recorded.released[t]);
      if (by == no_index) continue;
      const Ns release = std::min(recorded.times[by].end, recorded.times[t].start);
      seen.blockers[t] = {by, release, Cause::sm_saturated};
    }
  }
  for (RoomObserver& room : rooms) room.finish();
  return seen;
}

}  // namespace lapscope::analyzer
