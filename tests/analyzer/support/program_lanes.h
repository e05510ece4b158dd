#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/analyzer/support/picture.h"

// Parses the lines of a drawn program (tests/analyzer/support/program.h).
namespace lapscope::test {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word);
// Returns the word that follows `word`, or an empty text.
std::string text_behind(const Words& words, std::string_view word);
std::int64_t number_behind(const Words& words, std::string_view word, std::int64_t otherwise);

struct Lane {
  std::string key;  // thread, loading, samples, stream, blocking, legacy
  std::uint32_t number = 0;
  Words words;  // the words that follow
  std::vector<Run> runs;

  bool is_stream() const { return key != "thread" && key != "loading" && key != "samples"; }
  std::uint32_t pid() const { return id("process", 1); }
  std::uint32_t id(std::string_view word, std::int64_t otherwise) const {
    return static_cast<std::uint32_t>(number_behind(words, word, otherwise));
  }
};

// Returns the lanes, sorted by process and number.
std::vector<Lane> lanes_in(std::string_view drawing);

// Returns the words that explain each letter.
std::map<char, Words> legend_in(std::string_view drawing);

[[noreturn]] void throw_invalid(const std::string& what);

}  // namespace lapscope::test
