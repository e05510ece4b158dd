#include "analyzer/ranks/judge_ranks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/run_steps.h"

namespace lapscope::analyzer {

std::string_view code_of(RunDefect defect) {
  switch (defect) {
    case RunDefect::several_runs:
      return "several-runs";
    case RunDefect::different_sizes:
      return "different-sizes";
    case RunDefect::rank_twice:
      return "rank-twice";
    case RunDefect::rank_missing:
      return "rank-missing";
    case RunDefect::no_clock:
      return "no-clock";
    case RunDefect::unknown_clock:
      return "unknown-clock";
    case RunDefect::contradicted_clock:
      return "contradicted-clock";
    case RunDefect::unmatched_collectives:
      break;
  }
  return "unmatched-collectives";
}

std::string_view code_of(RunCause cause) {
  switch (cause) {
    case RunCause::straggler:
      return "straggler";
    case RunCause::pipeline_bubble:
      return "pipeline-bubble";
    case RunCause::small_collectives:
      return "small-collectives";
    case RunCause::exposed_communication:
      break;
  }
  return "exposed-communication";
}

std::string_view name_of(LateBy by) {
  switch (by) {
    case LateBy::computing:
      return "computing";
    case LateBy::idle:
      return "idle";
    case LateBy::turns:
      break;
  }
  return "turns";
}

std::string_view name_of(RunWindow window) {
  switch (window) {
    case RunWindow::steps:
      return "steps";
    case RunWindow::steady:
      return "steady";
    case RunWindow::whole:
      break;
  }
  return "whole";
}

namespace {

constexpr std::size_t most_named = 16;

std::optional<int> number_of(const std::string& rank) {
  int number = 0;
  const auto [end, error] = std::from_chars(rank.data(), rank.data() + rank.size(), number);
  if (error != std::errc() || end != rank.data() + rank.size() || number < 0) return std::nullopt;
  return number;
}

// By rank where each has a number, else by file; of one process by device.
void sort_ranks(std::vector<RankWork>& ranks) {
  std::stable_sort(ranks.begin(), ranks.end(), [](const RankWork& a, const RankWork& b) {
    const auto key = [](const RankWork& one) { return number_of(one.rank).value_or(1 << 30); };
    return std::tuple(key(a), a.file, a.device) < std::tuple(key(b), b.file, b.device);
  });
}

void find_missing_ranks(const std::vector<RankWork>& ranks, std::vector<RunDefectRow>& defects) {
  std::map<int, std::set<std::string>> files;
  std::set<int> sizes;
  for (const RankWork& rank : ranks) {
    if (rank.ranks > 0) sizes.insert(rank.ranks);
    if (const auto number = number_of(rank.rank)) files[*number].insert(rank.file);
  }
  RunDefectRow twice{RunDefect::rank_twice};
  for (const auto& [number, of_rank] : files) {
    if (of_rank.size() > 1) twice.which.push_back(std::to_string(number));
  }
  twice.count = static_cast<std::int64_t>(twice.which.size());
  std::int64_t all = sizes.empty() ? 0 : *sizes.rbegin();
  if (!files.empty()) all = std::max(all, std::int64_t{files.rbegin()->first} + 1);
  RunDefectRow missing{RunDefect::rank_missing, all - static_cast<std::int64_t>(files.size())};
  // Not more than are read: a damaged file may say that there are 10^9.
  for (int number = 0; number < all && missing.which.size() < most_named; ++number) {
    if (files.count(number) == 0) missing.which.push_back(std::to_string(number));
  }
  if (sizes.size() > 1) defects.push_back({RunDefect::different_sizes, 1});
  for (RunDefectRow* row : {&twice, &missing}) {
    if (row->count > 0) defects.push_back(std::move(*row));
  }
}

Interval common(const std::vector<RankWork>& ranks, const std::vector<Ns>& offsets,
                Interval RankWork::*of) {
  Interval window{(ranks[0].*of).start + offsets[0], (ranks[0].*of).end + offsets[0]};
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    window.start = std::max(window.start, (ranks[r].*of).start + offsets[r]);
    window.end = std::min(window.end, (ranks[r].*of).end + offsets[r]);
  }
  window.end = std::max(window.end, window.start);
  return window;
}

std::vector<RunDefectRow> defects_of(const std::vector<RankWork>& ranks, const RankClocks& clocks,
                                     const Matches& matches) {
  std::vector<RunDefectRow> defects;
  find_missing_ranks(ranks, defects);
  const auto without_clock = std::count_if(ranks.begin(), ranks.end(), [](const RankWork& rank) {
    return rank.whole.start < latest_time;  // no UTC
  });
  if (without_clock > 0 && ranks.size() > 1) {
    defects.push_back({RunDefect::no_clock, without_clock});
  } else if (common(ranks, clocks.offsets, &RankWork::whole).length() == 0) {
    defects.push_back({RunDefect::several_runs, 1});
  }
  if (clocks.is_unknown) defects.push_back({RunDefect::unknown_clock, 1});
  if (clocks.is_contradicted) defects.push_back({RunDefect::contradicted_clock, 1});
  std::int64_t unmatched = 0;
  for (const std::int64_t of_rank : matches.unmatched) unmatched += of_rank;
  std::int64_t matched = 0;
  for (const MatchedCollective& one : matches.collectives) {
    matched += static_cast<std::int64_t>(one.members.size());
  }
  const bool is_much = static_cast<double>(unmatched) >
                       assumed::hardly_any * static_cast<double>(matched + unmatched);
  if (ranks.size() > 1 && is_much) {
    defects.push_back({RunDefect::unmatched_collectives, unmatched});
  }
  return defects;
}

// Steady states where what they share is most of each.
void choose_window(const std::vector<RankWork>& ranks, const std::vector<Ns>& offsets,
                   const Matches& matches, RunResult& run) {
  if (const std::optional<Interval> steps = steps_of_run(ranks, matches)) {
    run.window = *steps;
    run.window_is = RunWindow::steps;
    return;
  }
  run.window = common(ranks, offsets, &RankWork::judged);
  const bool is_steady = std::all_of(ranks.begin(), ranks.end(), [&run](const RankWork& rank) {
    return rank.is_steady && static_cast<double>(run.window.length()) >
                                 assumed::majority * static_cast<double>(rank.judged.length());
  });
  run.window_is = is_steady ? RunWindow::steady : RunWindow::whole;
  if (!is_steady) run.window = common(ranks, offsets, &RankWork::whole);
}

// What recording added to a rank is known of what its report judges. Where that is not most of the
// window, the other ranks' stands for it.
void choose_recorder_shares(const std::vector<Ns>& offsets, const Interval& window,
                            std::vector<RankWork>& ranks) {
  const auto is_of_window = [&](std::size_t r) {
    const Ns start = std::max(window.start, ranks[r].judged.start + offsets[r]);
    const Ns end = std::min(window.end, ranks[r].judged.end + offsets[r]);
    return static_cast<double>(end - start) >
           assumed::majority * static_cast<double>(window.length());
  };
  Share most = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (is_of_window(r)) most = std::max(most, ranks[r].recorder_share);
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (!is_of_window(r)) ranks[r].recorder_share = most;
  }
}

