#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collector/request/capture.h"

// What the user asked the collector to record: given to `lapscope record`, handed on to the
// collector in the environment.
namespace lapscope::request {

// Records that are taken or left together. Kernels, copies, memsets, the calls that issue them,
// devices, contexts and streams are always recorded: without them the rest means nothing.
enum class Group : std::uint8_t {
  always,
  driver_calls,
  nvtx,
  synchronization,
  events,
  overhead,
  compilation,
  callbacks,
  links,
  // from here on only when asked for
  light,      // a preset: leaves out what measures do not need
  all_calls,  // a preset: adds what no conclusion needs
  memory,
  event_times,
  launch_attributes,
  graph_level,
  unified_memory,
  latency,
};

struct GroupText {
  Group group;
  std::string_view name;  // as in --NAME and --no-NAME
  bool by_default;
  std::string_view what;  // completes "Record …", or "Do not record …"
};

// Every group but `always`.
std::span<const GroupText> groups();

// The calls whose stacks are captured.
enum class Stacks : std::uint8_t {
  off,
  findings,  // of those that can block or are rare, and a sample of the others
  all,
};
std::string_view name_of(Stacks stacks);
std::optional<Stacks> stacks_of(std::string_view name);

// "off", or a number up to Request::most_host_samples; nothing for other text.
std::optional<unsigned> host_samples_of(std::string_view text);
std::string text_of_host_samples(unsigned rate);

class Request {
 public:
  // What set() said of the group, else what a preset that is wanted says, else the default.
  bool wants(Group group) const;
  void set(Group group, bool wanted);

  // Whether a CUPTI client inside the program, a framework's profiler say, is to find CUPTI free.
  bool yields_to_app = false;

  // What was asked for; without it, findings, but off where only measures are wanted or CUPTI's
  // callbacks are another's.
  std::optional<Stacks> stacks;
  Stacks wanted_stacks() const {
    return yields_to_app ? Stacks::off : stacks.value_or(usual_stacks());
  }

  // Looks a second at what threads of the host do; 0: none. Without a choice, usual_host_samples
  // where call stacks are captured: names are what they are for.
  static constexpr unsigned usual_host_samples = 100;
  static constexpr unsigned most_host_samples = 1000;
  std::optional<unsigned> host_samples;
  unsigned wanted_host_samples() const {
    if (yields_to_app) return 0;
    return host_samples.value_or(wanted_stacks() == Stacks::off ? 0 : usual_host_samples);
  }

  // Which part of the run. No part of text(): it travels in a variable of its own.
  Capture capture;

  // The options of `lapscope record` that ask for this. Only what differs from what is recorded
  // without them.
  std::vector<std::string> arguments() const;

  // A short text without spaces, for an environment variable. Only what differs, likewise.
  std::string text() const;
  // What text() gave. Parts that are not understood, from another version, are passed over.
  static Request from_text(std::string_view text);

 private:
  bool without_choice(Group group) const;
  Stacks usual_stacks() const { return wants(Group::light) ? Stacks::off : Stacks::findings; }

  // A bit for each group: whether it was set, and to what.
  std::uint32_t set_ = 0;
  std::uint32_t wanted_ = 0;
};

}  // namespace lapscope::request
