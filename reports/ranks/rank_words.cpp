#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "reports/ranks/render_ranks.h"
#include "reports/ranks/straggler_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {

using analyzer::Ns;
using analyzer::RunCause;
using analyzer::RunDefect;
using analyzer::RunFinding;

namespace {

// Returns the saving as a share of the window: "At most 57 %". If the saving is a range, returns
// both ends: "At most 57 to 65 %".
std::string share_of(const RunFinding& finding, const RunReport& run) {
  const Ns wall = run.run.window.length();
  const std::string least = rough_share(finding.saving, wall);
  const std::string most = rough_share(finding.most_saving, wall);
  if (least == most || finding.saving == 0) return "At most " + most;
  return fmt::format("At most {} to {}", least.substr(0, least.size() - 2), most);
}

std::string clause_of(const RunFinding& finding, const RunReport& run) {
  switch (finding.cause) {
    case RunCause::straggler:
      return straggler_clause(finding, run);
    case RunCause::pipeline_bubble:
      return "the stages of a pipeline wait for each other by turns";
    case RunCause::small_collectives:
      return "collectives are too small and too many";
    case RunCause::exposed_communication:
      break;
  }
  return "no rank computes while collectives transfer";
}

// Returns "Saves at most 2 ms to 3 ms (20 % to 30 %)."
std::string saving_sentence(const RunFinding& finding, Ns wall) {
  const std::string least = rough_share(finding.saving, wall);
  const std::string most = rough_share(finding.most_saving, wall);
  const std::string most_time = format_ns(finding.most_saving);
  std::string saving = fmt::format("{} ({})", most_time, most);
  if (finding.saving == 0) {
    saving += ", or nothing";
  } else if (least != most) {
    saving = fmt::format("{} to {} ({} to {})", format_ns(finding.saving), most_time, least, most);
  }
  return finding.times_as_many == 0 ? fmt::format("Saves at most {}.", saving)
                                    : fmt::format("{} times as many micro-batches save at most {}.",
                                                  finding.times_as_many, saving);
}

}  // namespace

std::string named(const std::vector<std::uint32_t>& which, const RunReport& run) {
  constexpr std::size_t most_listed = 8;
  const std::vector<analyzer::RankResult>& ranks = run.run.ranks;
  const std::string& host = ranks[which.front()].host;
  const auto is_here = [&host](const analyzer::RankResult& rank) { return rank.host == host; };
  const bool is_of_host =
      std::ranges::all_of(which, [&](std::uint32_t r) { return is_here(ranks[r]); });
  const auto on_host = static_cast<std::size_t>(std::ranges::count_if(ranks, is_here));
  if (which.size() > 1 && is_of_host && on_host == which.size()) {
    return fmt::format("the {} ranks of host {}", which.size(), printable(host));
  }
  std::vector<std::uint32_t> in_order = which;
  std::ranges::sort(in_order);
  std::vector<std::string> names;
  for (const std::uint32_t r : in_order) {
    if (names.size() < most_listed) names.push_back(printable(ranks[r].name));
  }
  const std::size_t others = which.size() - names.size();
  return fmt::format("rank{} {}{}", which.size() == 1 ? "" : "s", fmt::join(names, ", "),
                     others == 0 ? "" : fmt::format(" and {} others", others));
}

