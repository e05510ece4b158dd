#include "collector/request/capture.h"

#include <charconv>
#include <utility>

namespace lapscope::request {
namespace {

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
