#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr double wait_floor_ms = 1;
constexpr double wait_per_idle_ms = 2;
constexpr double enough_left_ms = 0.2;
constexpr double long_issue_ms = 0.5;

const std::vector<Observation>& of(const Observations& seen, Arrangement arrangement) {
  return seen[static_cast<std::size_t>(arrangement)];
}

Verdict<HostWait> judge_host(const Observations& seen, double idle_ms) {
  std::vector<std::optional<HostWait>> answers;
  for (std::size_t i = 0; i < of(seen, Arrangement::beside).size(); ++i) {
    answers.push_back(
        host_wait(of(seen, Arrangement::beside)[i], of(seen, Arrangement::own)[i], idle_ms));
  }
  return majority(answers);
}

Verdict<Follower> judge_follower(const std::vector<Observation>& seen, double idle_ms) {
  std::vector<std::optional<Follower>> answers;
  for (const auto& observation : seen) answers.push_back(follower(observation, idle_ms));
  return majority(answers);
}

std::string_view yes_no(bool yes) { return yes ? "yes" : "no"; }

std::string_view host_as_claimed(const Verdict<HostWait>& host, HostWait at_least) {
  return host.value ? yes_no(*host.value >= at_least) : "unclear";
}

std::string_view streams_as_claimed(const Behaviour& behaviour, bool separated) {
  if (!behaviour.non_blocking.value || !behaviour.blocking.value) return "unclear";
  const bool non_blocking = (*behaviour.non_blocking.value != Follower::overlaps) == separated;
  const bool blocking = (*behaviour.blocking.value != Follower::overlaps) == separated;
  if (non_blocking == blocking) return yes_no(blocking);
  return blocking ? "blocking only" : "non-blocking only";
}

}  // namespace

std::string_view text_of(HostWait wait) {
  constexpr std::array<std::string_view, 3> texts{"nothing", "its stream", "device"};
  return texts[static_cast<std::size_t>(wait)];
}

std::optional<bool> host_waited(const Observation& seen, double idle_ms) {
  if (!seen.ended_before_return) return false;
  if (seen.call_ms > wait_floor_ms + wait_per_idle_ms * idle_ms) return true;
  return std::nullopt;
}

std::optional<HostWait> host_wait(const Observation& unrelated, const Observation& own,
                                  double idle_ms) {
  const auto for_device = host_waited(unrelated, idle_ms);
  if (!for_device) return std::nullopt;
  if (*for_device) return HostWait::device;
  const auto for_stream = host_waited(own, idle_ms);
  if (!for_stream) return std::nullopt;
  return *for_stream ? HostWait::its_stream : HostWait::none;
}

std::optional<Follower> follower(const Observation& seen, double idle_ms) {
  const auto waited = host_waited(seen, idle_ms);
  if (!waited) return std::nullopt;
  if (*waited) return Follower::host_waited;
  if (seen.after.start_ns < seen.before.end_ns) return Follower::overlaps;
  if (seen.left_ms < enough_left_ms && seen.issue_ms < long_issue_ms) return std::nullopt;
  return Follower::waits;
}

Behaviour judge(const Observations& seen, double idle_ms) {
  return {judge_host(seen, idle_ms), judge_follower(of(seen, Arrangement::marker), idle_ms),
          judge_follower(of(seen, Arrangement::beside), idle_ms),
          judge_follower(of(seen, Arrangement::blocking), idle_ms)};
}

std::string_view as_documented(Documented says, const Behaviour& behaviour) {
  switch (says) {
    case Documented::host_waits_for_device:
      return host_as_claimed(behaviour.host, HostWait::device);
    case Documented::host_waits_for_stream:
      return host_as_claimed(behaviour.host, HostWait::its_stream);
    case Documented::asynchronous:
      return behaviour.host.value ? yes_no(*behaviour.host.value == HostWait::none) : "unclear";
    case Documented::separates_streams:
      return streams_as_claimed(behaviour, true);
    case Documented::leaves_streams_alone:
      return streams_as_claimed(behaviour, false);
    case Documented::may_wait:
    case Documented::not_named:
    case Documented::control:
      break;
  }
  return "-";
}

}  // namespace lapscope::workloads::implicit_sync
