#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "analyzer/gate/gate.h"
#include "analyzer/intervals/units.h"

// Parses conditions as users write them. All functions may throw ConditionError.
namespace lapscope::analyzer {

// An error in a condition or in a gate. what() suggests a correct text. It does not name the option
// or the file.
class ConditionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Returns the measure of this name. The error for an unknown name suggests a similar one.
const Measure& parse_measure(std::string_view name);

// Returns a measure that can be compared with a baseline. Throws if neither greater nor smaller
// values of the measure are better.
const Measure& parse_compared(std::string_view name);

// Returns a share from 0 to 1, from a text such as "0.05" or "5%".
Share parse_share(std::string_view text);

GateScope parse_scope(std::string_view name);

OverRanks parse_over(std::string_view name);

// Returns the text. Throws if the text is not in `allowances`.
std::string parse_allowance(std::string_view text);

// Returns a bound. Throws if the measure can never meet the bound, or always meets it.
Bound parse_bound(const Measure& measure, Sense sense, std::string_view value);

// Returns a bound from a text such as "copy_hidden=0.8".
Bound parse_bound(Sense sense, std::string_view text);

// Returns a ban from a text such as "default-stream-barrier", or "default-stream-barrier=2%" if
// savings up to 2 % are allowed.
Ban parse_ban(std::string_view text);

// Adds the ban that a text describes, as for parse_ban(). The cause can also be a cause between
// ranks, as in "straggler=5%".
void add_ban(Gate& gate, std::string_view text, const Place& place);

// Sets one field of a tolerance, unless the field already has a larger value. The unit of the text
// selects the field: "5%" sets `relative`, "0.02" sets `ratio`, and "200us" sets `ns`.
void add_tolerance(Tolerance& tolerance, std::string_view text);

}  // namespace lapscope::analyzer