// What recording may have added to a stretch of a rank's time.
Ns recorders_of(const RankWork& rank, Ns stretch) {
  return std::llround(rank.recorder_share * static_cast<double>(stretch));
}

// The time for which every rank that sends and receives waits for another one: stages of a pipeline
// wait by turns, and what they wait beyond it is for the slowest.
RunFinding pipeline_bubble(const RunResult& run, const std::vector<RankWork>& ranks) {
  RunFinding finding{RunCause::pipeline_bubble};
  bool is_any = false;
  Ns recorders = 0;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    const RankResult& rank = run.ranks[r];
    if (rank.exchanges == 0) continue;
    const Ns waiting = rank.time.for_messages;
    finding.most_saving = is_any ? std::min(finding.most_saving, waiting) : waiting;
    if (waiting > run.ranks[finding.rank].time.for_messages) finding.rank = r;
    recorders = std::max(recorders, recorders_of(ranks[r], run.window.length()));
    is_any = true;
  }
  finding.count = run.exchanges;
  finding.saving = std::max<Ns>(0, finding.most_saving - recorders);
  return finding;
}

RunFinding straggler(const RunResult& run, const RankWork& work, std::uint32_t rank, Ns bubble) {
  const Lateness& late = run.ranks[rank].late;
  const Ns recorders = recorders_of(work, run.window.length());
  Ns alone = late.alone_ns + std::max<Ns>(0, late.of_messages - bubble);
  // What the others do besides waiting stays.
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    if (r != rank) alone = std::min(alone, run.ranks[r].time.waiting);
  }
  RunFinding finding{RunCause::straggler, std::max<Ns>(0, alone - recorders), alone, late.last,
                     rank};
  Ns computing = 0;
  Ns idle = 0;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    if (r == rank) continue;
    computing += run.ranks[r].time.computing;
    idle += run.ranks[r].time.idle;
  }
  const auto others = static_cast<Ns>(run.ranks.size()) - 1;
  const Ns more_computing = run.ranks[rank].time.computing - computing / others;
  const Ns more_idle = run.ranks[rank].time.idle - idle / others;
  finding.late_by = more_idle >= more_computing ? LateBy::idle : LateBy::computing;
  finding.excess = std::max(more_idle, more_computing);
  const double most = assumed::majority * static_cast<double>(finding.saving);
  if (static_cast<double>(finding.excess) < most) finding.late_by = LateBy::turns;
  return finding;
}

