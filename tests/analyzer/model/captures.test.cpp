#include "analyzer/model/captures.h"

#include <map>

#include "collector/schema/global_id.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t capturing_thread = schema::global_tid(7, 1);

// Makes calls of one thread. The keys of `functions` are the starts of the calls, in ns. Each call
// lasts 1 ns.
Trace with_functions(const std::map<std::int64_t, const char*>& functions) {
  Trace trace;
  std::map<std::string, std::uint32_t> names;
  for (const auto& [start, function] : functions) {
    const auto [name, is_new] = names.try_emplace(function, trace.names.size());
    if (is_new) trace.names.add(static_cast<std::int64_t>(name->second), function);
    trace.calls.start.push_back(start);
    trace.calls.end.push_back(start + 1);
    trace.calls.name.push_back(name->second);
    trace.calls.kind.push_back(CallKind::other);
  }
  const auto count = static_cast<std::uint32_t>(functions.size());
  trace.calls.threads.push_back({capturing_thread, 0, count, count});
  return trace;
}

// Returns the starts of calls that may have been captured.
std::vector<std::int64_t> captured(const Trace& trace) {
  const Captures captures(trace);
  std::vector<std::int64_t> starts;
  for (std::uint32_t call = 0; call < trace.calls.size(); ++call) {
    if (captures.may_hold(trace.calls, call)) starts.push_back(trace.calls.start[call]);
  }
  return starts;
}

constexpr const char* begin_capture = "cudaStreamBeginCapture_v10000";
constexpr const char* end_capture = "cuStreamEndCapture";
constexpr const char* event_call = "cudaEventRecord_v3020";

TEST_CASE("calls between the begin and the end of a capture may be captured") {
  CHECK(captured(with_functions({{1, event_call},
                                 {2, begin_capture},
                                 {3, event_call},
                                 {4, end_capture},
                                 {5, event_call},
                                 {6, begin_capture},
                                 {7, event_call},
                                 {8, end_capture},
                                 {9, event_call}})) == std::vector<std::int64_t>{2, 3, 4, 6, 7, 8});
}

TEST_CASE("two captures last until both have ended") {
  CHECK(captured(with_functions({{1, begin_capture},
                                 {2, begin_capture},
                                 {3, end_capture},
                                 {4, event_call},
                                 {5, end_capture},
                                 {6, event_call}})) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("a capture without a recorded begin or end lasts to the begin or end of the trace") {
  CHECK(captured(with_functions({{1, event_call},
                                 {2, end_capture},
                                 {3, event_call},
                                 {4, begin_capture},
                                 {5, event_call}})) == std::vector<std::int64_t>{1, 2, 4, 5});
}

TEST_CASE("without calls that begin or end captures, no call is captured") {
  CHECK(captured(with_functions({{1, event_call}})).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
