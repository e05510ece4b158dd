#include "analyzer/gate_file/gate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/troubles.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/summary/repeats.h"

namespace lapscope::analyzer {
namespace {

// Causes that are mistakes in any program. Other causes may be on purpose.
constexpr std::array mistakes = {Cause::default_stream_barrier, Cause::pageable_copy,
                                 Cause::alloc_free, Cause::host_pinning, Cause::launch_blocking};

// Returns a text as a TOML string in quotes.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const CodePoint code = first_of(text);
    const std::size_t bytes = std::max<std::size_t>(1, code.bytes);
    if (code.bytes == 0) {
      result += "\\ufffd";
    } else if (!is_harmless(code.value) || begins_command(text, '"')) {
      result += code.value <= 0xFFFF ? fmt::format("\\u{:04x}", code.value)
                                     : fmt::format("\\U{:08x}", code.value);
    } else {
      if (code.value == '"' || code.value == '\\') result += '\\';
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result + "\"";
}

// Returns a name as a TOML key. Adds quotes only if TOML requires them for this name.
std::string key_text(std::string_view name) {
  const bool is_bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return is_bare ? std::string(name) : in_quotes(name);
}

std::optional<Repeats> figures_of(const GatedWork& work, const Measure& measure) {
  std::vector<double> values;
  for (const ScopeSummary* scope : work.scopes) {
    const MeasureSummary* entry = scope == nullptr ? nullptr : find(*scope, measure);
    if (entry == nullptr || !entry->value) return std::nullopt;
    values.push_back(*entry->value);
  }
  return repeats_of(std::move(values));
}

std::string time_text(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f}ns", std::ceil(ns));
  const bool in_us = ns < 1e6;
  const double unit = in_us ? 1e3 : 1e6;
  return fmt::format("{:.3f}{}", std::ceil(ns / unit * 1e3) / 1e3, in_us ? "us" : "ms");
}

// Returns a line such as "overlap_ratio = 0.559  # measured 0.621". If no run could miss the bound,
// returns a TOML comment instead. Returns "" if the measure is not defined.
std::string bound_line(const GatedWork& work, const Measure& measure, Sense sense, double margin) {
  const auto figures = figures_of(work, measure);
  if (!figures) return "";
  // The worst repeat sets the bound, so that all repeats pass.
  const double worst = sense == Sense::at_least ? figures->least : figures->most;
  if (measure.unit == MeasureUnit::ns) {
    return fmt::format("{} = \"{}\"  # measured {}\n", measure.name,
                       time_text(worst * (1 + margin)), time_text(figures->median));
  }
  const double room = std::max(margin * std::abs(worst), assumed::ratio_tolerance.value);
  const double bound = sense == Sense::at_least ? std::floor((worst - room) * 1e3) / 1e3
                                                : std::ceil((worst + room) * 1e3) / 1e3;
  if (sense == Sense::at_least && bound <= 0) {
    return fmt::format(
        "# {} is left out: measured {:.3f}, and a bound of 0 or less asks for no "
        "overlap.\n",
        measure.name, figures->median);
  }
  if (sense == Sense::at_most && bound >= measure.most) {
    return fmt::format("# {} is left out: measured {:.3f}, and every run meets a bound of {:g}.\n",
                       measure.name, figures->median, measure.most);
  }
  return fmt::format("{} = {:.3f}  # measured {:.3f}\n", measure.name, bound, figures->median);
}

bool finds(const ScopeSummary& scope, Cause cause) {
  const auto& findings = scope.causes->findings;
  return std::ranges::any_of(
      findings, [cause](const FindingSummary& finding) { return finding.code == code_of(cause); });
}

// Returns a line that forbids all `mistakes` that were found in no run. Adds a TOML comment with
// the mistakes that the runs may contain without showing them.
std::string ban_lines(const GatedWork& work, std::span<const RunSummary> runs) {
  std::string absent;
  std::string unknown;
  for (const Cause cause : mistakes) {
    const bool is_known = trouble_of(Gate(), Ban{cause, {}, {}}, work, runs).empty();
    const auto makes_it = [cause](const ScopeSummary* scope) { return finds(*scope, cause); };
    if (is_known && std::ranges::any_of(work.scopes, makes_it)) continue;
    std::string& list = is_known ? absent : unknown;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(code_of(cause)));
  }
  std::string text;
  if (!absent.empty()) text += fmt::format("forbid = [{}]\n", absent);
  if (!unknown.empty()) text += fmt::format("# Inconclusive: forbid = [{}]\n", unknown);
  return text;
}

