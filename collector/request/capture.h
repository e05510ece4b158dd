#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The part of a run that is recorded, as the user chose it.
namespace lapscope::request {

// One interval of the run. The interval begins when its trigger fires. It ends at the trigger's end
// (for example cudaProfilerStop), when `duration` has passed, or when the trace reaches
// `max_bytes`, whichever comes first. The timestamps in CUPTI's records decide when a trigger
// fires, and when a delay or a duration has passed.
struct Capture {
  enum class Trigger : std::uint8_t {
    start,         // the program's first use of CUDA
    profiler_api,  // the first cudaProfilerStart, until cudaProfilerStop
    nvtx,          // the first NVTX range named `range`
    command,       // `lapscope ctl`; each of its intervals gets a trace of its own
  };
  Trigger trigger = Trigger::start;
  std::string range;                   // name of the NVTX range, for Trigger::nvtx
  std::chrono::milliseconds delay{0};  // after the first use of CUDA; ignores earlier triggers
  std::optional<std::chrono::milliseconds> duration;  // length of the interval
  std::optional<std::int64_t> max_bytes;              // size of the trace that ends the interval

  // Returns whether the whole run is to be recorded.
  bool is_everything() const;
  // Returns whether recording waits for `lapscope ctl`.
  bool is_armed() const { return trigger == Trigger::command; }

  // Returns the capture as a text for an environment variable; empty if all of the run is to be
  // recorded.
  std::string text() const;
  // Parses the result of text(). Ignores unknown parts, because another version of lapscope may
  // have written the text.
  static Capture from_text(std::string_view text);

  // Returns the options of `lapscope record` for this capture: "--delay", "0.500" and so on.
  std::vector<std::string> arguments() const;

  // Sets the trigger. `text` is the range as the user writes it: cudaProfilerApi or nvtx:NAME.
  // Returns false for any other text.
  bool set_range(std::string_view text);
};

}  // namespace lapscope::request
