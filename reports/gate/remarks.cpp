#include "reports/gate/gate_words.h"

#include "analyzer/model/evidence.h"
#include "reports/words/filled.h"

namespace lapscope::reports {
namespace {

using analyzer::Detail;
using analyzer::Details;
using analyzer::Remark;
using analyzer::RemarkKind;
using enum analyzer::RemarkKind;

std::string scope_at(const Details& details, std::size_t at) {
  const auto& scope = std::get<std::string>(details.at(at));
  return scope.empty() ? "the whole run" : scope;
}

Details scope_of_run(const Details& details) {
  return {details.at(0), details.at(1), scope_at(details, 2)};
}

Details two_scopes(const Details& details) {
  return {details.at(0), scope_at(details, 1), details.at(2), scope_at(details, 3)};
}

Details or_unknown(const Details& details) {
  Details shown = details;
  for (Detail& gpu : shown) {
    if (std::get<std::string>(gpu).empty()) gpu = "unknown";
  }
  return shown;
}

Details records(const Details& details) { return {details.at(0), listed(names_from(details, 1))}; }

Details records_of_cause(const Details& details) {
  return {details.at(0), details.at(1), listed(names_from(details, 2))};
}

Details what_is_lacking(const Details& details) {
  std::string list;
  for (const std::string& kind : names_from(details, 1)) {
    if (!list.empty()) list += ", ";
    list += (kind == analyzer::bare_runs ? "" : "records of ") + kind;
  }
  return {details.at(0), list};
}

struct RemarkWords {
  RemarkKind kind;
  std::string_view sentence;
  Details (*shown)(const Details& details) = nullptr;
};

// In the order of RemarkKind.
constexpr RemarkWords words[] = {
    {none, ""},
    {unsound, "'{0}' cannot be relied on."},
    {unsound_for, "'{0}' cannot be relied on: {1}"},
    {incomplete,
     "'{0}' is not the whole run. {1} To evaluate it as it is, use --allow {2}, or allow = "
     "[\"{2}\"] in the gate file."},
    {made_otherwise,
     "'{0}' does not say how it was made; make it again with `lapscope summarize`."},
    {same_run, "'{0}' and '{1}' are the same run, which is no repeat of itself."},
    {other_ranks,
     "'{0}' is rank {1} and '{2}' rank {3}, which are no repeats; use the folder of all ranks, or "
     "each rank alone."},
    {other_commands,
     "'{0}' and '{1}' are runs of different commands and so no repeats; evaluate them one by one, "
     "or use --allow-other-command, or allow_other_command in the gate file."},
    {other_threads,
     "'{0}' was made with --range-threads {1}, so that other work is its ranges' than the gate "
     "means; make it again with `lapscope summarize`."},
    {untold_scope,
     "'{0}' does not say which scope is its default; make it again with `lapscope summarize`, or "
     "use --whole."},
    {not_steady, "'{0}' has no steady state: it has no profiler brackets, loop or NVTX range."},
    {other_scope,
     "The gate is for the scope '{0}', but of '{1}' the default scope is {2}; name a range, or let "
     "`lapscope gate --init` write the gate again.",
     scope_of_run},
    {unlike_scopes,
     "The default scopes are not alike: of '{0}' it is {1}, of '{2}' {3}; name a range that both "
     "have (--range), or use --whole.",
     two_scopes},
    {impossible_ops,
     "'{0}' has {1} op[|s] with impossible times that may belong there, and in no figure."},
    {not_in_this_run, "'{0}' has no such work, others have."},
    {few_ops, "'{0}' has {1} op[|s] there, fewer than {2}."},
    {other_gpus,
     "The repeats ran on different GPUs, {0} and {1}; if that is meant, use --allow-other-gpu, or "
     "allow_other_gpu in the gate file."},
    {missing_work, "'{0}' has no GPU work of {1}."},
    {missing_range, "'{0}' has no GPU work of {1}; check the name, and that the program sets it."},
    {missing_in_summary,
     "'{0}' has no GPU work of {1}; name the range when you summarize the trace."},
    {other_communication,
     "'{0}' was made with other kernels that communicate (--comm) than the gate names."},
    {no_such_work, "'{0}' has no such work."},
    {causes_unknown, "The causes of serialization were not analyzed in '{0}'."},
    {possible_untold,
     "'{0}' does not say which findings are possible; make it again with `lapscope summarize`."},
    {replay_off,
     "The replay of '{0}' is off by {1:.1f} %, more than {2:.1f} %, so that its findings cannot be "
     "relied on."},
    {unexplained,
     "{1:.1f} % of the time of '{0}' is not explained, so that its findings cannot be relied on."},
    {cause_not_recorded, "'{0}' does not hold records of {2}, without which {1} may not be seen.",
     records_of_cause},
    {recorder_decides,
     "What is found in '{0}' changes with what recording adds, which nobody knows well enough; run "
     "`lapscope doctor --calibrate`, and record with --bare 3."},
    {range_decides,
     "The predicted saving in '{0}' is a range, and the limit lies within it; see `lapscope "
     "analyze "
     "{0}`."},
    {ranks_not_joined,
     "'{0}' shows no collective or exchange of two ranks, so that nothing is known between ranks; "
     "record all ranks, with NCCL's NVTX ranges."},
    {waits_unexplained,
     "The ranks of '{0}' wait for each other for {1:.1f} % of the time, and no finding explains "
     "it; see `lapscope analyze {0}`."},
    {ranks_not_known,
     "For {1:.1f} % of the time, the ranks of '{0}' communicate with ranks that are not known, and "
     "may wait for them; see `other comm` in `lapscope analyze {0}`."},
    {causes_not_recorded,
     "'{0}' does not hold records of {1}, without which one cause is taken for another.", records},
    {baseline_is_run,
     "'{0}' and '{1}' are the same run, which cannot be worse than itself; if that is meant, use "
     "--allow {2}, or allow = [\"{2}\"] in the gate file."},
    {baseline_lacks_rank,
     "The baseline '{0}' has no rank {1}; compare with a run that has this rank."},
    {baseline_lacks_work, "The baseline '{0}' has no {1}."},
    {baseline_few_ops, "The baseline '{0}' has {1} ops there, fewer than {2}."},
    {baseline_other_gpu,
     "The baseline is of another GPU, {0} instead of {1}; if that is meant, use --allow-other-gpu, "
     "or allow_other_gpu in the gate file.",
     or_unknown},
    {lost_work, "The baseline '{0}' has this work, and '{1}' has not."},
    {ranges_made_otherwise,
     "'{0}' was made with --range-threads {1} and others were not, so that their ranges cannot be "
     "compared."},
    {no_common_work, "There is no work that both sides have."},
    {no_bare_runs,
     "'{0}' has no bare runs of it; record with --bare 3, and evaluate an NVTX range (--range)."},
    {not_calibrated,
     "Nobody knows what recording adds to '{0}'; run `lapscope doctor --calibrate`, and record "
     "again."},
    {no_host_samples,
     "In '{0}' nobody looked at host threads; record again, without --host-samples off."},
    {no_measure, "'{0}' lacks {1}; make the summary again."},
    {undefined, "{0} is not defined in '{1}': {2}."},
    {bound_in_spread,
     "The bound lies inside the spread of the {0} repeats; record more of them, or move it."},
    {spreads_meet,
     "The spreads of the repeats and of the baseline's meet; record more of them, or allow a "
     "larger "
     "tolerance."},
    {found_in_some, "It was found in {0} of the {1} repeats."},
    {too_little, "It takes less than {0:g} us, which is no finding."},
    {only_possible, "That is possible: the trace does not show whether it holds."},
    {waived, "Waived until {0}: {1}"},
    {waiver_expired, "The waiver of it expired on {0}: {1}. Mend it, or decide on a new date."},
    {waiver_unneeded, "Its waiver is no longer needed; remove it."},
    {defect, "'{0}': {1}"},
    {wall_as_recorded,
     "wall is evaluated as recorded; without the recorder's own time {0} takes {1:.3f} ms "
     "(corrected_wall)."},
    {baseline_of_command, "The baseline is of another command: '{0}' instead of '{1}'."},
    {baseline_of_driver, "The baseline was recorded with another driver: {0} instead of {1}."},
    {commands_differ, "The commands differ: '{0}' and '{1}'."},
    {drivers_differ, "The drivers differ: {0} and {1}."},
    {gpus_differ, "The GPUs differ: {0} and {1}; times say little."},
    {corrected_before_only,
     "Causes and findings before are of the run without the recorder's own time, after they are "
     "not: they may differ for that."},
    {corrected_after_only,
     "Causes and findings after are of the run without the recorder's own time, before they are "
     "not: they may differ for that."},
    {findings_not_compared,
     "'{0}' lacks {1}, without which one cause is taken for another: findings are not compared.",
     what_is_lacking},
    {only_before, "Only before: {0}."},
    {only_after, "Only after: {0}."},
};

constexpr bool has_one_of_each() {
  for (std::size_t i = 0; i < std::size(words); ++i) {
    if (words[i].kind != static_cast<RemarkKind>(i)) return false;
  }
  return words[std::size(words) - 1].kind == RemarkKind::only_after;
}
static_assert(has_one_of_each());

}  // namespace

std::string sentence_of(const Remark& remark) {
  const RemarkWords& known = words[static_cast<std::size_t>(remark.kind)];
  return (remark.is_of_baseline ? "Of the baseline: " : "") +
         filled(known.sentence, known.shown ? known.shown(remark.details) : remark.details);
}

std::vector<std::string> sentences_of(const std::vector<Remark>& remarks) {
  std::vector<std::string> sentences;
  for (const Remark& remark : remarks) sentences.push_back(sentence_of(remark));
  return sentences;
}

}  // namespace lapscope::reports
