#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which part of a run the user asked to record.
namespace lapscope::request {

// One interval: from when its trigger fires until the first thing that ends it. Times are the
// program's, as CUPTI records them.
struct Capture {
  enum class Trigger : std::uint8_t {
    start,         // the program's first use of CUDA
    profiler_api,  // from its cudaProfilerStart to its cudaProfilerStop, the first time
    nvtx,          // an NVTX range of that name, the first time
    command,       // `lapscope ctl`, each time: a trace for each interval, and nothing in between
  };
  Trigger trigger = Trigger::start;
  std::string range;                   // of Trigger::nvtx
  std::chrono::milliseconds delay{0};  // from the first use of CUDA; triggers before it do nothing
  std::optional<std::chrono::milliseconds> duration;  // of the interval
  std::optional<std::int64_t> max_bytes;              // of the trace; the interval ends there

  // Whether all of the run is to be recorded.
  bool is_everything() const;
  // Whether nothing is, until `lapscope ctl` says so.
  bool is_armed() const { return trigger == Trigger::command; }

  // For an environment variable. Empty when everything is to be recorded.
  std::string text() const;
  // What text() gave. Parts that are not understood, from another version, are passed over.
  static Capture from_text(std::string_view text);

  // The options of `lapscope record` that ask for it: "--delay", "0.5" and so on.
  std::vector<std::string> arguments() const;

  // Sets the range as the user writes it: cudaProfilerApi, or nvtx:NAME. False if it is neither.
  bool set_range(std::string_view text);
};

}  // namespace lapscope::request
