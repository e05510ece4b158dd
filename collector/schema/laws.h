#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Laws are conditions that hold in every trace that the collector wrote. A trace that breaks a law
// is not as the collector wrote it. One condition is not in this list: each value lies in the
// domain of its column (table.h).
namespace lapscope::schema {

// For each law: its C++ name, its code, and its text. The text completes a sentence that begins
// with "In a recording".
#define LAPSCOPE_LAWS(LAW)                                                                         \
  LAW(facts, "facts", "LAPSCOPE_CAPTURE has the facts that lapscope always writes")                \
  LAW(counted, "counted", "each kind of record has a row in LAPSCOPE_RECORDS")                     \
  LAW(received, "received", "each table has at most one row for each received record of its kind") \
  LAW(names_once, "names-once", "StringIds has each name only once")                               \
  LAW(one_function, "one-function",                                                                \
      "a function has one name and one callback id, and the name of a runtime function begins "    \
      "with cuda")                                                                                 \
  LAW(ids_of_calls, "ids-of-calls", "each call of a process has its own correlation id")           \
  LAW(calls_return, "calls-return",                                                                \
      "a call ends after it begins, and a call inside another call is a driver call inside a "     \
      "runtime call")                                                                              \
  LAW(waits_end, "waits-end", "a call that waits ends after the work that it waits for")           \
  LAW(kinds_of_waits, "kinds-of-waits",                                                            \
      "the record of a wait belongs to a call that waits in this way, and the record of an event " \
      "belongs to a call that records events")                                                     \
  LAW(events_recorded, "events-recorded",                                                          \
      "the record of a wait for an event refers to a record of the same event")                    \
  LAW(known_streams, "known-streams",                                                              \
      "the trace lists the streams and contexts of ops, waits and events, and an op runs on the "  \
      "device of its context")                                                                     \
  LAW(null_streams, "null-streams",                                                                \
      "a context has one legacy default stream, and nullStreamId is the id of this stream")        \
  LAW(gpus_listed, "gpus-listed",                                                                  \
      "the trace lists each device once, with the number and the limits of its multiprocessors")   \
  LAW(links, "links",                                                                              \
      "each link is a pcie or nvlink link with a rate above 0, its uuid is the uuid of its GPU, "  \
      "and no link is missing")                                                                    \
  LAW(known_threads, "known-threads",                                                              \
      "a thread that calls CUDA, or loads a module, is in ThreadNames")                            \
  LAW(one_kernel_a_launch, "one-kernel-a-launch", "a launch call launches only one kernel")        \
  LAW(issued_so, "issued-so", "the call that issued an op is a call that issues ops of this kind") \
  LAW(all_issued, "all-issued", "for each op, the trace has the call that issued the op")          \
  LAW(in_order, "in-order",                                                                        \
      "an op starts after its call starts, and ends before the recording ends")                    \
  LAW(all_finished, "all-finished", "each op has an end")                                          \
  LAW(directions, "directions",                                                                    \
      "the source and the target of a copy match the direction of the copy")                       \
  LAW(channels, "channels", "kernels run on compute channels, and a channel has one type")         \
  LAW(overheads_nest, "overheads-nest",                                                            \
      "for each call of its thread, an overhead lies inside the call, contains the call, or does " \
      "not overlap with it")                                                                       \
  LAW(graphs, "graphs",                                                                            \
      "an edge leads from one node of a graph to another node of the same graph, and a kernel in " \
      "a graph belongs to a kernel node")

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
