#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

// Parses JSON. The parser is compiled with optimization, unlike the tests. It is therefore many
// times as fast.
namespace lapscope::test {

// Throw nlohmann::json::parse_error if the text is not JSON.
nlohmann::json parse_json(std::string_view text);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace lapscope::test
