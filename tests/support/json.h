#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

// Parses JSON. Unlike tests, the parser is compiled with optimization, which makes it many times as
// fast.
namespace lapscope::test {

// Both throw nlohmann::json::parse_error if the text is not JSON.
nlohmann::json parse_json(std::string_view text);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace lapscope::test
