#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/trace.h"

// A test draws its timeline as text, and these functions make ops from it. A character is one
// nanosecond, and a run of equal letters is one op. '.' means that no op runs. '|' is an op of 0
// ns, just before the instant of the next character.
//
//   0123456789
//   AAA..BBCC.     A is [0,3), B is [5,7), and C is [7,9)
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

// Makes ops from lanes: a letter for the engine, a space and the picture. K computes, H copies to
// the device, D copies to the host, O makes other copies. Each lane is a stream, numbered from 1.
analyzer::Ops ops_in(std::initializer_list<std::string_view> lanes);

// Appends an op without a call, name, shape, channel or memory.
void add_op(analyzer::Ops& ops, analyzer::Interval interval, analyzer::Engine engine,
            std::uint32_t stream = 1);

// Returns the same ops in the order that Ops requires.
analyzer::Ops in_order(const analyzer::Ops& ops);

// Makes a device with these ops, in sorted order. Adds a stream of id n for each stream number n.
analyzer::Device device_with(const analyzer::Ops& ops);

// Makes the input of the measures from ops in any order. The limits of the device are unknown.
analyzer::Activity activity_of(const analyzer::Ops& ops);
analyzer::Activity activity_within(const analyzer::Ops& ops, analyzer::Interval window);

}  // namespace lapscope::test
