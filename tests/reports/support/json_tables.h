#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

// Writes JSON in a compact form, so that people review its content and not its layout.
namespace lapscope::test {

// Returns the members of these documents and their types, one per line. The names of measures and
// causes are combined as *. Entries of an array are combined as []. If a shape was shown before
// under the same name, the line refers to it:
//
//   devices[].ranges[].findings: as devices[].findings
std::string json_shape(std::span<const nlohmann::json> documents);

// Returns all values of a document: a line for each member, and a table for arrays and maps of
// objects.
std::string json_tables(const nlohmann::json& document);

}  // namespace lapscope::test
