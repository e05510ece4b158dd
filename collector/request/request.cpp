#include "collector/request/request.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lapscope::request {
namespace {

constexpr GroupText texts[] = {
    {Group::light, "light", false,
     "only kernels, copies, memsets, the calls that issue them, and NVTX ranges. This is enough "
     "for measures and gates on measures, but not for causes"},
    {Group::all_calls, "all-calls", false,
     "all calls, also those that neither issue work nor wait. Implies --memory, --event-times, "
     "--launch-attributes and --compilation"},
    {Group::driver_calls, "driver-calls", true, "calls of the CUDA driver API"},
    {Group::nvtx, "nvtx", true, "NVTX ranges and marks"},
    {Group::synchronization, "synchronization", true,
     "synchronization, such as cudaStreamSynchronize"},
    {Group::events, "events", true, "which CUDA events the program records in which streams"},
    {Group::overhead, "overhead", true, "the overhead of CUPTI and the driver"},
    {Group::callbacks, "callbacks", true,
     "the streams of host functions, graph launches and stream memory operations, nodes and edges "
     "of graphs, and CPU times of threads"},
    {Group::links, "links", true, "the links between GPUs"},
    {Group::memory, "memory", false, "allocations, releases and memory pools"},
    {Group::event_times, "event-times", false,
     "when the GPU reaches each CUDA event. This takes time on the GPU and in every CUDA call"},
    {Group::launch_attributes, "launch-attributes", false,
     "launch attributes that change when kernels may start"},
    {Group::graph_level, "graph-level", false,
     "each launch of a CUDA graph as a whole, without the ops inside it. This takes less time"},
    {Group::unified_memory, "unified-memory", false,
     "migrations and page faults of managed memory"},
    {Group::compilation, "compilation", false,
     "when the driver compiles PTX. This takes time whenever a module is loaded"},
    {Group::latency, "latency", false,
     "when each kernel was queued and submitted. This takes time in every launch"},
};

constexpr Group left_out_by_light[] = {Group::driver_calls, Group::synchronization, Group::events,
                                       Group::callbacks};
constexpr Group added_by_all_calls[] = {Group::memory, Group::event_times, Group::launch_attributes,
                                        Group::compilation};

constexpr std::string_view yield = "yield";

constexpr std::string_view samples_part = "samples=";
constexpr std::string_view off = "off";

constexpr std::string_view stacks_part = "stacks=";
constexpr std::pair<Stacks, std::string_view> stacks_names[] = {
    {Stacks::off, off}, {Stacks::findings, "findings"}, {Stacks::all, "all"}};

constexpr std::uint32_t bit(Group group) { return 1U << static_cast<unsigned>(group); }

std::string text_of_host_samples(unsigned rate) {
  return rate == 0 ? std::string(off) : std::to_string(rate);
}

constexpr std::string_view profiler_api = "cudaProfilerApi";
constexpr std::string_view nvtx = "nvtx:";
constexpr std::string_view armed = "armed";

constexpr std::string_view delay_part = "delay=";
constexpr std::string_view duration_part = "duration=";
constexpr std::string_view size_part = "size=";
constexpr std::string_view range_part = "range=";

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Formats a time in seconds, for example "0.500".
std::string seconds(std::chrono::milliseconds time) {
  const std::string below = std::to_string(time.count() % 1000);
  return std::to_string(time.count() / 1000) + "." + std::string(3 - below.size(), '0') + below;
}

}  // namespace

std::span<const GroupText> groups() { return texts; }

std::string_view name_of(Stacks stacks) {
  return std::ranges::find(stacks_names, stacks, &std::pair<Stacks, std::string_view>::first)
      ->second;
}

std::optional<Stacks> stacks_of(std::string_view name) {
  const auto* found =
      std::ranges::find(stacks_names, name, &std::pair<Stacks, std::string_view>::second);
  return found == std::end(stacks_names) ? std::nullopt : std::optional(found->first);
}

std::optional<unsigned> host_samples_of(std::string_view text) {
  if (text == off) return 0;
  unsigned rate = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  const bool is_rate = error == std::errc{} && end == text.data() + text.size() && rate > 0 &&
                       rate <= Request::most_host_samples;
  return is_rate ? std::optional(rate) : std::nullopt;
}

bool Request::wants(Group group) const {
  if (group == Group::always) return true;
  return (set_ & bit(group)) != 0 ? (wanted_ & bit(group)) != 0 : without_choice(group);
}

bool Request::without_choice(Group group) const {
  const auto has = [group](std::span<const Group> preset) {
    return std::ranges::find(preset, group) != preset.end();
  };
  if (has(left_out_by_light)) return !wants(Group::light);
  if (has(added_by_all_calls)) return wants(Group::all_calls);
  return std::ranges::find(texts, group, &GroupText::group)->by_default;
}

