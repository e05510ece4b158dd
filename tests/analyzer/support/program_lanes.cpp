#include "tests/analyzer/support/program_lanes.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace lapscope::test {
namespace {

Words words_in(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) {
    if (word.back() == ',') word.pop_back();
    words.push_back(word);
  }
  return words;
}

std::vector<Words> lines_in(std::string_view drawing) {
  std::istringstream stream{std::string(drawing)};
  std::vector<Words> lines;
  for (std::string line; std::getline(stream, line);) {
    if (Words words = words_in(line); !words.empty()) lines.push_back(std::move(words));
  }
  return lines;
}

bool is_legend(const Words& line) { return line.size() > 1 && line[1] == "="; }

}  // namespace

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string text_behind(const Words& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() || std::next(found) == words.end() ? "" : *std::next(found);
}

std::int64_t number_behind(const Words& words, std::string_view word, std::int64_t otherwise) {
  const std::string text = text_behind(words, word);
  return text.empty() ? otherwise : std::stoll(text);
}

std::vector<Lane> lanes_in(std::string_view drawing) {
  std::vector<Lane> lanes;
  for (const Words& line : lines_in(drawing)) {
    if (is_legend(line)) continue;
    if (line.size() < 3) throw_invalid("neither a lane nor a legend: " + line[0]);
    Lane lane{line[0], static_cast<std::uint32_t>(std::stoul(line[1])), {}, runs_in(line.back())};
    lane.words.assign(line.begin() + 2, line.end() - 1);
    lanes.push_back(std::move(lane));
  }
  std::stable_sort(lanes.begin(), lanes.end(), [](const Lane& a, const Lane& b) {
    return std::make_pair(a.pid(), a.number) < std::make_pair(b.pid(), b.number);
  });
  return lanes;
}

std::map<char, Words> legend_in(std::string_view drawing) {
  std::map<char, Words> legend;
  for (const Words& line : lines_in(drawing)) {
    if (!is_legend(line)) continue;
    for (const char letter : line[0]) legend[letter] = {line.begin() + 2, line.end()};
  }
  return legend;
}

void throw_invalid(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace lapscope::test
