#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// What holds in every trace that the collector wrote, besides the domain of each column (table.h).
// A trace in which it does not hold is not as it was recorded.
namespace lapscope::schema {

// Each law: its name here, its code, and what it says, to be read after "In a trace".
#define LAPSCOPE_LAWS(LAW)                                                                      \
  LAW(facts, "facts", "LAPSCOPE_CAPTURE has the facts that every recording begins with")        \
  LAW(counted, "counted", "each kind of record has a row in LAPSCOPE_RECORDS")                  \
  LAW(received, "received", "no table has more rows than records came")                         \
  LAW(names_once, "names-once", "each name is in StringIds once")                               \
  LAW(one_function, "one-function",                                                             \
      "a function has one name and one callback id, and the names of the runtime's begin with " \
      "cuda")                                                                                   \
  LAW(ids_of_calls, "ids-of-calls", "no two calls of a process have the same correlation id")   \
  LAW(calls_return, "calls-return",                                                             \
      "a call ends after it begins, and lies in no other but one of the driver in one of the "  \
      "runtime")                                                                                \
  LAW(waits_end, "waits-end", "a call that waits ends after what it waits for")                 \
  LAW(kinds_of_waits, "kinds-of-waits",                                                         \
      "a record of a wait or an event is of a call of a function that waits so, or records "    \
      "events")                                                                                 \
  LAW(events_recorded, "events-recorded", "a wait for an event names a record of it")           \
  LAW(known_streams, "known-streams",                                                           \
      "ops, waits and events are in streams and contexts that are listed, and an op on the "    \
      "device of its context")                                                                  \
  LAW(null_streams, "null-streams", "a context has one legacy default stream, its null stream") \
  LAW(gpus_listed, "gpus-listed",                                                               \
      "each device is listed once, with its multiprocessors and what they hold")                \
  LAW(links, "links",                                                                           \
      "a link is of a kind and rate that links have, and of a GPU that is listed, and all are " \
      "there")                                                                                  \
  LAW(known_threads, "known-threads",                                                           \
      "a thread that calls CUDA, or loads a module, is in ThreadNames")                         \
  LAW(one_kernel_a_launch, "one-kernel-a-launch", "a launch has one kernel")                    \
  LAW(issued_so, "issued-so", "an op is issued by a call that issues such ops")                 \
  LAW(all_issued, "all-issued", "the call that issued an op is there")                          \
  LAW(in_order, "in-order", "an op starts after its call and ends before the recording")        \
  LAW(all_finished, "all-finished", "an op ends before the recording does")                     \
  LAW(directions, "directions", "a copy goes from and to the memory that its direction says")   \
  LAW(channels, "channels", "kernels run on compute channels, and a channel has one type")      \
  LAW(overheads_nest, "overheads-nest",                                                         \
      "what stopped a thread lies within a call of it, or around it, or between calls")         \
  LAW(graphs, "graphs",                                                                         \
      "an edge of a graph leads from one of its nodes to another, and kernels are nodes of "    \
      "kernels")

enum class Law : std::uint8_t {
#define LAPSCOPE_LAW_NAME(name, code, says) name,
  LAPSCOPE_LAWS(LAPSCOPE_LAW_NAME)
#undef LAPSCOPE_LAW_NAME
};

struct LawText {
  std::string_view code;
  std::string_view says;
};

// By law.
inline constexpr std::array law_texts = {
#define LAPSCOPE_LAW_TEXT(name, code, says) LawText{code, says},
    LAPSCOPE_LAWS(LAPSCOPE_LAW_TEXT)
#undef LAPSCOPE_LAW_TEXT
};

}  // namespace lapscope::schema
