#include "reports/words/scope_words.h"

#include <fmt/format.h>

#include <cctype>

#include "analyzer/model/name_pattern.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/recorder_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {

using analyzer::DeviceResult;
using analyzer::Ns;

std::string title_of(const DeviceResult& device) {
  return fmt::format("device {}{}", device.id,
                     device.name.empty() ? "" : " (" + printable(device.name) + ")");
}

std::string title_of(const analyzer::RangeResult& range, const analyzer::DeviceResult* device) {
  if (range.steady) {
    return device ? title_of(*device) + ", steady state" : std::string("steady state");
  }
  const bool is_nvtx = range.kind == analyzer::ScopeKind::nvtx;
  return fmt::format("{}{}, {}",
                     is_nvtx ? "range '" + printable(range.name) + "'" : printable(range.name),
                     device ? " of " + title_of(*device) : "",
                     range.instances == 1 ? "once" : fmt::format("{} times", range.instances));
}

std::string work_sentences(const analyzer::RangeResult& range) {
  std::string text;
  const auto threads = [](std::int64_t count) {
    return fmt::format("{} other thread{}", count, count == 1 ? "" : "s");
  };
  const analyzer::Issuers issuers = range.issuers.value_or(analyzer::Issuers{});
  if (issuers.helpers > 0) {
    text += fmt::format("{} ops were issued by the thread of the range, {} by {} (helpers).",
                        issuers.opener, issuers.helpers, threads(issuers.helper_threads));
  }
  if (issuers.undecided > 0) {
    text += fmt::format(
        "{}{} ops of {} are left out: they were issued in another range, and may belong to either.",
        text.empty() ? "" : " ", issuers.undecided, threads(issuers.undecided_threads));
  }
  const Ns other_ns = ns_of(range.scope, analyzer::other_work.name);
  if (other_ns > 0) {
    text += fmt::format("{}The device ran other work only for {} of the time, {}.",
                        text.empty() ? "" : " ",
                        format_share(other_ns, range.scope.window.length()), format_ns(other_ns));
  }
  std::string recorder = basis_sentences(range.scope, range.bare ? &*range.bare : nullptr);
  if (recorder.empty() && range.bare) recorder = bare_sentences(*range.bare);
  if (!recorder.empty()) text += (text.empty() ? "" : " ") + recorder;
  return text;
}

namespace {

constexpr std::size_t most_of_name = 48;  // characters
constexpr std::size_t most_of_file = 72;

// Describes the time before the scope: "Before it: 3.90 s of set-up (module-load 250.00 ms)."
std::string sentence_before(const analyzer::Rest& rest) {
  std::string text = "Before it: " + format_ns(rest.ns) + " of set-up";
  if (!rest.parts.empty() && is_noteworthy(rest.parts[0].ns, rest.ns)) {
    text += fmt::format(" ({} {})", rest.parts[0].code, format_ns(rest.parts[0].ns));
  }
  return text + ".";
}

}  // namespace

namespace {

// A scope's name and repetitions, without the warm-up: "'train_step' (30 ×)".
std::string short_title(const analyzer::Report& report, const analyzer::RangeResult* asked) {
  if (!asked) return report.window ? "window" : "whole run";
  const analyzer::RangeResult& range = *asked;
  std::string what = range.name;
  std::int64_t count = range.instances;
  if (range.steady) {
    const analyzer::SteadyState& state = range.steady->state;
    count = state.instances;
    if (state.by == analyzer::SteadyBy::profiler) return "profiler brackets";
    if (state.range.empty()) {
      return fmt::format("{} ({} ×)", loop_of(state.range, state.sequence), count);
    }
    what = state.range;
  } else if (range.kind == analyzer::ScopeKind::profiler) {
    return "profiler brackets";
  }
  return fmt::format("'{}' ({} ×)", cut_inside(what, most_of_name), count);
}

}  // namespace

namespace {

// Returns the verdict `text`. If the recording is incomplete and `text` omits this fact, adds it.
std::string with_trust(std::string text, const analyzer::Report& report,
                       const analyzer::ScopeResult& scope) {
  const bool is_said = text.find("nconclusive") != std::string::npos || !scope.causes;
  if (report.trust != analyzer::Trust::inconclusive || is_said) return text;
  text.pop_back();
  return text + " (inconclusive: the recording is incomplete).";
}

}  // namespace

