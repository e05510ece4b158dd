#include "reports/whatif/render_whatif.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/assumptions.h"
#include "reports/text/layout.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Ns;
using analyzer::WhatIfScope;

void print_sentence(const std::string& text, const TextStyle& style, std::ostream& out) {
  out << "  " << wrapped(text, style.width, 2) << '\n';
}

// Returns the label of the table row that has the shorter of the two predictions.
std::string end_of(const analyzer::Prediction& predicted) {
  const bool is_least = shorter_end(predicted) == analyzer::Sharing::least;
  if (predicted.doubt == analyzer::Doubt::unexplained) return "delays end";
  if (predicted.doubt == analyzer::Doubt::threads) return "several threads";
  if (predicted.doubt == analyzer::Doubt::last_wave) {
    return is_least ? "last waves shared" : "last waves alone";
  }
  return is_least ? "kernels apart" : "kernels share all";
}

void print_figures(const WhatIfScope& scope, std::ostream& out) {
  const bool tells = tells_savings(scope.replay);
  const auto or_unknown = [tells](const std::string& figure) { return tells ? figure : "unknown"; };
  Table table({Table::Align::left, Table::Align::right, Table::Align::right});
  table.add({"", scope.correction ? "corrected" : "recorded", "predicted"});
  table.add({"wall", format_ns(scope.wall_ns), or_unknown(format_ns(scope.predicted.wall_ns))});
  if (tells && !range_clause(scope.replay.wall_ns, scope.predicted).empty()) {
    table.add({"  " + end_of(scope.predicted), "", format_ns(scope.predicted.least_wall_ns)});
  }
  for (const analyzer::PredictedRatio& ratio : scope.ratios) {
    table.add({std::string(ratio.measure->name), format_value(ratio.recorded),
               or_unknown(format_value(ratio.predicted))});
  }
  table.print(out, 2);
}

void print_correction(const WhatIfScope& scope, const TextStyle& style, std::ostream& out) {
  if (scope.estimated_added) {
    print_sentence(fmt::format("This is the program as recorded: {}. {}",
                               estimate_of(*scope.estimated_added), how_to_know),
                   style, out);
  }
  if (!scope.correction) return;
  print_sentence(
      fmt::format("Recorded {}; corrected and predicted times exclude the recorder's own "
                  "time.",
                  format_ns(scope.correction->recorded_ns)),
      style, out);
}

void print_trust(const WhatIfScope& scope, const TextStyle& style, std::ostream& out) {
  const analyzer::Validity& validity = scope.predicted.validity;
  const std::string how_far =
      validity.band
          ? fmt::format("Range: nine of ten programs that the model was not made with, {}; {}.",
                        accuracy_clause(*validity.band), held_clause(*validity.band))
          : fmt::format("How far it may miss is {}.", words_of(validity));
  print_sentence(how_far, style, out);
  print_sentence(
      fmt::format("Model check: replayed from typical durations, the unchanged run takes "
                  "{} ({}).",
                  format_ns(scope.replay.blind_wall_ns), format_change(scope.replay.blind_error)),
      style, out);
  if (scope.unexplained_share > analyzer::assumed::noteworthy) {
    print_sentence(
        fmt::format("No cause explains {:.1f} % of the {} time.", scope.unexplained_share * 100,
                    scope.correction ? "corrected" : "recorded"),
        style, out);
  }
  if (!scope.assumed.empty()) print_sentence(assumed_sentence(scope.assumed), style, out);
  for (const std::string& sentence : open_sentences(scope.after)) {
    print_sentence("Inconclusive: " + sentence, style, out);
  }
  if (!scope.is_accounted()) {
    print_sentence("Inconclusive: the model does not account for the recorded run.", style, out);
  }
}

// Returns the saving and its share of the wall time, such as "saves 3.24 ms (58.2 %)". Appends
// range_clause(). If `saving` is negative: "saves nothing and takes 1.20 ms (1.8 %) longer".
std::string saving_clause(Ns saving, const WhatIfScope& scope) {
  const Ns wall = scope.replay.wall_ns;
  std::string range = range_clause(wall, scope.predicted);
  if (saving < 0) {
    if (!range.empty()) range = ", or saves" + range.substr(1);
    return fmt::format("saves nothing and takes {} ({}) longer{}", format_ns(-saving),
                       format_share(-saving, wall), range);
  }
  const bool is_limit = scope.predicted.validity.certainty == analyzer::Certainty::upper_bound;
  return fmt::format("saves {}{} ({}){}", is_limit ? "at most " : "", format_ns(saving),
                     format_share(saving, wall), range);
}

