#include "collector/trace/kernel_name.h"

namespace lapscope::trace {
namespace {

constexpr std::string_view anonymous = "(anonymous namespace)";
constexpr std::string_view operator_call = "operator()";

// Returns the position of the parameter list. The list begins at the first '(' outside of template
// arguments. This '(' must not be a part of "(anonymous namespace)" or "operator()".
std::size_t end_of_name(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with(anonymous)) {
      i += anonymous.size() - 1;
    } else if (name.substr(i).starts_with(operator_call)) {
      i += operator_call.size() - 1;
    } else if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>') {
      --depth;
    } else if (name[i] == '(' && depth == 0) {
      return i;
    }
  }
  return name.size();
}

}  // namespace

std::string short_name(std::string_view demangled) {
  const std::string_view name = demangled.substr(0, end_of_name(demangled));
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) {
      // A return type or an enclosing scope ends here. The name comes after it.
      if (c == ' ' || c == ':') {
        result.clear();
      } else {
        result += c;
      }
    }
    if (c == '>' && depth > 0) --depth;
  }
  return result.empty() ? std::string(demangled) : result;
}

}  // namespace lapscope::trace