void Request::set(Group group, bool wanted) {
  set_ |= bit(group);
  wanted_ = wanted ? wanted_ | bit(group) : wanted_ & ~bit(group);
}

// Returns the request as a text, for example "-nvtx,+latency,stacks=all,yield".
std::string Request::text() const {
  std::string result;
  for (const GroupText& group : texts) {
    const bool wanted = wants(group.group);
    if (wanted == without_choice(group.group)) continue;
    if (!result.empty()) result += ',';
    result += wanted ? '+' : '-';
    result += group.name;
  }
  const auto add = [&result](const std::string& part) {
    if (!result.empty()) result += ',';
    result += part;
  };
  if (stacks && *stacks != usual_stacks()) {
    add(std::string(stacks_part) + std::string(name_of(*stacks)));
  }
  if (host_samples) add(std::string(samples_part) + text_of_host_samples(*host_samples));
  if (yields_to_app) add(std::string(yield));
  return result;
}

std::vector<std::string> Request::arguments() const {
  std::vector<std::string> result;
  for (const GroupText& group : texts) {
    const bool wanted = wants(group.group);
    if (wanted == without_choice(group.group)) continue;
    result.push_back((wanted ? "--" : "--no-") + std::string(group.name));
  }
  if (stacks && *stacks != usual_stacks()) {
    result.emplace_back("--stacks");
    result.emplace_back(name_of(*stacks));
  }
  if (host_samples) {
    result.emplace_back("--host-samples");
    result.push_back(text_of_host_samples(*host_samples));
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
    if (part.starts_with(stacks_part)) {
      request.stacks = stacks_of(part.substr(stacks_part.size()));
    }
    if (part.starts_with(samples_part)) {
      request.host_samples = host_samples_of(part.substr(samples_part.size()));
    }
    for (const GroupText& group : texts) {
      if (!part.empty() && part.substr(1) == group.name) request.set(group.group, part[0] == '+');
    }
  }
  return request;
}

bool Capture::is_everything() const {
  return trigger == Trigger::start && delay.count() == 0 && !duration && !max_bytes;
}

// Returns the capture as "delay=500;size=1000000;range=nvtx:step", for example. Times are in ms,
// and sizes in bytes. The range comes last, because its name may contain any character.
std::string Capture::text() const {
  std::string result;
  if (delay.count() > 0) result += std::string(delay_part) + std::to_string(delay.count()) + ";";
  if (duration) result += std::string(duration_part) + std::to_string(duration->count()) + ";";
  if (max_bytes) result += std::string(size_part) + std::to_string(*max_bytes) + ";";
  if (trigger == Trigger::command) result += std::string(armed) + ";";
  if (trigger == Trigger::profiler_api) {
    result += std::string(range_part) + std::string(profiler_api);
  } else if (trigger == Trigger::nvtx) {
    result += std::string(range_part) + std::string(nvtx) + range;
  }
  return result;
}

std::vector<std::string> Capture::arguments() const {
  std::vector<std::string> result;
  const auto add = [&](const char* option, std::string value) {
    result.emplace_back(option);
    result.push_back(std::move(value));
  };
  if (delay.count() > 0) add("--delay", seconds(delay));
  if (duration) add("--duration", seconds(*duration));
  if (max_bytes) add("--max-size", std::to_string(*max_bytes));
  if (trigger == Trigger::profiler_api) add("--capture-range", std::string(profiler_api));
  if (trigger == Trigger::nvtx) add("--capture-range", std::string(nvtx) + range);
  if (trigger == Trigger::command) result.emplace_back("--armed");
  return result;
}

Capture Capture::from_text(std::string_view text) {
  Capture capture;
  while (!text.empty()) {
    if (text.starts_with(range_part)) {
      capture.set_range(text.substr(range_part.size()));
      break;
    }
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
    if (part == armed) capture.trigger = Trigger::command;
    const auto value_of = [part](std::string_view name) {
      return part.starts_with(name) ? number(part.substr(name.size())) : std::nullopt;
    };
    if (const auto ms = value_of(delay_part)) capture.delay = std::chrono::milliseconds(*ms);
    if (const auto ms = value_of(duration_part)) capture.duration = std::chrono::milliseconds(*ms);
    if (const auto bytes = value_of(size_part)) capture.max_bytes = *bytes;
  }
  return capture;
}

bool Capture::set_range(std::string_view text) {
  if (text == profiler_api) {
    trigger = Trigger::profiler_api;
    return true;
  }
  if (!text.starts_with(nvtx) || text.size() == nvtx.size()) return false;
  trigger = Trigger::nvtx;
  range = text.substr(nvtx.size());
  return true;
}

}  // namespace lapscope::request