void print_scope(const WhatIfScope& scope, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  std::string title = fmt::format("device {}", scope.device);
  if (!scope.device_name.empty()) title += " (" + printable(scope.device_name) + ")";
  if (scope.steady) {
    title += ", steady state: " + printable(words_of(*scope.steady).scope);
  } else if (!scope.range.empty()) {
    title += ", range '" + printable(scope.range) + "'";
  }
  out << '\n' << paint.bold(title) << '\n';
  print_figures(scope, out);
  print_correction(scope, style, out);
  const Ns saving = scope.replay.wall_ns - scope.predicted.wall_ns;
  const analyzer::Validity& validity = scope.predicted.validity;
  if (!tells_savings(scope.replay)) {
    print_sentence("What this saves is not known: the model check is off by " +
                       format_change(scope.replay.blind_error) + ".",
                   style, out);
    return print_trust(scope, style, out);
  }
  const std::string_view kind = scope.correction ? "corrected" : "recorded";
  if (const std::string wall = wall_sentence(scope.replay.wall_ns, scope.wall_ns, kind);
      !wall.empty()) {
    print_sentence(wall, style, out);
  }
  print_sentence(fmt::format("Predicted wall time {}{}: {}.", format_ns(scope.predicted.wall_ns),
                             validity.band ? " (" + words_of(validity) + ")" : "",
                             saving_clause(saving, scope)),
                 style, out);
  if (saving < 0 && scope.begins_earlier_ns > 0) {
    print_sentence(
        fmt::format("The first op then starts {} earlier, which makes the wall time longer.",
                    format_ns(scope.begins_earlier_ns)),
        style, out);
  }
  print_trust(scope, style, out);
  const analyzer::CausesResult& after = scope.after;
  if (after.findings.empty()) {
    std::string sentence = "Next bottleneck: none found.";
    if (!after.bound_by.empty()) {
      sentence = fmt::format("Next bottleneck: none found; {} is busy {:.1f} % of the time.",
                             word_of_code(after.bound_by), after.bound_share * 100);
    }
    print_sentence(sentence, style, out);
    return;
  }
  out << "  Next bottlenecks\n";
  Table next({Table::Align::left, Table::Align::right, Table::Align::right, Table::Align::left});
  for (const analyzer::FindingResult& finding : after.findings) {
    next.add({std::string(finding.code), format_ns(finding.saving_ns),
              fmt::format("{:.1f} %", finding.saving_share * 100),
              shortened(words_of(finding.what), 40)});
  }
  next.print(out, 4);
}

}  // namespace

std::string words_of(const analyzer::FixRequest& change) {
  if (!change.fix) {
    return fmt::format("{} is {} times as fast", name_of(change.engine), change.value);
  }
  const analyzer::Cause cause = change.fix->cause;
  std::string words = fmt::format("{}: {}", code_of(cause), change_of(cause));
  if (change.value > 0) words += fmt::format("; N = {}: {}", change.value, number_of(cause));
  if (!change.site.empty()) words += "; only at " + change.site;
  return words;
}

bool needs_judgement(const analyzer::WhatIfReport& report) {
  return std::any_of(
      report.changes.begin(), report.changes.end(),
      [](const analyzer::FixRequest& one) { return one.fix && one.fix->needs_judgement; });
}

void render_whatif_text(const analyzer::WhatIfReport& report, const TextStyle& style,
                        std::ostream& out) {
  out << printable(report.trace.file) << '\n';
  for (const analyzer::FixRequest& change : report.changes) {
    print_sentence("if " + words_of(change), style, out);
  }
  if (needs_judgement(report)) {
    print_sentence("Check that the program's data allows it: no trace shows that.", style, out);
  }
  for (const WhatIfScope& scope : report.scopes) print_scope(scope, style, out);
}

void render_fixes(std::ostream& out) {
  Table table({Table::Align::left, Table::Align::left});
  for (const analyzer::Fix* fix : analyzer::fixes()) {
    std::string change(change_of(fix->cause));
    if (fix->needs_judgement) change += " (if its data allows it)";
    table.add({std::string(code_of(fix->cause)), change});
    if (fix->takes_number) table.add({"  :N", std::string(number_of(fix->cause))});
  }
  table.add({"CODE:site=NAME", "at one call site of the finding only; * for any characters"});
  table.add({"scale:ENGINE=N", "compute, h2d, d2h or other is N times as fast"});
  table.print(out, 0);
}

