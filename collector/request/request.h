#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The user's request: which records the collector shall write. `lapscope record` passes the request
// to the collector in environment variables.
namespace lapscope::request {

// Groups of records that are switched on or off together. Kernels, copies, memsets, the calls that
// issue them, devices, contexts and streams are always recorded. Without these records, the records
// of other groups have no meaning.
enum class Group : std::uint8_t {
  always,
  driver_calls,
  nvtx,
  synchronization,
  events,
  overhead,
  callbacks,
  links,
  // groups from here on are off by default
  light,      // a preset: leaves out what measures do not need
  all_calls,  // a preset: adds records that no analysis needs
  memory,
  event_times,
  launch_attributes,
  graph_level,
  unified_memory,
  latency,
  compilation,
};

struct GroupText {
  Group group;
  std::string_view name;  // as in --NAME and --no-NAME
  bool by_default;
  std::string_view what;  // completes "Record …", or "Do not record …"
};

// Returns all groups except `always`.
std::span<const GroupText> groups();

// The calls whose stacks are captured.
enum class Stacks : std::uint8_t {
  off,
  findings,  // of calls that can block or are rare, and a sample of the others
  all,
};
std::string_view name_of(Stacks stacks);
std::optional<Stacks> stacks_of(std::string_view name);

// Parses "off" (which means 0) or a number of samples per second, at most
// Request::most_host_samples. Returns nothing for any other text.
std::optional<unsigned> host_samples_of(std::string_view text);

// The part of a run that is recorded, as the user chose it: one interval. The interval begins when
// its trigger fires. It ends at the trigger's end (for example cudaProfilerStop), when `duration`
// has passed, or when the trace reaches `max_bytes`, whichever comes first. The timestamps in
// CUPTI's records decide when a trigger fires, and when a delay or a duration has passed.
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

class Request {
 public:
  // Returns whether to record the group. The first of these that applies decides: the last call of
  // set() for the group, a preset (Group::light or Group::all_calls), the default of the group.
  bool wants(Group group) const;
  void set(Group group, bool wanted);

  // True if the user allows another CUPTI client inside the program, such as a framework's
  // profiler.
  bool yields_to_app = false;

  // The user's choice of the call stacks to capture. Without a choice, the preset `light` captures
  // no stacks (Stacks::off), and all other requests capture Stacks::findings. If `yields_to_app` is
  // true, no stacks are captured, because another client may use CUPTI's callbacks.
  std::optional<Stacks> stacks;
  Stacks wanted_stacks() const {
    return yields_to_app ? Stacks::off : stacks.value_or(usual_stacks());
  }

  // The user's choice of the number of samples per second and host thread; 0 means no samples.
  // Without a choice, wanted_host_samples() returns usual_host_samples if call stacks are captured,
  // and 0 otherwise, because samples would have no stacks either. With `yields_to_app`,
  // wanted_host_samples() always returns 0.
  static constexpr unsigned usual_host_samples = 250;
  static constexpr unsigned most_host_samples = 1000;
  std::optional<unsigned> host_samples;
  unsigned wanted_host_samples() const {
    if (yields_to_app) return 0;
    return host_samples.value_or(wanted_stacks() == Stacks::off ? 0 : usual_host_samples);
  }

  // The part of the run to record. text() does not include the capture, because the capture has a
  // separate environment variable.
  Capture capture;

  // Returns the options of `lapscope record` for this request. Leaves out choices that equal the
  // default.
  std::vector<std::string> arguments() const;

  // Returns the request as a short text without spaces, for an environment variable. Leaves out
  // choices that equal the default.
  std::string text() const;
  // Parses the result of text(). Ignores unknown parts, because another version of lapscope may
  // have written the text.
  static Request from_text(std::string_view text);

 private:
  bool without_choice(Group group) const;
  Stacks usual_stacks() const { return wants(Group::light) ? Stacks::off : Stacks::findings; }

  // One bit per group: whether set() was called, and with which value.
  std::uint32_t set_ = 0;
  std::uint32_t wanted_ = 0;
};

}  // namespace lapscope::request
