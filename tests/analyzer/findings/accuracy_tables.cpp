#include "tests/analyzer/findings/accuracy_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "analyzer/model/assumptions.h"
#include "tests/analyzer/findings/accuracy_evidence.h"
#include "tests/analyzer/findings/accuracy_page.h"

namespace lapscope::test {

namespace {

std::string percent(double share) { return fmt::format("{:+.1f}", share * 100); }

template <class Which>

std::vector<AccuracyPair> those(const std::vector<AccuracyPair>& pairs, Which&& which) {
  std::vector<AccuracyPair> result;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(result), which);
  return result;
}

// Errors of some pairs, and how often bands that others make were right.

template <class Check>

void write_errors(const std::string& name, const std::vector<AccuracyPair>& pairs, Check&& check,
                  std::ostream& out) {
  const std::vector<double> errors = errors_of(pairs, &AccuracyPair::miss);
  const auto within = [&errors](double limit) {
    return std::count_if(errors.begin(), errors.end(),
                         [limit](double one) { return std::abs(one) <= limit; });
  };
  int bands = 0;
  int held = 0;
  for (const AccuracyPair& pair : pairs) {
    const BandCheck one = check(pair);
    bands += one.is_printed;
    held += one.held;
  }
  out << fmt::format("| {} | {} | {:.1f} | {:.1f} | {} | {} | {} | {} |\n", name, pairs.size(),
                     median_of(errors) * 100, worst_of(errors) * 100, within(0.03), within(0.10),
                     bands, held);
}

}  // namespace

void write_sets(const Accuracy& accuracy, std::ostream& out) {
  const std::vector<AccuracyPair>& pairs = accuracy.pairs;
  const std::vector<AccuracyPair>& left_out = accuracy.left_out;
  const analyzer::RecordedAccuracy known = evidence_of(left_out);
  const auto by_all = [&known](const AccuracyPair& pair) { return check_band(pair, known); };
  const auto by_others = [&left_out](const AccuracyPair& pair) {
    return check_left_out(pair, left_out);
  };
  out << "| pairs of which the fix changes | | median % | worst % | within 3 % | within 10 % | "
         "with "
         "a band | in it |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const analyzer::FixClass fixes : {analyzer::FixClass::host, analyzer::FixClass::device}) {
    const std::string of = fixes == analyzer::FixClass::host ? "the host" : "the device";
    const auto is_of = [fixes](const AccuracyPair& pair) {
      return is_plain(pair) && analyzer::class_of(pair.prediction.changed.fixes[0]) == fixes;
    };
    const auto used = those(
        pairs, [&is_of](const AccuracyPair& pair) { return is_of(pair) && !pair.is_kept_aside; });
    const auto aside = those(
        pairs, [&is_of](const AccuracyPair& pair) { return is_of(pair) && pair.is_kept_aside; });
    write_errors(of + ": in sample", used, by_all, out);
    write_errors(of + ": leave one out", those(left_out, is_of), by_others, out);
    write_errors(of + ": kept aside", aside, by_all, out);
    write_errors(of + ": H100", those(accuracy.pairs_on_h100, is_of), by_all, out);
  }
  for (const bool is_aside : {false, true}) {
    const auto rest = those(pairs, [is_aside](const AccuracyPair& pair) {
      return !is_plain(pair) && pair.is_kept_aside == is_aside;
    });
    const std::string of = "in doubt, with a number, or several fixes: ";
    write_errors(of + (is_aside ? "kept aside" : "in sample"), rest, by_all, out);
  }
  const auto is_not_plain = [](const AccuracyPair& pair) { return !is_plain(pair); };
  write_errors("the same: H100", those(accuracy.pairs_on_h100, is_not_plain), by_all, out);
}

void write_bands(const std::vector<AccuracyPair>& pairs, std::ostream& out) {
  const analyzer::RecordedAccuracy known = evidence_of(pairs);
  out << "| fixes | made of | half within % | band % | an engine is busy | codes that have it |\n"
         "| --- | ---: | ---: | ---: | ---: | --- |\n";
  for (const analyzer::FixClass fixes : {analyzer::FixClass::host, analyzer::FixClass::device}) {
    std::vector<std::string_view> codes;
    for (const std::string_view code : known.codes) {
      if (!code.empty() && analyzer::class_of(*analyzer::cause_of_code(code)) == fixes) {
        codes.push_back(code);
      }
    }
    const analyzer::ClassErrors& errors = known.of(fixes);
    out << fmt::format("| {} | {} pairs | {:.1f} | {:.1f} | {:.0f} % or more | `{}` |\n",
                       name_of(fixes), errors.pairs, 100 * errors.median_error, 100 * errors.error,
                       100 * errors.least_busy, fmt::join(codes, "`, `"));
  }
  const analyzer::KeptAside aside = check_kept_aside(pairs);
  out << fmt::format(
      "\nOf the pairs kept aside {} have a band, and {} of these lie in it ({:.0f} %; the goal is "
      "{:.0f} %).\n",
      aside.bands, aside.held, aside.bands > 0 ? 100.0 * aside.held / aside.bands : 0, 100 * goal);
}

