#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collector/request/capture.h"

// What the user asked the collector to record: given to `lapscope record`, handed on to the
// collector in the environment.
namespace lapscope::request {

// Records that are taken or left together. Kernels, copies, memsets, runtime calls, devices,
// contexts and streams are always recorded: without them the rest means nothing.
enum class Group : std::uint8_t {
  always,
  driver_calls,
  nvtx,
  synchronization,
  events,
  memory,
  overhead,
  compilation,
  callbacks,
  links,
  // from here on only when asked for
  graph_level,
  unified_memory,
  latency,
};

struct GroupText {
  Group group;
  std::string_view name;  // as in --no-NAME, or --NAME when it must be asked for
  bool by_default;
  std::string_view what;  // completes "Record …", or "Do not record …"
};

// Every group but `always`.
std::span<const GroupText> groups();

class Request {
 public:
  Request();  // the groups that are recorded by default

  bool wants(Group group) const;
  void set(Group group, bool wanted);

  // Whether a CUPTI client inside the program, a framework's profiler say, is to find CUPTI free.
  bool yields_to_app = false;

  // Which part of the run. No part of text(): it travels in a variable of its own.
  Capture capture;

  // The options of `lapscope record` that ask for this. Only what differs from the default.
  std::vector<std::string> arguments() const;

  // A short text without spaces, for an environment variable. Only what differs from the default.
  std::string text() const;
  // What text() gave. Parts that are not understood, from another version, are passed over.
  static Request from_text(std::string_view text);

 private:
  std::uint32_t groups_ = 0;  // a bit for each
};

}  // namespace lapscope::request