std::string headline_of(const RunReport& run) {
  if (!run.run.defects.empty()) {
    return fmt::format("Inconclusive: {}", sentence_of(run.run.defects.front()));
  }
  for (const analyzer::RankResult& rank : run.run.ranks) {
    if (rank.trust != analyzer::Trust::inconclusive) continue;
    return fmt::format("Inconclusive: '{}' is incomplete. Its own analysis says why.",
                       printable(rank.file));
  }
  const Ns wall = run.run.window.length();
  const RunFinding* const first = first_of(run.run);
  const analyzer::Share waits = unexplained_waits(run.run, analyzer::assumed::least_saving);
  const bool waits_are_most =
      first == nullptr || waits > analyzer::portion(first->most_saving, wall);
  if (waits > 0 && waits_are_most) {
    return fmt::format(
        "On average, the ranks wait for each other for {} of the time. {}{} `lapscope report` "
        "shows "
        "when they wait.",
        rough(waits),
        run.run.host_limits_pipeline ? "The stages of a pipeline wait by turns, and the host "
                                       "cannot issue more micro-batches "
                                       "in time."
                                     : "No late rank, and no group of late ranks, explains it.",
        run.run.clock_error == 0
            ? ""
            : fmt::format(" Between hosts, lateness of less than {} is not known.",
                          format_ns(run.run.clock_error)));
  }
  if (first != nullptr) {
    return fmt::format("{} of the time could be saved{}: {}.", share_of(*first, run),
                       is_question(first->cause) ? " if the data allows it" : "",
                       clause_of(*first, run));
  }
  if (run.run.ranks.size() < 2) return "One rank alone: nothing is known of others.";
  if (run.run.collectives + run.run.exchanges == 0) {
    return "No collective joins the ranks: each is analyzed alone.";
  }
  const analyzer::RankTime mean = mean_time(run.run);
  const Ns communication = mean.transferring + mean.other_communication;
  if (analyzer::portion(communication, wall) >= analyzer::assumed::least_saving) {
    return fmt::format(
        "On average, the ranks only communicate for {} of the time. Send less data, communicate "
        "less often, or compute meanwhile.",
        rough_share(communication, wall));
  }
  return fmt::format(
      "Nothing between the ranks to fix: on average, they wait for each other for {} of the time, "
      "and only communicate for {}.",
      rough_share(mean.waiting, wall), rough_share(communication, wall));
}

std::string path_sentence(const RunReport& run) {
  analyzer::RankTime all;
  std::vector<std::pair<Ns, std::string>> parts;
  for (const analyzer::RankResult& rank : run.run.ranks) {
    const std::string name = printable(shortened(rank.name, 24));
    all += rank.on_path;
    parts.emplace_back(rank.on_path.idle, fmt::format("rank {} is idle", name));
    parts.emplace_back(rank.on_path.computing, fmt::format("rank {} computes", name));
  }
  parts.emplace_back(all.transferring, "collectives transfer");
  parts.emplace_back(all.other_communication, "other communication");
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t most_listed = 4;
  if (parts.size() > most_listed) parts.resize(most_listed);
  Ns rest = all.sum();
  for (const auto& [ns, what] : parts) rest -= ns;
  parts.emplace_back(rest, "the rest");
  std::vector<std::string> listed;
  for (const auto& [ns, what] : parts) {
    if (analyzer::portion(ns, all.sum()) < analyzer::assumed::noteworthy) continue;
    listed.push_back(fmt::format("{} {}", what, format_share(ns, all.sum())));
  }
  return listed.empty() ? "" : fmt::format("Critical path: {}.", fmt::join(listed, ", "));
}

std::string sentence_of(const RunFinding& finding, const RunReport& run) {
  const Ns wall = run.run.window.length();
  const std::string saves = saving_sentence(finding, wall);
  switch (finding.cause) {
    case RunCause::straggler:
      return straggler_sentence(finding, run) + " " + saves;
    case RunCause::pipeline_bubble: {
      const analyzer::RankResult& longest = run.run.ranks[finding.ranks.front()];
      const std::int64_t messages = finding.micro_batches;
      const std::string in_step =
          messages == 0
              ? ""
              : fmt::format(" ({} message{} a step in each direction, as with {} micro-batch{})",
                            messages, messages == 1 ? "" : "s", messages,
                            messages == 1 ? "" : "es");
      return fmt::format(
          "Every rank that sends and receives waits for another one for {} or "
          "more, rank {} for {}, in {} exchanges{}. {}",
          rough_share(finding.bubble, wall), printable(longest.name),
          rough_share(longest.time.for_messages, wall), finding.count, in_step, saves);
    }
    case RunCause::small_collectives: {
      const std::string size =
          finding.bytes > 0 ? fmt::format(" of {} or less", format_size(finding.bytes)) : "";
      return fmt::format(
          "{} of {} collectives{} follow each other with no kernel between "
          "them. {}",
          finding.count, run.run.collectives, size, saves);
    }
    case RunCause::exposed_communication:
      break;
  }
  Ns shortest = wall;  // the shortest transfer time of a rank
  for (const analyzer::RankResult& rank : run.run.ranks) {
    shortest = std::min(shortest, rank.time.transferring);
  }
  return fmt::format(
      "On every rank, collectives transfer for {} or more with no other op beside them. {}",
      format_ns(shortest), saves);
}

