#include "readers/kineto/frame_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "readers/kineto/name_table.h"

namespace lapscope::kineto {
namespace {

using analyzer::ThreadState;

// The state of a thread inside a built-in function, by the function's name. The function may belong
// to any module or object.
constexpr Named<ThreadState> states[] = {
    {"acquire", ThreadState::lock},     {"sleep", ThreadState::sleeping},
    {"poll", ThreadState::polling},     {"select", ThreadState::polling},
    {"accept", ThreadState::polling},   {"read", ThreadState::reading},
    {"readinto", ThreadState::reading}, {"readline", ThreadState::reading},
    {"write", ThreadState::reading},    {"flush", ThreadState::reading},
    {"recv", ThreadState::reading},     {"recv_into", ThreadState::reading},
    {"recvmsg", ThreadState::reading},  {"send", ThreadState::reading},
    {"sendall", ThreadState::reading},  {"sendmsg", ThreadState::reading},
    {"fsync", ThreadState::reading},    {"waitpid", ThreadState::child},
    {"waitid", ThreadState::child},
};

struct OwnAnnotation {
  std::string_view begin;  // the annotation's text begins with it
  std::string_view file;
  bool is_name = false;  // `begin` is also part of the function's name
};

constexpr OwnAnnotation own_annotations[] = {
    {"enumerate(DataLoader)#", "torch/utils/data/dataloader.py"},
    {"Optimizer.step#", "torch/optim/optimizer.py"},
    {"Optimizer.zero_grad#", "torch/optim/optimizer.py"},
    {"DistributedDataParallel.", "torch/nn/parallel/distributed.py", true},
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::optional<PythonFunction> python_function(std::string_view text) {
  constexpr std::string_view between = "): ";
  const std::size_t close = text.find(between);
  const std::size_t open = close == std::string_view::npos ? close : text.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  PythonFunction result{text.substr(0, open), 0, text.substr(close + between.size())};
  const char* const last = text.data() + close;
  const auto [end, error] = std::from_chars(text.data() + open + 1, last, result.line);
  if (error != std::errc() || end != last || result.line < 0) return std::nullopt;
  return result;
}

std::optional<BuiltinFunction> builtin_function(std::string_view text) {
  if (!take(text, "<built-in method ") && !take(text, "<built-in function ")) return std::nullopt;
  const std::size_t end = text.find_first_of(" >");
  const std::string_view function = text.substr(0, end);
  if (function.empty() || end == std::string_view::npos) return std::nullopt;
  BuiltinFunction result{std::string(function)};
  if (const auto state = find(states, function)) result.state = *state;
  text.remove_prefix(end);
  if (!take(text, " of ")) return result;
  const std::string_view object = text.substr(0, text.find(" object"));
  // The names of these types would add nothing to the function's name.
  const bool is_namespace = object == "module" || object == "type" || object == "PyCapsule" ||
                            object == "builtin_function_or_method";
  if (!is_namespace) result.name = std::string(object) + "." + result.name;
  return result;
}

std::optional<PythonFunction> function_of_annotation(std::string_view text) {
  for (const OwnAnnotation& one : own_annotations) {
    std::string_view name = text;
    if (take(name, one.begin)) return PythonFunction{one.file, 0, one.is_name ? text : name};
  }
  return std::nullopt;
}

std::string without_numbers(std::string_view annotation) {
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  std::string text;
  for (std::size_t i = 0; i < annotation.size();) {
    std::size_t end = i;
    while (end < annotation.size() && is_digit(annotation[end])) ++end;
    const bool is_of_name =
        i > 0 && std::isalpha(static_cast<unsigned char>(annotation[i - 1])) != 0;
    if (end > i && !is_of_name) {
      text += '*';
    } else {
      end = std::max(end, i + 1);
      text += annotation.substr(i, end - i);
    }
    i = end;
  }
  return text;
}

bool is_around_iteration(std::string_view annotation) {
  return annotation.starts_with("ProfilerStep#");
}

}  // namespace lapscope::kineto
