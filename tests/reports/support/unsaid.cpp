#include "tests/reports/support/unsaid.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace lapscope::test {
namespace {

constexpr std::size_t least_words = 4;

// A word, or a break between two runs of words. For a break, `word` is empty.
struct Token {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string word;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// Removes what differs between output formats: escapes, Markdown marks such as `*`, and punctuation
// at the end of a word.
std::string plain(std::string_view raw) {
  std::string word(raw);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entities = {
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&#39;", "'"}, {"&quot;", "\""}, {"&amp;", "&"}}};
  for (const auto& [entity, character] : entities) replace_all(word, entity, character);
  std::erase_if(word,
                [](char c) { return std::string_view("\\`*\"").find(c) != std::string::npos; });
  const std::size_t last = word.find_last_not_of(".,:;");
  return last == std::string::npos ? word : word.substr(0, last + 1);
}

bool is_space(char c) { return c == ' ' || c == '\n'; }

// Returns the length of the break that begins at this place, or 0. A break is a bar of a table or a
// tag. A tag with a title has two breaks: one before the text of the title, and one behind it.
std::size_t break_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.front() == '|') return at > 0 && text[at - 1] == '\\' ? 0 : 1;
  if (rest.starts_with("\">")) return 2;
  if (rest.size() < 2 || rest.front() != '<') return 0;
  if (std::isalpha(static_cast<unsigned char>(rest[1])) == 0 && rest[1] != '/') return 0;
  const std::size_t end = rest.find('>');
  if (end == std::string_view::npos) return 0;
  constexpr std::string_view title = " title=\"";
  const std::size_t titled = rest.substr(0, end).find(title);
  return titled == std::string_view::npos ? end + 1 : titled + title.size();
}

// Returns whether a word is a strip of block characters, U+2581 to U+2588.
bool is_picture(std::string_view word) { return word.starts_with("\xe2\x96"); }

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (is_space(text[at])) {
      while (end < text.size() && is_space(text[end])) ++end;
      const std::string_view space = text.substr(at, end - at);
      if (space.size() > 1 && space.find('\n') == std::string_view::npos) {
        tokens.push_back({at, end, ""});
      }
    } else if (const std::size_t length = break_at(text, at); length > 0) {
      end = at + length;
      tokens.push_back({at, end, ""});
    } else {
      while (end < text.size() && !is_space(text[end]) && break_at(text, end) == 0) ++end;
      const std::string_view raw = text.substr(at, end - at);
      const bool is_break = is_picture(raw) || raw.starts_with("--");
      std::string word = is_break ? std::string() : plain(raw);
      if (!word.empty() || is_break) tokens.push_back({at, end, std::move(word)});
    }
    at = end;
  }
  return tokens;
}

using Words = std::vector<std::string>;

// Returns the words of `count` tokens from `first` on, or nothing if one of them is a break.
Words run_of(const std::vector<Token>& tokens, std::size_t first, std::size_t count) {
  Words words;
  for (std::size_t i = first; i < first + count; ++i) {
    if (tokens[i].word.empty()) return {};
    words.push_back(tokens[i].word);
  }
  return words;
}

// Returns whether a run has words, not only figures and units.
bool has_words(const Words& run) {
  const auto is_word = [](const std::string& word) {
    return word.size() > 2 && std::isalpha(static_cast<unsigned char>(word.front())) != 0;
  };
  return std::count_if(run.begin(), run.end(), is_word) >= 2;
}

// Returns whether a tag begins the heading of a table or section.
bool begins_heading(std::string_view tag) {
  for (const std::string_view name : {"<th", "<caption", "<summary", "<h2", "<h3"}) {
    if (tag.starts_with(name) && !tag.starts_with("<thead")) return true;
  }
  return false;
}

// Returns, for each token, whether unsaid() replaces it.
std::vector<bool> covered(std::string_view rendering, const std::vector<Token>& tokens,
                          const std::vector<Token>& said) {
  std::set<Words> runs;
  std::set<Words> short_runs;  // possible headings
  for (std::size_t i = 0; i < said.size(); ++i) {
    for (std::size_t count = 1; count <= least_words && i + count <= said.size(); ++count) {
      Words words = run_of(said, i, count);
      if (!words.empty()) (count == least_words ? runs : short_runs).insert(std::move(words));
    }
  }
  std::vector<bool> is_covered(tokens.size(), false);
  const auto cover = [&is_covered](std::size_t first, std::size_t count, bool value = true) {
    for (std::size_t i = first; i < first + count; ++i) is_covered[i] = value;
  };
  for (std::size_t i = 0; i + least_words <= tokens.size(); ++i) {
    if (runs.contains(run_of(tokens, i, least_words))) cover(i, least_words);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t end = i;
    while (end < tokens.size() && is_covered[end]) ++end;
    if (!has_words(run_of(tokens, i, end - i))) cover(i, end - i, false);
    i = std::max(i, end);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!begins_heading(rendering.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)))
      continue;
    std::size_t count = 0;
    while (i + 1 + count < tokens.size() && !tokens[i + 1 + count].word.empty()) ++count;
    if (count > 0 && short_runs.contains(run_of(tokens, i + 1, count))) cover(i + 1, count);
  }
  return is_covered;
}

}  // namespace

std::string unsaid(std::string_view rendering, std::string_view said) {
  const std::vector<Token> tokens = tokens_of(rendering);
  const std::vector<bool> is_covered = covered(rendering, tokens, tokens_of(said));
  std::string text;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_covered[i]) continue;
    text += rendering.substr(kept, tokens[i].begin - kept);
    text += "…";
    while (i + 1 < tokens.size() && is_covered[i + 1]) ++i;
    kept = tokens[i].end;
  }
  text += rendering.substr(kept);
  return text;
}

}  // namespace lapscope::test
