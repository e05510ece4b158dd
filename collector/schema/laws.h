#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Laws are conditions that hold in every trace that the collector wrote. If a trace breaks a law,
// the trace is not as the collector recorded it. One condition is not in this list: each value lies
// in the domain of its column (table.h).
namespace lapscope::schema {

// For each law: its C++ name, its code, and its text. The text completes a sentence that begins
// with "In a trace".
#define LAPSCOPE_LAWS(LAW)                                                                        \
  LAW(facts, "facts", "LAPSCOPE_CAPTURE has the facts that every recording begins with")          \
  LAW(counted, "counted", "each kind of record has a row in LAPSCOPE_RECORDS")                    \
  LAW(received, "received", "no table has more rows than records of its kind were received")      \
  LAW(names_once, "names-once", "each name is in StringIds once")                                 \
  LAW(one_function, "one-function",                                                               \
      "a function has one name and one callback id, and the name of a runtime function begins "   \
      "with cuda")                                                                                \
  LAW(ids_of_calls, "ids-of-calls", "no two calls of a process have the same correlation id")     \
  LAW(calls_return, "calls-return",                                                               \
      "a call ends after it begins, and if a call lies inside another call, it is a driver call " \
      "inside a runtime call")                                                                    \
  LAW(waits_end, "waits-end", "a call that waits ends after the work that it waits for")          \
  LAW(kinds_of_waits, "kinds-of-waits",                                                           \
      "a record of a wait belongs to a call of a function that waits in this way, and a record "  \
      "of an event belongs to a call of a function that records events")                          \
  LAW(events_recorded, "events-recorded", "a wait for an event names a record of this event")     \
  LAW(known_streams, "known-streams",                                                             \
      "the streams and contexts of ops, waits and events are listed, and an op runs on the "      \
      "device of its context")                                                                    \
  LAW(null_streams, "null-streams", "a context has one legacy default stream, its null stream")   \
  LAW(gpus_listed, "gpus-listed",                                                                 \
      "each device is listed once, with the number and the limits of its multiprocessors")        \
  LAW(links, "links",                                                                             \
      "a link has a possible kind and rate, its GPU is the GPU that is listed, and no link is "   \
      "missing")                                                                                  \
  LAW(known_threads, "known-threads",                                                             \
      "a thread that calls CUDA, or loads a module, is in ThreadNames")                           \
  LAW(one_kernel_a_launch, "one-kernel-a-launch", "a launch has one kernel")                      \
  LAW(issued_so, "issued-so", "an op is issued by a call that issues ops of this kind")           \
  LAW(all_issued, "all-issued", "the call that issued an op is in the trace")                     \
  LAW(in_order, "in-order", "an op starts after its call and ends before the recording")          \
  LAW(all_finished, "all-finished", "an op ends before the recording does")                       \
  LAW(directions, "directions", "a copy goes from and to the memory that its direction says")     \
  LAW(channels, "channels", "kernels run on compute channels, and a channel has one type")        \
  LAW(overheads_nest, "overheads-nest",                                                           \
      "an overhead of a thread lies inside a call, around calls, or between calls of this "       \
      "thread, and does not cross the begin or end of a call")                                    \
  LAW(graphs, "graphs",                                                                           \
      "an edge of a graph leads from one node of this graph to another, and a kernel in a graph " \
      "belongs to a kernel node")

enum class Law : std::uint8_t {
#define LAPSCOPE_LAW_NAME(name, code, says) name,
  LAPSCOPE_LAWS(LAPSCOPE_LAW_NAME)
#undef LAPSCOPE_LAW_NAME
};

struct LawText {
  std::string_view code;
  std::string_view says;
};

// Indexed by Law.
inline constexpr std::array law_texts = {
#define LAPSCOPE_LAW_TEXT(name, code, says) LawText{code, says},
    LAPSCOPE_LAWS(LAPSCOPE_LAW_TEXT)
#undef LAPSCOPE_LAW_TEXT
};

}  // namespace lapscope::schema
