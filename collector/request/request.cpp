#include "collector/request/request.h"

namespace lapscope::request {
namespace {

constexpr GroupText texts[] = {
    {Group::driver_calls, "driver-calls", true, "calls of the driver API"},
    {Group::nvtx, "nvtx", true, "NVTX ranges and marks"},
    {Group::synchronization, "synchronization", true, "explicit synchronisation"},
    {Group::events, "events", true, "the recording of CUDA events"},
    {Group::memory, "memory", true, "allocations, releases and memory pools"},
    {Group::overhead, "overhead", true, "the overhead of CUPTI and the driver"},
    {Group::compilation, "compilation", true, "the compilation of PTX by the driver"},
    {Group::callbacks, "callbacks", true,
     "the streams of host functions and graph launches, and what graphs are made of"},
    {Group::links, "links", true, "the links between GPUs"},
    {Group::graph_level, "graph-level", false,
     "a graph launch as a whole, which costs less, and not the ops inside it"},
    {Group::unified_memory, "unified-memory", false,
     "migrations and page faults of managed memory"},
    {Group::latency, "latency", false,
     "when each kernel was queued and submitted (more overhead per launch)"},
};

constexpr std::string_view yield = "yield";

constexpr std::uint32_t bit(Group group) { return 1U << static_cast<unsigned>(group); }

}  // namespace

std::span<const GroupText> groups() { return texts; }

Request::Request() {
  for (const GroupText& text : texts) set(text.group, text.by_default);
}

bool Request::wants(Group group) const {
  return group == Group::always || (groups_ & bit(group)) != 0;
}

void Request::set(Group group, bool wanted) {
  groups_ = wanted ? groups_ | bit(group) : groups_ & ~bit(group);
}

// As "-nvtx,+latency,yield".
std::string Request::text() const {
  std::string result;
  for (const GroupText& group : texts) {
    if (wants(group.group) == group.by_default) continue;
    if (!result.empty()) result += ',';
    result += group.by_default ? '-' : '+';
    result += group.name;
  }
  if (yields_to_app) result += result.empty() ? yield : "," + std::string(yield);
  return result;
}

std::vector<std::string> Request::arguments() const {
  std::vector<std::string> result;
  for (const GroupText& group : texts) {
    if (wants(group.group) == group.by_default) continue;
    result.push_back((group.by_default ? "--no-" : "--") + std::string(group.name));
  }
  if (yields_to_app) result.emplace_back("--yield-to-app");
  const std::vector<std::string> of_capture = capture.arguments();
  result.insert(result.end(), of_capture.begin(), of_capture.end());
  return result;
}

Request Request::from_text(std::string_view text) {
  Request request;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
    if (part == yield) request.yields_to_app = true;
    for (const GroupText& group : texts) {
      if (!part.empty() && part.substr(1) == group.name) request.set(group.group, part[0] == '+');
    }
  }
  return request;
}

}  // namespace lapscope::request
