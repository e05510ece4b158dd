#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

// The arguments of `main`.
class CommandLine {
 public:
  CommandLine(std::string program, std::vector<std::string> arguments)
      : words_(std::move(arguments)) {
    words_.insert(words_.begin(), std::move(program));
    for (auto& word : words_) pointers_.push_back(word.data());
  }
  CommandLine(const CommandLine&) = delete;  // The pointers refer to the words inside.
  CommandLine& operator=(const CommandLine&) = delete;

  int argc() const { return static_cast<int>(pointers_.size()); }
  char** argv() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

// Calls `parse`. Returns the message of the UsageError that it throws, or "".
inline std::string usage_error_of(const std::function<void()>& parse) {
  try {
    parse();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace lapscope::workloads