// Rows last for as long as the slowest rank's host takes to issue them.
RunFinding merged(const SmallCollectives& rows, const std::vector<RankWork>& ranks) {
  Ns recorders = 0;
  for (const RankWork& rank : ranks) {
    recorders = std::max(recorders, recorders_of(rank, rows.row_ns));
  }
  RunFinding finding{RunCause::small_collectives, std::max<Ns>(0, rows.saving - recorders),
                     rows.saving, rows.collectives};
  finding.bytes = rows.most_bytes;
  return finding;
}

// Transfers that no rank hides could run beside what the ranks compute.
RunFinding exposed_communication(const RunResult& run) {
  Ns most = run.window.length();
  for (const RankResult& rank : run.ranks) {
    most = std::min({most, rank.time.transferring, rank.time.computing});
  }
  return {RunCause::exposed_communication, most, most, run.collectives};
}

void count_collectives(const Matches& matches, RunResult& run) {
  for (const MatchedCollective& one : matches.collectives) {
    if (one.last_start() < run.window.start || run.window.end <= one.last_start()) continue;
    const bool is_exchange = one.kind == CollectiveKind::send_receive;
    ++(is_exchange ? run.exchanges : run.collectives);
    for (const MatchedCollective::Member& member : one.members) {
      RankResult& rank = run.ranks[member.rank];
      ++(is_exchange ? rank.exchanges : rank.collectives);
    }
  }
}

}  // namespace

std::optional<RunCause> run_cause_of_code(std::string_view code) {
  const auto* found = std::find_if(run_causes.begin(), run_causes.end(),
                                   [&](RunCause cause) { return code_of(cause) == code; });
  return found == run_causes.end() ? std::nullopt : std::optional(*found);
}

bool is_question(RunCause cause) {
  return cause == RunCause::small_collectives || cause == RunCause::exposed_communication;
}

RunResult judge_ranks(std::vector<RankWork> ranks, Share least_saving) {
  sort_ranks(ranks);
  RunResult run;
  const RankClocks clocks = rank_clocks(ranks);
  const Matches matches = match_collectives(ranks, clocks.offsets);
  run.clock_error = clocks.error;
  run.others = matches.others;
  run.by_stream = matches.by_stream;
  run.defects = defects_of(ranks, clocks, matches);
  choose_window(ranks, clocks.offsets, matches, run);
  choose_recorder_shares(clocks.offsets, run.window, ranks);
  const std::vector<Lateness> late =
      lateness(ranks, clocks.offsets, matches, run.window, clocks.error);
  std::map<std::string, int> devices;
  for (const RankWork& rank : ranks) ++devices[rank.file];
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankWork& rank = ranks[r];
    std::string name = rank.rank.empty() ? rank.file : rank.rank;
    if (devices[rank.file] > 1) name += "/" + std::to_string(rank.device);
    run.ranks.push_back({std::move(name), rank.file, rank.host, rank.device, rank.device_name, 0, 0,
                         rank_time(ranks, clocks.offsets, matches, r, run.window), late[r],
                         clocks.offsets[r]});
  }
  count_collectives(matches, run);
  if (ranks.size() < 2) return run;

  const auto add = [&](RunFinding finding) {
    auto& list = is_question(finding.cause) ? run.questions : run.findings;
    const auto wall = static_cast<double>(run.window.length());
    if (static_cast<double>(finding.saving) >= least_saving * wall && finding.most_saving > 0) {
      list.push_back(finding);
    }
  };
  const RunFinding bubble = pipeline_bubble(run, ranks);
  add(bubble);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    add(straggler(run, ranks[r], r, bubble.most_saving));
  }
  add(merged(small_collectives(ranks, clocks.offsets, matches, run.window), ranks));
  add(exposed_communication(run));
  for (auto* list : {&run.findings, &run.questions}) {
    std::stable_sort(list->begin(), list->end(),
                     [](const RunFinding& a, const RunFinding& b) { return a.saving > b.saving; });
  }
  return run;
}

const RunFinding* first_of(const RunResult& run) {
  const RunFinding* finding = run.findings.empty() ? nullptr : &run.findings.front();
  const RunFinding* question = run.questions.empty() ? nullptr : &run.questions.front();
  if (finding == nullptr || question == nullptr) return finding ? finding : question;
  return question->saving > finding->saving ? question : finding;
}

Verdict verdict_of(const RunResult& run, std::span<const Report> reports) {
  const bool is_open = std::any_of(reports.begin(), reports.end(), [](const Report& report) {
    return report.trust == Trust::inconclusive;
  });
  if (is_open || !run.defects.empty()) return Verdict::inconclusive;
  if (!run.findings.empty()) return Verdict::findings;
  return run.questions.empty() ? Verdict::ok : Verdict::possible;
}

}  // namespace lapscope::analyzer
