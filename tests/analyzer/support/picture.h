#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/trace.h"

// Tests draw their timelines, and the drawing is the data. One character is one nanosecond. A run
// of equal letters is one op, and '.' is nothing. A '|' is an op of 0 ns just before the instant of
// the next character.
//
//   0123456789
//   AAA..BBCC.     A is [0,3), B is [5,7), and C, which touches it, [7,9)
//   ..|.......     an op of 0 ns at 2. Its '|' makes the line one character longer
namespace lapscope::test {

// A run of equal letters, or '|' for an op of 0 ns.
struct Run {
  char letter;
  analyzer::Interval interval;
};

std::vector<Run> runs_in(std::string_view picture);
std::vector<analyzer::Interval> intervals_in(std::string_view picture);
analyzer::IntervalSet set_in(std::string_view picture);

// Draws a set with '#', from 0 to its end.
std::string drawn(const analyzer::IntervalSet& set);

// Makes ops from one line per lane: the engine's letter, a space and the picture. K is compute, H
// copies to the device, D copies to the host, O other copies. Each lane is a stream of its engine.
// Streams are numbered from 1 by line.
analyzer::Ops ops_in(std::initializer_list<std::string_view> lanes);

// Appends an op to the columns. Its call, name, shape, channel and memory are not known.
void add_op(analyzer::Ops& ops, analyzer::Interval interval, analyzer::Engine engine,
            std::uint32_t stream = 1);

// Returns the same ops in the order that Ops requires.
analyzer::Ops in_order(const analyzer::Ops& ops);

// Makes a device with these ops, sorted, and with a stream for each number. Stream n has id n.
analyzer::Device device_with(const analyzer::Ops& ops);

// Returns the input of the measures for a device with these ops, in any order. The device has no
// known limits.
analyzer::Activity activity_of(const analyzer::Ops& ops);
analyzer::Activity activity_within(const analyzer::Ops& ops, analyzer::Interval window);

}  // namespace lapscope::test
