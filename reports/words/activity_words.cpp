#include "reports/words/activity_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/words/call_sites.h"
#include "reports/words/format.h"

namespace lapscope::reports {

using analyzer::Engine;

std::string_view word_of(Engine engine) {
  switch (engine) {
    case Engine::compute:
      return "compute";
    case Engine::h2d:
      return "copy to device";
    case Engine::d2h:
      return "copy to host";
    case Engine::other_copy:
      return "other copies";
    case Engine::communication:
      return "communication";
  }
  return "";
}

std::string words_of(const analyzer::StateTime& state) {
  std::string words;
  for (const Engine engine : analyzer::all_engines) {
    if (!state.has(engine)) continue;
    if (!words.empty()) words += " + ";
    words += word_of(engine);
  }
  if (words.empty()) return state.is_other_work ? "other work" : "idle";
  return words;
}

std::string_view word_of_code(std::string_view code) {
  for (const Engine engine : analyzer::all_engines) {
    if (code == name_of(engine)) return word_of(engine);
  }
  return code;
}

std::string words_of(const analyzer::PathStretch& stretch) {
  if (stretch.merged > 1) return fmt::format("{} short parts", stretch.merged);
  const analyzer::BlameRow& part = stretch.parts.front();
  return std::string(part.kind == analyzer::BlameKind::work ? word_of_code(part.code) : part.code);
}

namespace {

bool is_work(const analyzer::PathStretch& stretch) {
  return stretch.merged == 1 && stretch.parts.front().kind == analyzer::BlameKind::work;
}

}  // namespace

std::optional<analyzer::Interval> time_in_trace(const analyzer::CausesResult& causes,
                                                const analyzer::PathStretch& stretch) {
  if (!causes.correction) return stretch.interval;
  if (stretch.call && !is_work(stretch)) return stretch.call->interval;
  if (stretch.op) return stretch.op->interval;
  return std::nullopt;
}

std::string_view instant_note(const analyzer::CausesResult& causes) {
  return causes.correction ? "; at: the recorded start of the op or call" : "";
}

std::string owner_of(const analyzer::PathStretch& stretch) {
  const bool works = is_work(stretch);
  std::string text;
  if (stretch.call && !works) {
    text = stretch.parts.front().code == code_of(analyzer::Cause::host_compute) ? "host code after "
                                                                                : "";
    text += stretch.call->name + " on " + stretch.call->thread;
  }
  if (stretch.op) {
    if (!text.empty()) text += ", for ";
    text += fmt::format("{} in stream {}", stretch.op->name, stretch.op->stream);
  }
  return printable(text);
}

std::vector<const analyzer::PathStretch*> longest_of(const analyzer::CausesResult& causes,
                                                     std::size_t most) {
  std::vector<const analyzer::PathStretch*> longest;
  for (const auto& stretch : causes.critical_path) {
    if (stretch.merged == 1) longest.push_back(&stretch);
  }
  std::stable_sort(longest.begin(), longest.end(), [](const auto* a, const auto* b) {
    return a->interval.length() > b->interval.length();
  });
  if (longest.size() > most) longest.resize(most);
  return longest;
}

std::string fix_argument(const analyzer::FindingResult& finding) {
  std::string argument(finding.code);
  if (!finding.then_also.empty()) argument += fmt::format(",{}", finding.then_also);
  return argument;
}

std::string fix_argument(const analyzer::FindingResult& finding, const analyzer::CallSite& site) {
  if (!site.saving_ns) return "";
  if (finding.sites.size() == 1) return fix_argument(finding);
  return fmt::format("{}:site={}", finding.code,
                     label_of(analyzer::CodePlace{site.what, site.range, site.line, site.caller,
                                                  !site.forward_stack.empty()}));
}

std::string_view outcome_of(const analyzer::LookedFor& cause) {
  if (!cause.missing.empty()) return "inconclusive";
  return cause.is_found ? "found" : "not-found";
}

}  // namespace lapscope::reports
