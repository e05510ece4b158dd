#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "reports/renderer.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"

namespace lapscope::reports {
namespace {

using analyzer::HostStack;

// Replaces characters that would end a frame in the output: ';' and line ends.
std::string frame(const std::string& text) {
  std::string plain = printable(text);
  std::replace(plain.begin(), plain.end(), ';', ':');
  return plain;
}

std::string line_of(const HostStack& stack) {
  std::string line = fmt::format("thread {}", analyzer::tid_of(stack.thread));
  if (stack.frames.empty()) line += ";[stack not known]";
  for (const std::string& one : stack.frames) line += ";" + frame(one);
  if (const std::string_view state = words_of(stack.state); !state.empty()) {
    line += fmt::format(";[{}]", state);
  }
  return line;
}

void write(const std::vector<HostStack>& stacks, std::ostream& out) {
  std::map<std::string, analyzer::Ns> lines;
  for (const HostStack& stack : stacks) lines[line_of(stack)] += stack.ns;
  for (const auto& [line, ns] : lines) {
    if (const auto us = (ns + 500) / 1000; us > 0) out << fmt::format("{} {}\n", line, us);
  }
}

template <class Take>
void for_each_scope(std::span<const analyzer::Report> reports, Take&& take) {
  for (const analyzer::Report& report : reports) {
    for (const analyzer::DeviceResult& device : report.devices) {
      for (const analyzer::RangeResult& range : device.ranges) take(range.scope);
      if (device.ranges.empty()) take(device.scope);
    }
  }
}

}  // namespace

void render_folded(std::span<const analyzer::Report> reports, std::ostream& out) {
  for_each_scope(reports, [&out](const analyzer::ScopeResult& scope) {
    if (scope.host_time) write(scope.host_time->stacks, out);
  });
}

void render_folded_waits(std::span<const analyzer::Report> reports, std::ostream& out) {
  for_each_scope(reports, [&out](const analyzer::ScopeResult& scope) {
    if (scope.host_waits) write(*scope.host_waits, out);
  });
}

}  // namespace lapscope::reports
