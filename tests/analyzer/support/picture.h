#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/trace.h"

// Tests draw their timelines, and the drawing is the data: one character is one nanosecond, a run
// of equal letters is one op, '.' is nothing. A '|' is an op of 0 ns just before the next
// character's instant.
//
//   0123456789
//   AAA..BBCC.     A is [0,3), B is [5,7), and C, which touches it, [7,9)
//   ..|.......     an op of 0 ns at 2; the rest of the line is one character longer for it
namespace lapscope::test {

// A run of equal letters; '|' for an op of 0 ns.
struct Run {
  char letter;
  analyzer::Interval interval;
};

std::vector<Run> runs_in(std::string_view picture);
std::vector<analyzer::Interval> intervals_in(std::string_view picture);
analyzer::IntervalSet set_in(std::string_view picture);

// The set drawn with '#', from 0 up to its end.
std::string drawn(const analyzer::IntervalSet& set);

// One line per lane: the engine's letter, a space, the picture. K compute, H to the device, D to
// the host, O other copies. Lanes of one engine are its streams, numbered by line from 1.
analyzer::Ops ops_in(std::initializer_list<std::string_view> lanes);

// One op more, at the end of the columns. Its call, name, shape, channel and memory
// are not known.
void add_op(analyzer::Ops& ops, analyzer::Interval interval, analyzer::Engine engine,
            std::uint32_t stream = 1);

// The same ops in the order that Ops demands.
analyzer::Ops in_order(const analyzer::Ops& ops);

// A device with these ops, in order, and a stream for each number: stream n has id n.
analyzer::Device device_with(const analyzer::Ops& ops);

// What the measures start from, for a device with these ops and no known limits; in any order.
analyzer::Activity activity_of(const analyzer::Ops& ops);
analyzer::Activity activity_within(const analyzer::Ops& ops, analyzer::Interval window);

}  // namespace lapscope::test
