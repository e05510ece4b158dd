#include "tests/analyzer/support/host_picture.h"

#include <algorithm>

#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/picture.h"

namespace lapscope::test {
namespace {

using analyzer::CallKind;
using analyzer::Interval;

constexpr std::int64_t microsecond = 1000;
constexpr std::int64_t thread_id = 7;

CallKind kind_of(char letter) {
  switch (letter) {
    case 'L':
      return CallKind::launch;
    case 'S':
      return CallKind::synchronize;
    case 'M':
      return CallKind::allocate;
    case 'P':
      return CallKind::allocate_host;
    case 'C':
      return CallKind::copy_blocking;
    case 'W':
      return CallKind::wait_event;
    case 'F':
      return CallKind::host_function;
    default:
      return CallKind::other;
  }
}

Interval in_ns(Interval us) { return {us.start * microsecond, us.end * microsecond}; }

}  // namespace

Scene::Scene(std::string_view host, std::string_view device) {
  analyzer::Calls& calls = trace_.calls;
  std::vector<std::uint32_t> issuing;
  for (const Interval& interval : intervals_in(host)) {
    const char letter = host[static_cast<std::size_t>(interval.start)];
    const auto call = static_cast<std::uint32_t>(calls.size());
    if (letter == 'L' || letter == 'C') issuing.push_back(call);
    calls.start.push_back(in_ns(interval).start);
    calls.end.push_back(in_ns(interval).end);
    calls.name.push_back(0);
    if (letter == 'W') trace_.stream_waits.push_back({call, 0, 1});
    calls.kind.push_back(kind_of(letter));
  }
  const auto count = static_cast<std::uint32_t>(calls.size());
  calls.threads.push_back({thread_id, 0, count, count});

  analyzer::Ops ops;
  for (const Interval& interval : intervals_in(device)) {
    const std::size_t op = ops.size();
    add_op(ops, in_ns(interval), analyzer::Engine::compute);
    if (op < issuing.size()) ops.issue[op] = issuing[op];
  }
  trace_.devices.push_back(device_with(ops));
}

void Scene::overhead(Interval interval, analyzer::OverheadKind kind) {
  trace_.overheads.push_back({interval, kind, thread_id});
}

void Scene::range(const std::string& name, Interval interval) {
  const auto id = static_cast<std::int64_t>(trace_.ranges.size()) + 1;
  trace_.names.add(id, name);
  trace_.ranges.push_back({interval, trace_.names.index_of(id), thread_id});
  std::sort(trace_.ranges.begin(), trace_.ranges.end(), [](const auto& a, const auto& b) {
    return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                : a.interval.end > b.interval.end;
  });
}

std::string Scene::range_name(std::uint32_t range) const {
  return trace_.names.text(trace_.ranges.at(range).name);
}

analyzer::Gaps Scene::gaps(const analyzer::GapOptions& options) const {
  return gaps_of(analyzer::whole(trace_.devices.front().ops), options);
}

analyzer::Gaps Scene::gaps_within(Interval window) const {
  return gaps_of(analyzer::within(trace_.devices.front().ops, window).value(), {});
}

analyzer::Gaps Scene::gaps_of(const analyzer::Scope& scope,
                              const analyzer::GapOptions& options) const {
  const analyzer::Device& device = trace_.devices.front();
  const analyzer::HostTimeline host(trace_);
  const analyzer::StreamHolds holds(trace_, device);
  analyzer::GapObserver observer(trace_, device, host, holds, options);
  analyzer::sweep(device.ops, scope, observer);
  return observer.gaps();
}

}  // namespace lapscope::test
