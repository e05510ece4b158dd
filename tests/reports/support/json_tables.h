#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

// Writes JSON in a compact form, for people who review its content and not its layout.
namespace lapscope::test {

// Returns the members of these documents and their types, one per line. [] stands for all entries
// of an array. * stands for the names of all measures or causes. If an earlier line has the same
// name and the same members, a line refers to it:
//
//   devices[].ranges[].findings: as devices[].findings
std::string json_shape(std::span<const nlohmann::json> documents);

// Returns all values of a document. Each member is a line. An array or map of objects is a table.
std::string json_tables(const nlohmann::json& document);

}  // namespace lapscope::test
