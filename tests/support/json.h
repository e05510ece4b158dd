#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

// Compiled once, with optimization: test code is compiled without, and a parser made of templates
// takes many times as long then.
namespace lapscope::test {

// Throw nlohmann::json::parse_error where the text is not JSON.
nlohmann::json parse_json(std::string_view text);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace lapscope::test
