#include "analyzer/analysis/device_tables.h"

#include <algorithm>
#include <array>

#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {

std::vector<EngineResult> engines_of(const Activity& activity) {
  std::vector<EngineResult> results;
  for (const Engine engine : all_engines) {
    const std::int64_t count = activity.engine_ops[static_cast<std::size_t>(engine)];
    if (count > 0) results.push_back({engine, activity.time_with(class_of(engine)), count});
  }
  return results;
}

std::vector<ClassOverlap> class_overlaps_of(const Activity& activity) {
  std::vector<ClassOverlap> overlaps;
  for (std::size_t a = 0; a < all_engines.size(); ++a) {
    for (std::size_t b = a + 1; b < all_engines.size(); ++b) {
      const Ns ns = activity.time_with_both(class_of(all_engines[a]), class_of(all_engines[b]));
      if (ns > 0) overlaps.push_back({name_of(all_engines[a]), name_of(all_engines[b]), ns});
    }
  }
  return overlaps;
}

namespace {

constexpr std::size_t busiest = 16;
constexpr std::uint8_t no_slot = 0xFF;

}  // namespace

std::vector<StreamResult> streams_of(const Device& device, const Scope& scope) {
  struct Running {
    std::int64_t ops = 0;
    Ns busy = 0;
    Ns twice = 0;
    Ns end = 0;      // of the time that is covered so far
    Ns counted = 0;  // `twice` has everything before this instant already
  };
  std::vector<Running> running(device.streams.size());
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    Running& stream = running[device.ops.stream[op]];
    const Interval clipped = scope.clipped(device.ops, op);
    ++stream.ops;
    if (clipped.length() <= 0) continue;
    stream.busy += std::max<Ns>(0, clipped.end - std::max(clipped.start, stream.end));
    const Interval twice{std::max(clipped.start, stream.counted),
                         std::min(clipped.end, stream.end)};
    if (twice.length() > 0) {
      stream.twice += twice.length();
      stream.counted = twice.end;
    }
    stream.end = std::max(stream.end, clipped.end);
  }
  std::vector<StreamResult> results;
  for (std::size_t i = 0; i < running.size(); ++i) {
    if (running[i].ops == 0) continue;
    results.push_back({device.streams[i], running[i].ops, running[i].busy, running[i].twice});
  }
  return results;
}

StreamOverlapObserver::StreamOverlapObserver(const Device& device,
                                             const std::vector<StreamResult>& streams)
    : device_(device), slot_(device.streams.size(), no_slot) {
  std::vector<const StreamResult*> by_time;
  for (const StreamResult& stream : streams) by_time.push_back(&stream);
  std::ranges::stable_sort(by_time,
                           [](const auto* a, const auto* b) { return a->busy_ns > b->busy_ns; });
  if (by_time.size() > busiest) by_time.resize(busiest);
  for (std::uint32_t i = 0; i < device.streams.size(); ++i) {
    const bool is_chosen = std::ranges::any_of(by_time, [&](const StreamResult* result) {
      return result->stream.pid == device.streams[i].pid &&
             result->stream.id == device.streams[i].id;
    });
    if (!is_chosen || chosen_.size() == busiest) continue;
    slot_[i] = static_cast<std::uint8_t>(chosen_.size());
    chosen_.push_back(i);
  }
  running_.resize(chosen_.size());
  time_in_.resize(std::size_t{1} << chosen_.size());
}

void StreamOverlapObserver::begin(std::uint32_t op, Interval) {
  const std::uint8_t slot = slot_[device_.ops.stream[op]];
  if (slot == no_slot) return;
  if (running_[slot]++ == 0) active_ |= 1U << slot;
}

void StreamOverlapObserver::end(std::uint32_t op) {
  const std::uint8_t slot = slot_[device_.ops.stream[op]];
  if (slot == no_slot) return;
  if (--running_[slot] == 0) active_ &= ~(1U << slot);
}

std::vector<StreamOverlap> StreamOverlapObserver::overlaps() const {
  std::vector<std::vector<Ns>> ns(chosen_.size(), std::vector<Ns>(chosen_.size()));
  for (std::size_t active = 0; active < time_in_.size(); ++active) {
    if (time_in_[active] == 0) continue;
    for (std::size_t a = 0; a < chosen_.size(); ++a) {
      if ((active >> a & 1U) == 0) continue;
      for (std::size_t b = a + 1; b < chosen_.size(); ++b) {
        if ((active >> b & 1U) != 0) ns[a][b] += time_in_[active];
      }
    }
  }
  std::vector<StreamOverlap> overlaps;
  for (std::size_t a = 0; a < chosen_.size(); ++a) {
    for (std::size_t b = a + 1; b < chosen_.size(); ++b) {
      if (ns[a][b] == 0) continue;
      overlaps.push_back({device_.streams[chosen_[a]], device_.streams[chosen_[b]], ns[a][b]});
    }
  }
  return overlaps;
}

namespace {

constexpr std::int64_t stretches = 240;  // two for each column of a wide terminal

}  // namespace

StripObserver::StripObserver(const ActivityObserver& activity, Interval window)
    : activity_(activity) {
  strip_.borders = equal_borders(window, stretches);
  const std::size_t size = strip_.borders.size() - 1;
  for (auto& of_engine : strip_.busy_ns) of_engine.resize(size);
  strip_.other_work_ns.resize(size);
  strip_.idle_ns.resize(size);
}

template <class F>
void StripObserver::for_each_part(Interval interval, F&& add) {
  while (interval.start < interval.end) {
    while (strip_.borders[now_ + 1] <= interval.start) ++now_;
    const Ns until = std::min(interval.end, strip_.borders[now_ + 1]);
    add(now_, until - interval.start);
    interval.start = until;
  }
}

void StripObserver::stretch(Interval interval) {
  const Classes active = activity_.now() & classes::engines;
  for_each_part(interval, [&](std::size_t at, Ns ns) {
    for (const Engine engine : all_engines) {
      if ((active & class_of(engine)) != 0) {
        strip_.busy_ns[static_cast<std::size_t>(engine)][at] += ns;
      }
    }
    if (active == 0) strip_.idle_ns[at] += ns;
  });
}

void StripObserver::other_work(Interval interval) {
  for_each_part(interval, [this](std::size_t at, Ns ns) { strip_.other_work_ns[at] += ns; });
}

}  // namespace lapscope::analyzer