void write_stand_ins(const std::vector<AccuracyPair>& pairs, std::ostream& out) {
  std::map<std::string, std::vector<std::string>> cases;  // by assumption
  for (const AccuracyPair& pair : pairs) {
    for (const std::string& name : pair.assumed) {
      if (cases[name].empty() || cases[name].back() != pair.name) cases[name].push_back(pair.name);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [name, of] : cases) {
    parts.push_back(fmt::format("`{}` in {}", name,
                                of.size() > 4 ? fmt::format("{} cases", of.size())
                                              : fmt::format("{}", fmt::join(of, ", "))));
  }
  out << fmt::format("Those are {}.", fmt::join(parts, "; "));
}

namespace {

std::string name_of_row(const AccuracyPair& pair) {
  std::string name = pair.name;
  if (pair.variant != "broken") name += " " + pair.variant;
  if (pair.put_right != "fixed") name += " → " + pair.put_right;
  return name;
}

std::string put_right_of(const AccuracyPair& pair) {
  std::string text = fmt::format("{:.3f}", pair.put_right_ms);
  if (pair.put_right_to_ms > 0) {
    text += fmt::format(" ({:.3f} to {:.3f})", pair.put_right_from_ms, pair.put_right_to_ms);
  }
  return text;
}

std::string word_of(const BandCheck& band) {
  if (!band.is_printed) return "";
  return band.held ? "yes" : "**no**";
}

// Of a prediction with two ends the other one; else nothing.

std::string other_end(const AccuracyPair& pair, const std::string& text) {
  return pair.least_ms < pair.predicted_ms ? text : "";
}

}  // namespace

void write_on_h100(const Accuracy& accuracy, std::ostream& out) {
  const analyzer::RecordedAccuracy known = evidence_of(accuracy.left_out);
  out << "| case | fix | recorded | bare | predicted | or | fixed, bare | error % | or | in its "
         "band |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  for (const AccuracyPair& pair : accuracy.pairs_on_h100) {
    out << fmt::format("| {} | `{}` | {:.3f} | {:.3f} | {:.3f} | {} | {} | {} | {} | {} |\n",
                       name_of_row(pair), fmt::join(pair.fixes, "`, `"), pair.wall_ms, pair.bare_ms,
                       pair.predicted_ms, other_end(pair, fmt::format("{:.3f}", pair.least_ms)),
                       put_right_of(pair), percent(pair.error()),
                       other_end(pair, percent(pair.least_error())),
                       word_of(check_band(pair, known)));
  }
}

void write_predictions(const Accuracy& accuracy, std::ostream& out) {
  const analyzer::RecordedAccuracy known = evidence_of(accuracy.left_out);
  out << "| case | fix | recorded | bare | predicted | or | fixed, bare | error % | or | left out "
         "% "
         "| kept aside | in its band |\n"
         "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n";
  auto left_out = accuracy.left_out.begin();  // of the same order as the pairs that it has
  for (const AccuracyPair& pair : accuracy.pairs) {
    // A band that a pair was used for says nothing of it: what the others say of it does.
    const BandCheck band =
        pair.is_kept_aside ? check_band(pair, known) : check_left_out(*left_out, accuracy.left_out);
    out << fmt::format(
        "| {} | `{}` | {:.3f} | {:.3f} | {:.3f} | {} | {} | {} | {} | {} | {} | {} |\n",
        name_of_row(pair), fmt::join(pair.fixes, "`, `"), pair.wall_ms, pair.bare_ms,
        pair.predicted_ms, other_end(pair, fmt::format("{:.3f}", pair.least_ms)),
        put_right_of(pair), percent(pair.error()), other_end(pair, percent(pair.least_error())),
        pair.is_kept_aside ? "" : percent((left_out++)->error()), pair.is_kept_aside ? "yes" : "",
        word_of(band));
  }
}

