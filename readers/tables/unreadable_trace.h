#pragma once

#include <stdexcept>

namespace lapscope::analyzer {

// A file that cannot be analyzed. what() is a sentence for the user that names the file.
class UnreadableTrace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lapscope::analyzer
