#include "reports/words/call_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/model/name_pattern.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::CodeOwner;
using analyzer::StackFrame;

// Whether a frame is an operator of PyTorch's profiler.
bool is_operator(const StackFrame& frame) { return frame.module == analyzer::operator_module; }

std::string function_of(const StackFrame& frame) {
  if (frame.function.empty()) return "?";
  const bool is_whole = frame.module == analyzer::python_module || is_operator(frame);
  return is_whole ? frame.function : analyzer::bare_function(frame.function);
}

// Returns the frames of the user's program. If there are none, returns the frames of libraries.
std::vector<const StackFrame*> own_frames(const std::vector<StackFrame>& stack) {
  std::vector<const StackFrame*> own;
  for (const CodeOwner wanted : {CodeOwner::program, CodeOwner::library}) {
    for (const StackFrame& frame : stack) {
      if (frame.owner == wanted) own.push_back(&frame);
    }
    if (!own.empty()) break;
  }
  return own;
}

std::string place_of(const StackFrame& frame) {
  if (!frame.file.empty() && frame.line > 0) {
    return std::string(analyzer::file_name(frame.file)) + ":" + std::to_string(frame.line) +
           " in " + function_of(frame);
  }
  if (is_operator(frame)) return "operator " + function_of(frame);
  const std::string module(analyzer::file_name(frame.module));
  if (frame.function.empty()) return module;
  // For code without a symbol, frame.function already contains the module: app+0x12ab.
  const bool has_module = module.empty() || frame.function.starts_with(module + "+0x");
  return has_module ? function_of(frame) : function_of(frame) + " (" + module + ")";
}

}  // namespace

std::string words_of(const analyzer::Doing& doing) {
  using Kind = analyzer::Doing::Kind;
  using Detail = analyzer::Doing::Detail;
  std::string text = doing.kind == Kind::host_function ? "host function"
                     : doing.kind == Kind::host_code   ? "host code between calls"
                     : doing.kind == Kind::lock        ? "a lock before " + doing.name
                                                       : doing.name;
  if (doing.detail == Detail::legacy_stream) text += " in the legacy default stream";
  if (doing.detail == Detail::pageable_memory) text += " of pageable memory";
  return text;
}

std::string label_of(const analyzer::CodePlace& place) {
  std::string label = words_of(place.what);
  if (!place.range.empty()) label += " in " + place.range;
  if (!place.line.empty()) label += " at " + std::string(analyzer::file_name(place.line));
  if (!place.caller.empty()) label += " from " + std::string(analyzer::file_name(place.caller));
  if (place.is_backward) label += " (its backward)";
  return label;
}

bool is_meant(const analyzer::CodePlace& place, std::string_view pattern) {
  using analyzer::fits_pattern;
  if (fits_pattern(label_of(place), pattern)) return true;
  if (place.line.empty()) return false;
  if (fits_pattern(label_of({place.what, place.range, ""}), pattern) ||
      fits_pattern(label_of({place.what, place.range, place.line, "", place.is_backward}),
                   pattern)) {
    return true;
  }
  for (const std::string& line : {place.line, place.caller}) {
    if (!line.empty() &&
        (fits_pattern(line, pattern) || fits_pattern(analyzer::file_name(line), pattern))) {
      return true;
    }
  }
  return false;
}

std::string where_of(const analyzer::CallSite& site) {
  return where_of(site.stack, site.forward_stack, site.caller);
}

std::string where_of(const std::vector<StackFrame>& stack,
                     const std::vector<StackFrame>& forward_stack, std::string_view caller) {
  const std::vector<const StackFrame*> own =
      own_frames(forward_stack.empty() ? stack : forward_stack);
  if (own.empty()) return "";
  std::string text = place_of(*own.front());
  if (!forward_stack.empty()) text += " (its backward)";
  bool is_any_left_out = false;
  for (std::size_t i = 1; i < own.size(); ++i) {
    const bool is_caller =
        !caller.empty() && own[i]->file + ":" + std::to_string(own[i]->line) == caller;
    if (i > 1 && i + 1 < own.size() && !is_caller) {
      is_any_left_out = true;
      continue;
    }
    if (std::exchange(is_any_left_out, false)) text += " ← …";
    text += " ← " + (is_caller ? place_of(*own[i]) : function_of(*own[i]));
    if (is_caller) caller = {};
  }
  return printable(text);
}

std::string where_of(const analyzer::FindingResult& finding) {
  return finding.sites.empty() ? "" : where_of(finding.sites.front());
}

std::string nameless_sentence(const analyzer::FindingResult& finding) {
  if (finding.sites.empty() || !finding.sites.front().nameless) return "";
  using analyzer::CodeNames;
  const analyzer::NamelessCode& nameless = *finding.sites.front().nameless;
  constexpr std::size_t enough_digits = 12;
  std::string file = nameless.file;
  if (!nameless.code.build_id.empty()) {
    file += fmt::format(" (build id {})", nameless.code.build_id.substr(0, enough_digits));
  }
  const std::string by_hand = "lapscope symbolize TRACE --symbols FILE.";
  std::string text;
  switch (nameless.code.names) {
    case CodeNames::missing:
      text = fmt::format("{} was gone when names were looked for: {}", file, by_hand);
      break;
    case CodeNames::changed:
      text = fmt::format("{} was built anew after the run: record again.", file);
      break;
    default: {
      const bool is_own = nameless.owner == analyzer::CodeOwner::program;
      text = fmt::format("{} has no names here: {}{}", file, is_own ? "build it with -g, or " : "",
                         by_hand);
    }
  }
  return printable(text);
}

std::string line_words(std::string_view line, std::size_t width) {
  return shortened(analyzer::file_name(line), width);
}

std::string frame_words(const StackFrame& frame) {
  std::string text = frame.function.empty() ? "?" : frame.function;
  if (is_operator(frame)) {
    text = "operator " + text;
  } else if (!frame.file.empty()) {
    text += " at " + frame.file;
    if (frame.line > 0) text += ":" + std::to_string(frame.line);
  } else if (!frame.module.empty()) {
    text += " (" + frame.module + ")";
  }
  return printable(text);
}

std::string label_of(const analyzer::CallSite& site) {
  std::string label = label_of(analyzer::CodePlace{site.what, site.range, ""});
  if (const std::string where = where_of(site); !where.empty()) label += " at " + where;
  if (site.threads.size() > 1) label += ", " + std::to_string(site.threads.size()) + " threads";
  return printable(label);
}

}  // namespace lapscope::reports