void write_again(const std::vector<AccuracyPair>& again, std::ostream& out) {
  out << "| case | fix | recorded | predicted | or | change % |\n"
         "| --- | --- | ---: | ---: | ---: | ---: |\n";
  const auto is_noticeable = [](const AccuracyPair& pair) {
    return std::abs(pair.predicted_ms / pair.wall_ms - 1) > analyzer::assumed::noteworthy ||
           pair.least_ms < pair.predicted_ms;
  };
  for (const AccuracyPair& pair : again) {
    if (!is_noticeable(pair)) continue;
    out << fmt::format(
        "| {} {} | `{}` | {:.3f} | {:.3f} | {} | {} |\n", pair.name, pair.variant,
        fmt::join(pair.fixes, "`, `"), pair.wall_ms, pair.predicted_ms,
        pair.least_ms < pair.predicted_ms ? fmt::format("{:.3f}", pair.least_ms) : "",
        percent(pair.predicted_ms / pair.wall_ms - 1));
  }
  const auto count = std::count_if(again.begin(), again.end(), is_noticeable);
  out << fmt::format("\nThe other {} of {} change by no more than 1 %.\n",
                     again.size() - static_cast<std::size_t>(count), again.size());
}

void write_confusion(const std::vector<AccuracyRow>& rows, std::ostream& out) {
  std::map<std::pair<std::string, std::string>, int> counts;
  int right = 0;
  const auto or_nothing = [](const std::string& code) { return code.empty() ? "nothing" : code; };
  const auto found = [&](const AccuracyRow& row) {
    return row.asked.empty() ? or_nothing(row.top) : "nothing; asked: " + row.asked;
  };
  for (const AccuracyRow& row : rows) {
    ++counts[{or_nothing(row.planted), found(row)}];
    right += row.planted == row.top;
  }
  out << fmt::format("{} of {} traces are evaluated as planted.\n\n", right, rows.size());
  out << "| planted | found first | traces |\n| --- | --- | ---: |\n";
  for (const auto& [key, count] : counts) {
    const bool is_right = key.first == key.second;
    out << fmt::format("| {} | {} | {} |\n", key.first,
                       is_right ? key.second : "**" + key.second + "**", count);
  }
}

void write_replays(const std::vector<AccuracyRow>& rows, std::ostream& out) {
  std::vector<double> blind;
  std::vector<double> errors;
  std::vector<double> unexplained;
  for (const AccuracyRow& row : rows) {
    blind.push_back(row.blind_error);
    errors.push_back(row.replay_error);
    unexplained.push_back(row.unexplained_share);
  }
  const auto within = [&blind](double limit) {
    return std::count_if(blind.begin(), blind.end(),
                         [limit](double one) { return std::abs(one) <= limit; });
  };
  out << fmt::format(
      "Over {} traces the median of |blind replay error| is {:.2f} %, the worst {:.2f} %; {} are "
      "within 1 %, {} within 3 %. The replay that puts back what each op was seen to take is off "
      "by "
      "{:.2f} % at most. The largest share of the wall time that no cause explains is {:.2f} "
      "%.\n\n",
      rows.size(), median_of(blind) * 100, worst_of(blind) * 100, within(0.01), within(0.03),
      worst_of(errors) * 100, worst_of(unexplained) * 100);
  out << "| case | variant | wall ms | blind replay % | replay % | unexplained % | planted | found "
         "first | saving % | busiest engine |\n"
         "| --- | --- | ---: | ---: | ---: | ---: | --- | --- | ---: | --- |\n";
  for (const AccuracyRow& row : rows) {
    out << fmt::format(
        "| {} | {} | {:.3f} | {:+.2f} | {:+.2f} | {:.2f} | {} | {} | {} | {} {:.0f} % |\n",
        row.name, row.variant, row.wall_ms, row.blind_error * 100, row.replay_error * 100,
        row.unexplained_share * 100, row.planted, row.top,
        row.top.empty() ? "" : fmt::format("{:.1f}", row.top_saving * 100), row.bound_by,
        row.bound_share * 100);
  }
}

void write_whole(const std::vector<WholeTrace>& traces, std::ostream& out) {
  std::vector<double> errors;
  std::vector<WholeTrace> beyond;
  for (const WholeTrace& trace : traces) {
    errors.push_back(trace.replay_error);
    if (is_explained(trace)) continue;
    beyond.push_back(trace);
  }
  out << fmt::format(
      "Over {} traces the median of |replay error| is {:.2f} %. Of {} more than 2 % of the time is "
      "not explained, or the replay is more than 3 % off:\n\n",
      traces.size(), median_of(errors) * 100, beyond.size());
  out << "| trace | wall ms | replay % | unexplained % |\n| --- | ---: | ---: | ---: |\n";
  for (const WholeTrace& trace : beyond) {
    out << fmt::format("| {} | {:.3f} | {:+.2f} | {:.2f} |\n", trace.name, trace.wall_ms,
                       trace.replay_error * 100, trace.unexplained_share * 100);
  }
}

}  // namespace lapscope::test
