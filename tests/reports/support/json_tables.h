#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

// JSON in fewer lines than it has, to approve what it says and not how it is laid out.
namespace lapscope::test {

// The members that any of these have, and their types: a line each, below one another. Members of
// objects that are named by measures or causes stand as one, *; members of an array's entries as
// one, []. What was shown before under the same name is not shown again:
//
//   devices[].ranges[].findings: as devices[].findings
std::string json_shape(std::span<const nlohmann::json> documents);

// All values of a document: a line for each member, and a table for arrays and maps of objects.
std::string json_tables(const nlohmann::json& document);

}  // namespace lapscope::test
