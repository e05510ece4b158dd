#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

// Parses JSON. Unlike test code, the parser is compiled with optimization, which makes it many
// times as fast.
namespace lapscope::test {

// Throw nlohmann::json::parse_error if the text is not JSON.
nlohmann::json parse_json(std::string_view text);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace lapscope::test
