#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

// Writes JSON in a compact form for reviewers, who need the content and not the layout.
namespace lapscope::test {

// Returns the members of these documents and their types, one per line. [] stands for all entries
// of an array, and * for the names of all measures or causes. A line can refer to an earlier line
// with the same name and members:
//
//   devices[].ranges[].findings: as devices[].findings
std::string json_shape(std::span<const nlohmann::json> documents);

// Returns all values of a document. Each member is a line. An array or map of objects is a table.
std::string json_tables(const nlohmann::json& document);

}  // namespace lapscope::test