std::string fix_of(const RunFinding& finding, const RunReport& run) {
  switch (finding.cause) {
    case RunCause::straggler:
      return straggler_fix(finding, run);
    case RunCause::pipeline_bubble:
      return "More micro-batches: twice as many halve the waiting, if each then takes half as "
             "long and the host issues all of them in time.";
    case RunCause::small_collectives:
      return "One collective of all the data: a flat buffer, or larger buckets (bucket_cap_mb of "
             "DistributedDataParallel).";
    case RunCause::exposed_communication:
      break;
  }
  return "Start each collective as soon as its data is ready, in a stream of its own, as "
         "DistributedDataParallel does with gradients.";
}

std::string sentence_of(const analyzer::RunDefectRow& defect) {
  const std::string which = fmt::format("{}", fmt::join(defect.which, ", "));
  switch (defect.defect) {
    case RunDefect::several_runs:
      return "there is no time at which all ranks ran: the folder holds several runs. Record each "
             "into a folder of its own.";
    case RunDefect::different_sizes:
      return "the traces are of runs with different numbers of ranks: the folder holds several "
             "runs. Record each into a folder of its own.";
    case RunDefect::rank_twice:
      return fmt::format(
          "rank {} is there more than once: the folder holds copies, or several runs. Keep one "
          "trace or summary of each rank.",
          which);
    case RunDefect::rank_without_work:
      return fmt::format(
          "the trace{} of rank{} {}{} no GPU work, so that the other ranks cannot be compared with "
          "{}. Check that every rank runs on a GPU, and record until it does.",
          defect.count == 1 ? "" : "s", defect.count == 1 ? "" : "s", which,
          defect.count == 1 ? " has" : " have", defect.count == 1 ? "it" : "them");
    case RunDefect::rank_missing:
      return defect.which.size() == static_cast<std::size_t>(defect.count)
                 ? fmt::format("there is no trace of rank {}. Copy it into the folder.", which)
                 : fmt::format("there is no trace of {} ranks: {}, … Copy them into the folder.",
                               defect.count, which);
    case RunDefect::no_clock:
      return fmt::format(
          "{} of the traces do not say when they began, so that ranks cannot be compared in time.",
          defect.count);
    case RunDefect::unknown_clock:
      return "the clocks of the hosts cannot be compared: neither collectives nor messages in both "
             "directions relate a host to the first one. Record all ranks to the end.";
    case RunDefect::contradicted_clock:
      return "collectives contradict every difference between the hosts' clocks, even if it "
             "drifts: "
             "one clock was set. Synchronize the clocks before you record.";
    case RunDefect::coarse_summaries:
      return "the summaries may leave out pauses that are longer than a tenth of a step. Analyze "
             "the "
             "traces instead.";
    case RunDefect::unmatched_collectives:
      break;
  }
  return fmt::format(
      "{} communication kernels have no counterpart on another rank: not all ranks were recorded "
      "to the end, or one never reached them.{}",
      defect.count, which.empty() ? "" : " Of rank " + which + " there are too few.");
}

}  // namespace lapscope::reports