std::string first_line(const analyzer::Report& report, const DeviceResult& device,
                       const analyzer::RangeResult* range) {
  std::string text = with_trust(range ? headline(*range) : headline(device), report,
                                range ? range->scope : device.scope);
  if (const auto* failed = analyzer::failed_work(report.health)) {
    text = "Inconclusive: " + message_of(*failed);
  }
  if (analyzer::contradicts_itself(report.health)) {
    text = "Inconclusive: the trace contradicts itself, so that nothing follows from it.";
  }
  if (report.devices.size() < 2) return text;
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return fmt::format("Device {}: {}", device.id, text);
}

std::string second_line(const analyzer::Report& report, const DeviceResult& device,
                        const analyzer::RangeResult* range) {
  const analyzer::ScopeResult& scope = range ? range->scope : device.scope;
  std::string text = fmt::format("{}: {} op{} on {}, {} to {} of {}.", short_title(report, range),
                                 scope.ops, scope.ops == 1 ? "" : "s", title_of(device),
                                 format_instant(scope.window.start - report.first_op),
                                 format_instant(scope.window.end - report.first_op),
                                 cut_inside(analyzer::file_name(report.trace.file), most_of_file));
  if (range && range->steady && range->steady->before.ns > 0) {
    text += " " + sentence_before(range->steady->before);
  }
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string short_line(const analyzer::Report& report, const DeviceResult& device,
                       const analyzer::RangeResult* range) {
  return short_title(report, range) + ": " + short_verdict(range ? range->scope : device.scope);
}

std::string loop_of(const std::string& range, std::int64_t sequence) {
  return range.empty() ? fmt::format("sequence of {} ops", sequence)
                       : fmt::format("NVTX range '{}'", range);
}

analyzer::SteadyWords words_of(const analyzer::SteadyState& state) {
  const std::string loop = loop_of(state.range, state.sequence);
  switch (state.by) {
    case analyzer::SteadyBy::profiler:
      return {"cudaProfilerStart/Stop", "cudaProfilerStart/Stop"};
    case analyzer::SteadyBy::iterations:
      return {loop, "iterations of " + loop};
    case analyzer::SteadyBy::range:
      break;
  }
  return {state.range, loop};
}

std::string default_scope_sentence(const analyzer::SteadyState* state, std::string_view source) {
  if (!state) return "Scope: the whole run; it has no profiler brackets, loop or NVTX range.";
  switch (state->by) {
    case analyzer::SteadyBy::profiler:
      return "Scope: work issued between cudaProfilerStart and cudaProfilerStop.";
    case analyzer::SteadyBy::iterations:
      return fmt::format(
          "Scope: the loop, {} of {}{}{}.", counted(state->instances, "iteration"),
          state->range.empty() ? "a " : "", cut_inside(source, most_of_name),
          state->warm_up == 0 ? "" : fmt::format(" after {} of warm-up", state->warm_up));
    case analyzer::SteadyBy::range:
      break;
  }
  return fmt::format(
      "Scope: NVTX range '{}', which holds {:.1f} % of the GPU work, the most of any.",
      cut_inside(source, most_of_name), 100 * state->work_share);
}

std::vector<std::string> focus_sentences(const DeviceResult& device) {
  if (!device.sought_steady) return {};
  const analyzer::RangeResult* steady = steady_state_of(device);
  if (!steady) return {default_scope_sentence(nullptr, "")};
  const analyzer::SteadyResult& facts = *steady->steady;
  std::vector<std::string> sentences = {
      default_scope_sentence(&facts.state, words_of(facts.state).source)};
  std::string rest;
  if (facts.before.ns > 0) rest = sentence_before(facts.before);
  const Ns run = facts.before.ns + steady->scope.window.length() + facts.after.ns;
  if (is_noteworthy(facts.after.ns, run)) {
    rest += fmt::format("{}After it: {}.", rest.empty() ? "" : " ", format_ns(facts.after.ns));
  }
  if (!rest.empty()) sentences.push_back(rest);
  return sentences;
}

}  // namespace lapscope::reports
