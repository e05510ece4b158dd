#include "reports/words/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/words/filled.h"
#include "reports/words/fixes.h"

namespace lapscope::reports {
namespace {

using analyzer::Details;
using analyzer::HealthKind;
using analyzer::HealthRow;

std::int64_t number(const Details& details, std::size_t at) {
  return std::get<std::int64_t>(details.at(at));
}

const std::string& name(const Details& details, std::size_t at) {
  return std::get<std::string>(details.at(at));
}

// What else is known of a loss.
Details in_brackets(const Details& details) {
  return {details.size() < 2 ? "" : " (" + name(details, 1) + ")"};
}

std::string seconds_by(const Details& details, std::size_t at) {
  return fmt::format("{:.3f} s ({})", static_cast<double>(number(details, at)) / 1e9,
                     name(details, at + 1));
}

Details stretch(const Details& details) {
  return {seconds_by(details, 0),
          details.size() < 3 ? std::string("the end of the recording") : seconds_by(details, 2)};
}

// "3 have none for want of room, 1 lack their outermost frames"
std::string by_reason(const Details& counts, std::initializer_list<std::string_view> reasons) {
  std::string list;
  std::size_t at = 1;
  for (const std::string_view reason : reasons) {
    const std::int64_t count = number(counts, at++);
    if (count > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, reason);
  }
  return list;
}

Details incomplete_stacks(const Details& details) {
  return {
      details.at(0),
      by_reason(details, {"have none for want of room", "have none because it could not be read",
                          "lack their outermost frames", "lack their frames of Python"})};
}

Details impossible_ops(const Details& details) {
  return {details.at(0),
          by_reason(details, {"start before the call that issued them", "end after the recording",
                              "run beside others of their stream"})};
}

// "CUPTI_ACTIVITY_KIND_KERNEL 3, CUPTI_ACTIVITY_KIND_MEMSET 1"
Details by_table(const Details& details) {
  std::string list;
  for (std::size_t at = 0; at + 1 < details.size(); at += 2) {
    list += fmt::format("{}{} {}", at == 0 ? "" : ", ", name(details, at), number(details, at + 1));
  }
  return {list};
}

Details came(const Details& details) {
  std::string kinds;
  for (const std::string& kind : names_from(details, 1)) {
    kinds += (kinds.empty() ? "" : " and ") + kind;
  }
  return {details.at(0), kinds};
}

// A ratio with one decimal, rounded.
std::string tenths(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t tenths = (numerator * 10 + denominator / 2) / denominator;
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

Details overhead(const Details& details) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  const std::int64_t held = number(details, 0);
  const std::int64_t all = number(details, 1);
  return {tenths(held, ns_per_ms), tenths(all, ns_per_ms), tenths(held * 100, all)};
}

Details other_ranges(const Details& details) {
  const std::string ranges = ranges_to_name(names_from(details, 1));
  return {details.at(0),
          ranges.empty()
              ? "No range did; those opened before the first use of CUDA are not recorded."
              : "Ranges by GPU work: " + ranges + "."};
}

Details unknown_rate(const Details& details) { return {unknown_rate_sentences(name(details, 0))}; }

// {0} is the count of the row, {1} and so on its details, or what `shown` makes of them.
struct Sentences {
  HealthKind kind;
  std::string_view message;
  std::string_view remedy;
  Details (*shown)(const Details& details) = nullptr;
};

constexpr std::string_view copy_again =
    "Copy the trace again from where it was recorded, or record again.";
constexpr std::string_view record_shorter =
    "Record again, a shorter part of the program or with a newer CUDA toolkit.";
constexpr std::string_view record_again =
    "Record again; CUPTI delivers such records after idle time.";
constexpr std::string_view to_know = "Record with `lapscope record` to know.";
constexpr std::string_view newer_cupti =
    "Record with the libcupti of a newer CUDA (record --cupti).";
constexpr std::string_view let_it_end =
    "Profile again: let the program end, or call cudaProfilerStop, before the profiler stops.";
constexpr std::string_view refused = "CUPTI refused to record {1} (CUptiResult {2}).";
constexpr std::string_view newer_toolkit =
    "Record with the CUPTI library of a newer CUDA toolkit, and a driver that is no older.";
constexpr std::string_view graphs_not_traced =
    "The kernels and copies inside {0} CUDA graph launches were not traced. Each launch counts as "
    "one kernel that lasts as long as the graph did, so that what overlaps inside is not known.";
constexpr std::string_view cannot_have_run =
    "{0} row[|s] of {1} cannot have run then: {2}. They are in no figure, and what they may be "
    "part "
    "of is inconclusive.";
constexpr std::string_view held_up =
    "CUPTI held the program's threads up for {1} ms of {2} ms ({3} %), besides what every record "
    "costs.";
constexpr std::string_view leave_out =
    "Evaluate a range after the first iterations, or leave kinds out (--no-...).";
constexpr std::string_view no_migrations =
    "The program has managed memory (allocations: {0}), and the trace has none of its migrations "
    "and page faults: kernels that wait for pages are taken for long kernels.";
constexpr std::string_view nothing_of_calls =
    "The trace has {0} call[ that launches or copies, and nothing of what it did|s that launch or "
    "copy, and nothing of what they did] on the GPU: its records were lost, or the calls failed.";

// One of each, in the order of LAPSCOPE_HEALTH_KINDS.
constexpr Sentences words[] = {
    {HealthKind::cut_off,
     "The program ended without its exit handlers (killed, or _exit): up to the last {1} ms are "
     "missing.",
     "Let the program exit normally, or evaluate a range that had ended before."},
    {HealthKind::still_running,
     "The recording has not ended, or ended without `lapscope record` seeing it.",
     "Wait for the program to end."},
    {HealthKind::no_end,
     "{1} does not say how the recording ended (0 rows of the fact '{2}'): whether the trace is "
     "whole is not known.",
     copy_again},
    {HealthKind::no_clock,
     "{1} has 0 rows, though the recording was closed: when the recording ended is not known.",
     copy_again},
    {HealthKind::no_session_start,
     "{1} has 0 rows, though the recording was closed: when the recording began is not known.",
     copy_again},
    {HealthKind::yielded,
     "Another CUPTI client in the program could take over: what it took is missing here, and "
     "nobody has counted it.",
     "Record without --yield-to-app while the program's own profiler is off."},
    {HealthKind::calls_left_out,
     "Of API calls only those that issue work were recorded: what the host did otherwise is not "
     "known.",
     "Record without --light."},
    {HealthKind::kind_left_out, "{1} records were not recorded, by an option of lapscope record.",
     "Record without the option that leaves them out (--light, --no-...)."},
    {HealthKind::work_refused, refused, newer_toolkit},
    {HealthKind::kind_refused, refused, newer_toolkit},
    {HealthKind::detail_refused, refused, newer_toolkit},
    {HealthKind::not_calibrated, "What recording adds to calls is not known and not taken out: {1}",
     "Run `lapscope doctor --calibrate`, and record again."},
    {HealthKind::not_recorded, "The collector could not record: {1}.", ""},
    {HealthKind::unmatched_range_ends,
     "{0} NVTX ranges were closed whose beginning is not in the trace{1}.",
     "Open them after the first CUDA call.", in_brackets},
    {HealthKind::foreign_buffers, "Records went astray: {0} buffers of CUPTI were not ours{1}.",
     "Switch the program's own profiler off.", in_brackets},
    {HealthKind::unknown_kind, "{0} records of a kind that lapscope does not know were skipped{1}.",
     "A newer lapscope may know them.", in_brackets},
    {HealthKind::write_error,
     "The trace could not be written to its end; {0} records are missing{1}.",
     "Record to a disk with more free space.", in_brackets},
    {HealthKind::other_loss, "{0} records were lost{1}.", "Record a shorter part of the program.",
     in_brackets},
    {HealthKind::stacks_lost, "Call stacks are incomplete, beside {1} calls that have one: {2}.",
     "", incomplete_stacks},
    {HealthKind::clock_step,
     "The system clock was set during the recording, by {1} ns: times before and after do not fit "
     "together.",
     "Record again."},
    {HealthKind::captured_part,
     "Only a part of the run was captured, from {1} to {2}: nothing is known of the rest, and ops "
     "that reach over a border count with the part inside.",
     "", stretch},
    {HealthKind::nothing_captured,
     "Only a part of the run was to be captured, and what it was to begin with never came.",
     "Check the name that --capture-range was given, and --delay."},
    {HealthKind::cupti_without_loads,
     "CUPTI {1} has a known defect: lazy loading is not in it: what the first launch of a kernel "
     "waits for is unknown.",
     newer_cupti},
    {HealthKind::cupti_slows_calls,
     "CUPTI {1} has a known defect: it slows calls down that are repeated often: host times may be "
     "longer than without.",
     newer_cupti},
    {HealthKind::cuda_events_missing,
     "Nsight Systems says of this recording: \"{1}\": calls, kernels and copies may be missing "
     "from "
     "every figure.",
     let_it_end},
    {HealthKind::nvtx_events_missing,
     "Nsight Systems says of this recording: \"{1}\": ranges may be missing, or lack their end.",
     let_it_end},
    {HealthKind::no_cuda_events,
     "Nsight Systems says of this recording: \"{1}\": CUDA was not traced, or the program did not "
     "use it.",
     "Profile with `nsys profile --trace=cuda,nvtx`, or record with `lapscope record`."},
    {HealthKind::export_diagnostic, "Nsight Systems says of this recording: \"{1}\".", ""},
    {HealthKind::no_channels,
     "Exports of Nsight Systems have no hardware channels: copies count by their direction, even "
     "where the driver ran them on a compute channel.",
     to_know},
    {HealthKind::no_stream_kinds,
     "Traces of PyTorch's profiler have no kinds of streams, no number of connections, and of the "
     "driver's calls launches of kernels alone: causes that need these are inconclusive.",
     to_know},
    {HealthKind::no_stream_kinds_or_channels,
     "Traces of PyTorch's profiler have no kinds of streams, no hardware channels, no number of "
     "connections, and of the driver's calls launches of kernels alone: causes that need these are "
     "inconclusive.",
     to_know},
    {HealthKind::no_synchronization,
     "The trace does not show what synchronizing calls and streams waited for.",
     "Record with `lapscope record` to know, or profile with "
     "experimental_config=torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True)."},
    {HealthKind::loads_inferred,
     "The export has no records of code being loaded. First launches of kernels that take far "
     "longer than others are taken to load their code: {0}, {1} us in all.",
     to_know},
    {HealthKind::graphs_not_traced, graphs_not_traced, "Record without --graph-level."},
    {HealthKind::nsys_graphs_not_traced, graphs_not_traced,
     "Profile with --cuda-graph-trace=node, or with `lapscope record`."},
    {HealthKind::without_time,
     "{0} events have no time (ts, dur) that is a number, and no part in any figure.",
     "Export the trace again."},
    {HealthKind::nameless_calls,
     "{0} calls are of functions that PyTorch's profiler had no name for (INVALID): what they did "
     "is not known.",
     to_know},
    {HealthKind::foreign_calls,
     "{0} calls are of HIP, not CUDA: what they do is not known to lapscope, and no cause that it "
     "finds is reliable.",
     ""},
    {HealthKind::ops_of_no_process,
     "{0} processes made calls, and the trace does not show whose an op is: no gap is explained by "
     "a call, and no range has ops.",
     "Analyze the traces of the processes one by one."},
    {HealthKind::trailing_text, "Something stands behind the end of the JSON, and was not read.",
     ""},
    {HealthKind::damaged_pages, "The file is damaged; SQLite's check says: {1}.", copy_again},
    {HealthKind::lost_records,
     "Of {1} records of {2} that lapscope received, {0} are not in the trace.", copy_again, came},
    {HealthKind::names_missing,
     "StringIds lacks the names of {1} kernels and {2} CUDA calls: rows were lost, and what these "
     "did is unknown.",
     "Record or export the run again."},
    {HealthKind::missing_calls,
     "The trace has no table {1}: gaps are not explained, and no NVTX range or iteration has ops.",
     ""},
    {HealthKind::missing_streams,
     "The trace has no table {1}: which streams are blocking is not known.", ""},
    {HealthKind::missing_gpus,
     "The export does not tell how many blocks the GPU runs at once ({1}): whether kernels have "
     "room beside each other is unknown, and overlap_efficiency takes the compute engine's busy "
     "time for what they need at least.",
     "Export the report again with all its tables, or record with `lapscope record`."},
    {HealthKind::invalid_timestamps,
     "{0} ops have lost or impossible times or device numbers and are left out of every figure "
     "({1}).",
     "Record a shorter part of the program, or with a newer CUDA toolkit.", by_table},
    {HealthKind::invalid_op_ids,
     "{0} op[ has|s have] a stream, correlation id or process that is none, and no part in any "
     "figure ({1}).",
     copy_again, by_table},
    {HealthKind::invalid_call_ids,
     "{0} row[ has|s have] a thread or correlation id that is none, and no part in any answer "
     "({1}).",
     copy_again},
    {HealthKind::impossible_calls,
     "{0} row[|s] of {1} cannot be: calls end after the recording, or are at odds with others of "
     "their thread. What these issued and waited for is not known.",
     copy_again},
    {HealthKind::impossible_ranges,
     "{0} row[|s] of {1} cannot be: ranges end after the recording. What belongs to them is not "
     "known.",
     copy_again},
    {HealthKind::impossible_ops, cannot_have_run, record_again, impossible_ops},
    {HealthKind::impossible_device, cannot_have_run, record_again, impossible_ops},
    {HealthKind::unfinished_ops,
     "{0} op[ has|s have] a start and no end, and no part in any figure: the recording ended "
     "first.",
     "Let the program wait for the device before it ends."},
    {HealthKind::unissued_ops,
     "The calls that issued {0} ops are not in the trace: gaps before these are unexplained, and "
     "no "
     "NVTX range has them.",
     ""},
    {HealthKind::orphan_launches,
     "{0} launch[ has|es have] no kernel in the trace, though nothing failed: records of the GPU "
     "were lost, and what ran is in no figure.",
     record_shorter},
    {HealthKind::orphan_graphs,
     "{0} graph launch[ lacks|es lack] ops that the graph has: records of the GPU were lost, and "
     "what ran is in no figure.",
     record_shorter},
    {HealthKind::empty_copies,
     "{0} copy or memset call[ has|s have] no op in the trace, and as many records are there as "
     "came: they were of no bytes, or CUPTI lost their records without counting them.",
     ""},
    {HealthKind::orphan_copies,
     "{0} copy or memset call[ has|s have] no op in the trace, though nothing failed: records of "
     "the GPU were lost, or they were of no bytes; the trace does not show which.",
     "Record again, a shorter part of the program or with a newer CUDA toolkit. Leave copies of no "
     "bytes out of the program."},
    {HealthKind::unplaced_synchronizations,
     "The calls of {0} synchronization or event record[ is|s are] not in the trace: what waited "
     "for "
     "an event may not be seen.",
     ""},
    {HealthKind::duplicate_correlation_ids,
     "{0} call[ shares|s share] a correlation id with another one: which of them issued an op is "
     "not known, and none is taken for it.",
     ""},
    {HealthKind::invalid_host_times,
     "{0} calls, ranges or overheads of the host have impossible times and are left out: causes of "
     "gaps may be missing.",
     ""},
    {HealthKind::unknown_device,
     "There are ops on device {1}, which the trace's list of GPUs does not have.", ""},
    {HealthKind::several_processes,
     "{0} processes are in this file. A device's figures are about all of them; streams and calls "
     "are identified by process.",
     ""},
    {HealthKind::tracing_overhead, held_up, leave_out, overhead},
    {HealthKind::much_tracing_overhead, held_up, leave_out, overhead},
    {HealthKind::managed_migrations,
     "The trace has {0} migrations or page faults of managed memory. They are no ops of a stream, "
     "and in no figure: their cost is in the kernels that waited for them.",
     "Where kernels take long for them, move the data before the launch (cudaMemPrefetchAsync), or "
     "keep it in memory of cudaMalloc."},
    {HealthKind::managed_memory, no_migrations, "Record with `lapscope record --unified-memory`."},
    {HealthKind::nsys_managed_memory, no_migrations,
     "Profile with --cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true, or with "
     "`lapscope record --unified-memory`."},
    {HealthKind::unsteady_calibration,
     "The calibration of this machine scatters by {1} % of what it found that recording adds to "
     "these calls: that is not taken out.",
     "Run `lapscope doctor --calibrate` while nothing else runs, and record again."},
    {HealthKind::kernels_lengthened,
     "{0} kernels of very many short blocks, {1} above all, may take up to {2} % less time without "
     "a recorder: CUPTI adds instructions to each block.",
     "Take the time of such kernels without a profiler (docs/collector-cost.md)."},
    {HealthKind::empty_window, "No kernel, copy or memset reaches into the window.",
     "Give a window in which the GPU works."},
    {HealthKind::gpu_records_lost, nothing_of_calls, "Record again, and let the program end."},
    {HealthKind::nsys_gpu_records_lost, nothing_of_calls,
     "Profile again with a release of Nsight Systems that knows the GPU and its driver, and let "
     "the "
     "program end; or record with `lapscope record`."},
    {HealthKind::nsys_cuda_not_traced,
     "The export has no calls of CUDA and no work of a GPU: CUDA was not traced, or the program "
     "did "
     "not use it.",
     "Profile with `nsys profile --trace=cuda,nvtx`, or record with `lapscope record`."},
    {HealthKind::no_work_issued,
     "The trace has calls of CUDA, none of which launches or copies: the program had no work for "
     "the GPU, or a call before that failed.",
     "Check what its calls of CUDA return, and record a run that uses the GPU."},
    {HealthKind::no_ops, "The trace holds no kernel, copy or memset that could be evaluated.",
     "Record a run in which the program uses the GPU."},
    {HealthKind::no_brackets,
     "No GPU work was issued between cudaProfilerStart and cudaProfilerStop.",
     "Call them around the part to evaluate, or leave the option out."},
    {HealthKind::no_iterations, "Fewer than four NVTX ranges that fit '{1}' caused GPU work.",
     "Check the name, or leave it out to have iterations found."},
    {HealthKind::range_undecided,
     "It is unknown whether GPU work belongs to the NVTX ranges that fit '{1}': all of it was "
     "issued by other threads, in ranges of their own.",
     "Name the ranges of those threads, or open the range in them, too."},
    {HealthKind::range_of_others,
     "No thread that opened an NVTX range that fits '{1}' issued GPU work in it.",
     "Count the work of helper threads, too (--range-threads helpers)."},
    {HealthKind::range_absent, "No NVTX range that fits '{1}' caused GPU work.", "{2}",
     other_ranges},
    {HealthKind::ranges_too_many,
     "{0} names of NVTX ranges that were asked for are not evaluated: no more than {1} are, and no "
     "more than hold {2} times the ops of the trace together, as ranges in each other do.",
     "Ask for fewer ranges (--range)."},
    {HealthKind::explained_too_many,
     "{0} names of NVTX ranges that were asked for are not evaluated: no more than {1} are, and no "
     "more than hold {2} times the ops of the trace together, as ranges in each other do. With "
     "causes, no more are than last as long as {3} ops together, or {4} times those of the trace.",
     "Ask for fewer ranges (--range), or leave causes out (--no-causes)."},
    {HealthKind::bare_not_compared,
     "Bare runs were made, but no NVTX range is evaluated that could be compared.",
     "Name one (--range)."},
    {HealthKind::replay_stuck,
     "The prediction is inconclusive: {0} ops wait for each other in the replay, and stay where "
     "they were recorded.",
     "Report it with the trace: the graph of what waits for what is wrong."},
    {HealthKind::fix_unknown, "The prediction is inconclusive. {1}", "", unknown_rate},
};

constexpr bool has_one_of_each() {
  if (std::size(words) != analyzer::health_facts.size()) return false;
  for (std::size_t i = 0; i < std::size(words); ++i) {
    if (words[i].kind != static_cast<HealthKind>(i)) return false;
  }
  return true;
}
static_assert(has_one_of_each());

std::string said(std::string_view Sentences::*sentence, const HealthRow& row) {
  const Sentences& known = words[static_cast<std::size_t>(row.kind)];
  Details details = known.shown ? known.shown(row.details) : row.details;
  details.insert(details.begin(), row.count);
  return filled(known.*sentence, details);
}

}  // namespace

std::string message_of(const HealthRow& row) { return said(&Sentences::message, row); }

std::string remedy_of(const HealthRow& row) { return said(&Sentences::remedy, row); }

std::vector<HealthRow> worst_first(std::vector<HealthRow> health) {
  std::stable_sort(health.begin(), health.end(), [](const HealthRow& a, const HealthRow& b) {
    return severity_of(a) > severity_of(b);
  });
  return health;
}

std::string ranges_to_name(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace lapscope::reports