// Returns the name of the work. Adds a number if another gate already has this name.
std::string gate_name(const GatedWork& work, bool several_devices, std::set<std::string>& used) {
  std::string name = work.kind == ScopeKind::device ? "whole" : work.range;
  if (several_devices) name += fmt::format(" on device {}", work.device);
  std::string unique = name;
  for (int number = 2; !used.insert(unique).second; ++number) {
    unique = fmt::format("{} ({})", name, number);
  }
  return unique;
}

// Returns the line that names the work of a gate: an NVTX range, the profiler brackets or a scope.
// The gate must name it, because its bounds are valid only for this work.
std::string scope_line(const GatedWork& work) {
  if (work.kind == ScopeKind::nvtx) return fmt::format("range = {}\n", in_quotes(work.range));
  if (work.kind == ScopeKind::profiler) return "profiler_brackets = true\n";
  const std::optional<SteadyState>& steady = work.scopes.front()->steady;
  if (steady) {
    return fmt::format("scope = {}  # {}\n", in_quotes(name_of(steady->by)),
                       in_quotes(work.scopes.front()->words.scope));
  }
  return fmt::format("scope = {}{}\n", in_quotes(name_of(GateScope::whole)),
                     work.is_default ? "  # no profiler brackets, loop or NVTX range" : "");
}

std::string allowance_lines(const Gate& terms) {
  std::string text;
  if (terms.allow_other_gpu) text += "allow_other_gpu = true\n";
  if (terms.allow_other_command) text += "allow_other_command = true\n";
  std::string list;
  for (const std::string& allowed : terms.allowed) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(allowed));
  }
  return list.empty() ? text : text + fmt::format("allow = [{}]\n", list);
}

std::string gate_text(const GatedWork& work, const std::string& name, bool several_devices,
                      std::span<const RunSummary> runs, double margin, const Gate& terms) {
  std::string text = fmt::format("\n[gate.{}]\n", key_text(name));
  if (several_devices) text += fmt::format("device = {}\n", work.device);
  text += scope_line(work);
  text += allowance_lines(terms);
  text += ban_lines(work, runs);
  text += fmt::format("\n[gate.{}.min]\n", key_text(name));
  text += bound_line(work, overlap_ratio, Sense::at_least, margin);
  text += bound_line(work, copy_hidden, Sense::at_least, margin);
  text += fmt::format("\n[gate.{}.max]\n", key_text(name));
  text += bound_line(work, idle_ratio, Sense::at_most, margin);
  text += bound_line(work, wall, Sense::at_most, margin);
  return text;
}

}  // namespace

std::string write_gate_file(std::span<const RunSummary> runs, double margin,
                            std::string (*sentence_of)(const Remark& trouble), const Gate& terms) {
  std::string text = fmt::format(
      "# What `lapscope gate` demands of a run; docs/ci.md explains the keys. Bounds are {:g} % "
      "away\n"
      "# from what was measured here: tighten them when you know how much your runs differ.\n",
      100 * margin);
  for (const RunSummary& run : runs) text += fmt::format("#   {}\n", in_quotes(run.source()));
  if (terms.range_threads == RangeThreads::own) text += "range_threads = \"own\"\n";
  const auto works = gated_work_of(terms, runs);
  const bool several_devices = std::ranges::any_of(
      works, [&works](const GatedWork& work) { return work.device != works.front().device; });
  std::set<std::string> used;
  for (const GatedWork& work : works) {
    const std::string name = gate_name(work, several_devices, used);
    if (const Remark trouble = trouble_of(terms, work, runs); !trouble.empty()) {
      text +=
          fmt::format("\n# No gate for {}: {}\n", in_quotes(name), in_quotes(sentence_of(trouble)));
      continue;
    }
    text += gate_text(work, name, several_devices, runs, margin, terms);
  }
  return text;
}

}  // namespace lapscope::analyzer
