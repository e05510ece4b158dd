#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "analyzer/gate/gate.h"
#include "analyzer/intervals/units.h"

// How people write conditions. Everything throws ConditionError.
namespace lapscope::analyzer {

// What a condition, or a gate as a whole, cannot be. what() says what was meant instead, without
// naming the option or file.
class ConditionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// One of measures(), or the name of the one that was meant in the error.
const Measure& parse_measure(std::string_view name);

// One of measures() that can be better or worse, for a baseline.
const Measure& parse_compared(std::string_view name);

// A share of one: "0.05" or "5%", from 0 to 1.
Share parse_share(std::string_view text);

// One of gate_scopes, by its name.
GateScope parse_scope(std::string_view name);

// One of over_ranks_choices, by its name.
OverRanks parse_over(std::string_view name);

// One of `allowances`.
std::string parse_allowance(std::string_view text);

// "0.8", "80%" for ratios; "8.5ms", "300 us" for times.
double parse_value(const Measure& measure, std::string_view text);

// A bound within what the measure can be.
Bound parse_bound(const Measure& measure, Sense sense, std::string_view value);

// "copy_hidden=0.8"
Bound parse_bound(Sense sense, std::string_view text);

// "default-stream-barrier", or "default-stream-barrier=2%" where what saves no more is allowed.
Ban parse_ban(std::string_view text);

// Adds a ban as of parse_ban, or one of the ranks of a run: "straggler=5%".
void add_ban(Gate& gate, std::string_view text, const Place& place);

// Sets the part that the text is about: "5%" relative, "0.02" for ratios, "200us" for times.
void add_tolerance(Tolerance& tolerance, std::string_view text);

}  // namespace lapscope::analyzer