namespace {

// The saving of a single fix in a scope.
struct Worth {
  Ns most_ns = 0;  // the largest possible saving; 0 if unknown
  // The saving in words, such as "saves 3.24 ms (58.2 %)". Empty if the fix saves nothing. If the
  // saving is unknown: the kinds of records that are missing.
  std::string text;
};

Worth worth_of(const analyzer::CausesResult& causes, std::string_view code) {
  const auto is_about = [code](const auto& one) { return one.code == code; };
  const auto saved_by = [](const analyzer::FindingResult& one) {
    return Worth{one.saving_ns, fmt::format("saves {} ({})", format_ns(one.saving_ns),
                                            format_percent(one.saving_share))};
  };
  const auto found = std::find_if(causes.findings.begin(), causes.findings.end(), is_about);
  if (found != causes.findings.end() && found->saving_ns > 0) return saved_by(*found);
  const auto possibly_saved_by = [](const analyzer::FindingResult& one) {
    std::string condition = one.if_independent ? "its ops are independent" : "";
    if (one.if_apart || one.if_shared) {
      const auto end = one.if_apart ? analyzer::Sharing::least : analyzer::Sharing::most;
      if (!condition.empty()) condition += ", and ";
      condition += condition_of(end, one.predicted.doubt);
    }
    return Worth{one.most_saving_ns,
                 fmt::format("saves up to {}, if {}", format_ns(one.most_saving_ns), condition)};
  };
  const auto asked = std::find_if(causes.questions.begin(), causes.questions.end(), is_about);
  if (asked != causes.questions.end() && asked->most_saving_ns > 0) {
    return possibly_saved_by(*asked);
  }
  const auto& small = causes.small_savings;
  const auto little = std::find_if(small.begin(), small.end(), is_about);
  if (little != small.end()) {
    return little->is_question() ? possibly_saved_by(*little) : saved_by(*little);
  }
  const auto open = std::find_if(causes.looked_for.begin(), causes.looked_for.end(), is_about);
  if (open == causes.looked_for.end() || !open->leaves_open) return {};
  return {0, fmt::format("{}", fmt::join(open->missing, ", "))};
}

// Prints the fixes, the largest saving first. Fixes share lines if they save nothing, or if their
// saving is unknown. If no saving can be shown, prints only the fixes of causes that were found.
void print_worths(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  const analyzer::CausesResult& causes = *scope.causes;
  const bool tells = tells_savings(scope);
  std::vector<std::pair<Worth, const analyzer::Fix*>> worths;
  std::map<std::string, std::vector<std::string_view>> others;  // by the missing records
  for (const analyzer::Fix* fix : analyzer::fixes()) {
    Worth worth = worth_of(causes, code_of(fix->cause));
    if (worth.most_ns > 0) {
      worths.emplace_back(std::move(worth), fix);
    } else {
      others[worth.text].push_back(code_of(fix->cause));
    }
  }
  std::stable_sort(worths.begin(), worths.end(),
                   [](const auto& a, const auto& b) { return a.first.most_ns > b.first.most_ns; });
  Table table({Table::Align::left, Table::Align::left, Table::Align::left});
  for (const auto& [worth, fix] : worths) {
    table.add({std::string(code_of(fix->cause)), tells ? worth.text : "saving unknown",
               std::string(change_of(fix->cause))});
  }
  table.print(out, 2);
  if (const std::string doubt = doubt_sentence(scope); !doubt.empty()) {
    print_sentence(doubt, style, out);
  }
  for (const auto& [missing, codes] : others) {
    if (missing.empty() && !tells) continue;
    const std::string which =
        missing.empty() ? "No saving" : "Unknown, as the trace has no records of " + missing;
    print_sentence(fmt::format("{}: {}.", which, fmt::join(codes, ", ")), style, out);
  }
}

}  // namespace

void render_fixes(const analyzer::Report& report, const TextStyle& style, std::ostream& out) {
  // `judged` is a device or a range.
  const auto print = [&](const std::string& title, const auto& judged) {
    const analyzer::ScopeResult& scope = judged.scope;
    if (!scope.causes) return;
    out << fmt::format("{}: {}\n", title, format_ns(scope.window.length()));
    const std::string wall = wall_sentence(scope);
    if (tells_savings(scope) && !wall.empty()) print_sentence(wall, style, out);
    print_worths(scope, style, out);
    if (verdict_of(scope) == analyzer::Verdict::inconclusive) {
      print_sentence(headline(judged), style, out);
    }
  };
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const analyzer::RangeResult& range : device.ranges) {
      print(title_of(range, &device), range);
    }
    if (device.ranges.empty()) print(title_of(device), device);
  }
}

}  // namespace lapscope::reports
