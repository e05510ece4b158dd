#include "reports/words/word_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analyzer/analysis/verdict.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::ScopeResult;

std::string format_number(double value, const analyzer::Measure& measure) {
  if (measure.unit == analyzer::MeasureUnit::ns) {
    return format_ns(static_cast<std::int64_t>(value));
  }
  return fmt::format("{:.3f}", value);
}

}  // namespace

WordTable sites_table(const analyzer::FindingResult& finding, const ScopeResult& scope) {
  WordTable table{"by call site", "rrrn", {"fixed alone saves", "ops", "waited", "call site"}, {}};
  if (finding.sites.size() < 2) return table;
  for (const analyzer::CallSite& site : finding.sites) {
    table.rows.push_back({saving_at(site, scope), std::to_string(site.occurrences),
                          format_ns(site.waited_ns), label_of(site)});
  }
  return table;
}

std::vector<WordTable> questions_tables(const analyzer::Report& report, const ScopeResult& scope,
                                        const analyzer::RangeResult* range) {
  // What must hold for a question to be a finding, with the meanings of FindingResult:
  // if_independent, if_apart, if_shared and predicted.doubt.
  struct Condition {
    bool independent;
    bool apart;
    bool shared;
    analyzer::Doubt doubt = analyzer::Doubt::sharing;
  };
  constexpr auto last_wave = analyzer::Doubt::last_wave;
  constexpr Condition conditions[] = {{true, false, false},
                                      {false, true, false},
                                      {true, true, false},
                                      {false, false, true},
                                      {true, false, true},
                                      {false, true, false, last_wave},
                                      {true, true, false, last_wave},
                                      {false, false, true, last_wave},
                                      {true, false, true, last_wave}};
  std::vector<WordTable> tables;
  if (!tells_savings(scope)) return tables;
  for (const Condition& one : conditions) {
    std::string words = one.independent ? "If these ops are independent" : "If ";
    const bool asks_ends = one.apart || one.shared;
    if (one.independent && asks_ends) words += ", and ";
    if (asks_ends) {
      words +=
          condition_of(one.apart ? analyzer::Sharing::least : analyzer::Sharing::most, one.doubt);
    }
    words += ", which the trace does not show";
    WordTable table{
        std::move(words), "lrrnn", {"cause", "saves at most", "", "where", "command"}, {}};
    for (const analyzer::FindingResult& question : scope.causes->questions) {
      if (question.if_independent != one.independent || question.if_apart != one.apart ||
          question.if_shared != one.shared ||
          (asks_ends && question.predicted.doubt != one.doubt)) {
        continue;
      }
      const Ns saving = question.most_saving_ns;
      const std::string where = where_of(question);
      std::string fixes(question.code);
      if (!question.then_also.empty()) fixes += fmt::format(" with {}", question.then_also);
      table.rows.push_back({std::move(fixes), format_ns(saving),
                            format_share(saving, modelled_ns(scope)),
                            (where.empty() ? "" : "at " + where + ": ") + words_of(question.what),
                            whatif_command(report, question, range)});
    }
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

WordTable looked_for_table(const ScopeResult& scope) {
  WordTable table{"causes that were checked, and the records that each needs",
                  "llll",
                  {"cause", "outcome", "needs", "missing"},
                  {}};
  if (!scope.causes) return table;
  for (const analyzer::LookedFor& one : scope.causes->looked_for) {
    const auto is_about = [&one](const analyzer::FindingResult& question) {
      return question.code == one.code;
    };
    const auto& questions = scope.causes->questions;
    const bool is_asked = one.missing.empty() && !one.is_found &&
                          std::any_of(questions.begin(), questions.end(), is_about);
    table.rows.push_back({std::string(one.code), is_asked ? "asked" : std::string(outcome_of(one)),
                          fmt::format("{}", fmt::join(one.rests_on, ", ")),
                          fmt::format("{}", fmt::join(one.missing, ", "))});
  }
  return table;
}

WordTable blame_table(const ScopeResult& scope) {
  WordTable table{"critical path", "llrr", {"what", "", "time", "share"}, {}};
  if (!scope.causes) return table;
  for (const analyzer::BlameRow& row : scope.causes->blame) {
    const bool works = row.kind == analyzer::BlameKind::work;
    table.rows.push_back({std::string(works ? word_of_code(row.code) : row.code),
                          works ? "work" : "waiting", format_ns(row.ns),
                          format_share(row.ns, explained_ns(scope))});
  }
  return table;
}

WordTable gap_causes_table(const ScopeResult& scope) {
  WordTable table{fmt::format("idle time by cause: {}, {} in all", counted(scope.gaps.count, "gap"),
                              format_ns(scope.gaps.total_ns)),
                  "lrr",
                  {"cause", "time", "share"},
                  {}};
  for (const auto& [cause, ns] : causes_of(scope.gaps)) {
    table.rows.push_back({cause, format_ns(ns), format_share(ns, scope.gaps.total_ns)});
  }
  return table;
}

std::span<const Card> cards() {
  static constexpr Card all[] = {{"wall", "wall time"},
                                 {"idle_ratio", "GPU busy", Card::Form::rest},
                                 {"idle_ratio", "GPU idle", Card::Form::percent},
                                 {"overlap_ratio", "overlap ratio"},
                                 {"copy_hidden", "copies hidden", Card::Form::percent},
                                 {"comm_hidden", "communication hidden", Card::Form::percent}};
  return all;
}

std::string Card::title(const analyzer::Measure& of) const {
  return form == Form::rest ? fmt::format("1 - {} ({})", of.name, of.definition)
                            : fmt::format("{}: {}", of.name, of.definition);
}

WordTable measures_table(const ScopeResult& scope) {
  WordTable table{"measures", "lrl", {"measure", "value", "definition"}, {}};
  for (const auto& result : scope.measures) {
    const auto* undefined = std::get_if<analyzer::Undefined>(&result.value);
    table.rows.push_back({std::string(result.measure->name), format_value(result.value),
                          std::string(undefined ? undefined->reason : result.measure->definition)});
  }
  return table;
}

WordTable groups_table(const DeviceResult& device) {
  WordTable table{"ops with most time", "nlrrr", {"op", "engine", "time", "ops", "rate"}, {}};
  for (const auto& group : device.groups) {
    table.rows.push_back({group.name, std::string(word_of(group.engine)), format_ns(group.sum_ns),
                          std::to_string(group.ops),
                          group.bytes_per_s ? format_rate(*group.bytes_per_s) : ""});
  }
  return table;
}

WordTable iterations_table(const DeviceResult& device) {
  WordTable table{"", "lrlr", {"", "median", "quartiles", "first"}, {}};
  if (!device.iterations) return table;
  const auto& iterations = *device.iterations;
  table.caption =
      fmt::format("{} iterations of {} ops: {}", iterations.count, iterations.ops_per_iteration,
                  loop_of(iterations.range, iterations.sequence));
  for (std::size_t i = 0; i < iterations.steady.size(); ++i) {
    const auto& spread = iterations.steady[i];
    if (spread.defined == 0) continue;
    table.rows.push_back({std::string(spread.measure->name),
                          format_number(spread.median, *spread.measure),
                          fmt::format("{} to {}", format_number(spread.quartile1, *spread.measure),
                                      format_number(spread.quartile3, *spread.measure)),
                          i < iterations.first.size() ? format_value(iterations.first[i]) : ""});
  }
  return table;
}

const analyzer::Value* value_of(const analyzer::SeriesBin& bin, std::string_view measure) {
  for (std::size_t i = 0; i < bin.values.size(); ++i) {
    if (analyzer::measures()[i]->name == measure) return &bin.values[i];
  }
  return nullptr;
}

WordTable series_table(const DeviceResult& device, Ns first_op) {
  WordTable table{"over time", "rr", {"from", "ops"}, {}};
  for (const std::string_view measure : series_measures) {
    table.aligns += 'r';
    table.head.emplace_back(measure);
  }
  for (const auto& bin : device.series) {
    std::vector<std::string> row = {format_instant(bin.window.start - first_op),
                                    std::to_string(bin.ops)};
    for (const std::string_view measure : series_measures) {
      const analyzer::Value* value = value_of(bin, measure);
      row.push_back(value ? format_value(*value) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace lapscope::reports
