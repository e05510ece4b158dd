#include "reports/words/health_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/words/filled.h"
#include "reports/words/health_details.h"

namespace lapscope::reports {
namespace {

using analyzer::Details;
using analyzer::HealthKind;
using analyzer::HealthRow;
using enum analyzer::HealthKind;
using namespace health_details;

// The sentences of a kind of health row. {0} is the count of the row, and {1} and so on are the
// details of the row. If `shown` is not null, it first converts the details.
struct Sentences {
  HealthKind kind;
  std::string_view remedy;
  std::string_view message;
  Details (*shown)(const Details& details) = nullptr;
};

constexpr std::string_view copy_again =
    "Copy the trace again from where it was recorded, or record again.";
constexpr std::string_view record_shorter =
    "Record again, a shorter part of the program or with a newer CUDA toolkit.";
constexpr std::string_view record_again =
    "Record again. After idle time, CUPTI may deliver records with impossible times.";
constexpr std::string_view to_know = "Record with `lapscope record` to know.";
constexpr std::string_view newer_cupti =
    "Record with the libcupti of a newer CUDA (record --cupti).";
constexpr std::string_view let_it_end =
    "Profile again: let the program end, or call cudaProfilerStop, before the profiler stops.";
constexpr std::string_view cupti_refused = "CUPTI refused to record {1} (CUptiResult {2}).";
constexpr std::string_view newer_toolkit =
    "Record with the CUPTI library of a newer CUDA toolkit, and a driver that is no older.";
constexpr std::string_view graphs_as_one =
    "The kernels and copies inside {0} CUDA graph launches were not traced. Each launch counts as "
    "one kernel that lasts as long as the graph did, so that what overlaps inside is not known.";
constexpr std::string_view cannot_have_run =
    "{0} row[ has|s have] impossible times in {1}: {2}. No figure includes [it|them]. Results "
    "that [it|they] may belong to are inconclusive.";
constexpr std::string_view held_up =
    "CUPTI delayed the program's threads for {1} ms of {2} ms ({3} %). The cost of each record "
    "is not included.";
constexpr std::string_view iterations_alike_words =
    "Recording changes iterations of '{1}' by less than they vary. {0} recorded iterations took "
    "{2} each (middle half {3}), and {4} iterations before the capture took {5} each ({6}).";
constexpr std::string_view iterations_faster_words =
    "Recorded iterations of '{1}' are {7} % shorter, so the program changes its pace by itself. "
    "{0} recorded iterations took {2} each (middle half {3}), and {4} iterations before the "
    "capture took {5} each ({6}).";
constexpr std::string_view iterations_slower_words =
    "Recording makes iterations of '{1}' {7} % longer. {0} recorded iterations took {2} each "
    "(middle half {3}), and {4} iterations before the capture took {5} each ({6}).";
constexpr std::string_view leave_out =
    "Evaluate a range after the first iterations, or record fewer kinds (record --no-...).";
constexpr std::string_view no_migrations =
    "The program uses managed memory (allocations: {0}), but the trace has no migrations and "
    "page faults. Kernels that wait for pages look longer.";
constexpr std::string_view nothing_of_calls =
    "The trace has {0} call[ that launches or copies|s that launch or copy], but no work of the "
    "GPU: the GPU's records were lost, or the calls failed.";

constexpr std::string_view check_results =
    "Check what CUDA's calls return, and record a run in which they succeed.";
constexpr std::string_view launches_fail = "{0} launch[|es] failed with error {1}; {2}.";
constexpr std::string_view transfers_fail =
    "{0} call[ that copies or sets|s that copy or set] memory failed with error {1}; {2}.";

// In the order of LAPSCOPE_HEALTH_KINDS.
constexpr Sentences words[] = {
    {launches_failed, check_results, launches_fail, and_kernels},
    {some_launches_failed, check_results, launches_fail, and_kernels},
    {transfers_failed, check_results, transfers_fail, and_copies},
    {some_transfers_failed, check_results, transfers_fail, and_copies},
    {waits_failed, check_results,
     "{0} wait[|s] failed with error {1}, because earlier work failed.", and_kernels},
    {cut_off, "Let the program exit normally, or evaluate a range that had ended before.",
     "The program ended without its exit handlers (killed, or _exit): up to the last {1} ms are "
     "missing."},
    {still_running, "Wait for the program to end.",
     "The recording has not ended, or ended without `lapscope record` seeing it."},
    {no_end, copy_again,
     "{1} does not say how the recording ended (0 rows of the fact '{2}'), so the trace may be "
     "incomplete."},
    {no_clock, copy_again,
     "{1} has 0 rows, though the recording was closed: when the recording ended is not known."},
    {no_session_start, copy_again,
     "{1} has 0 rows, though the recording was closed: when the recording began is not known."},
    {yielded, "Record without --yield-to-app while the program's own profiler is off.",
     "Another CUPTI client in the program was allowed to take over (--yield-to-app). Any records "
     "that it took are missing; their number is unknown."},
    {calls_left_out, "Record without --light.",
     "Only API calls that issue work were recorded: the other calls of the host are unknown."},
    {kind_left_out, "Record without the option that leaves them out (--light, --no-...).",
     "{1} records were not recorded, by an option of lapscope record."},
    {work_refused, newer_toolkit, cupti_refused},
    {kind_refused, newer_toolkit, cupti_refused},
    {detail_refused, newer_toolkit, cupti_refused},
    {not_calibrated, "Run `lapscope doctor --calibrate`, and record again.",
     "The time that recording adds to calls is unknown and therefore not subtracted: {1}"},
    {not_recorded, "", "The collector could not record: {1}."},
    {unmatched_range_ends, "Open these ranges after the first CUDA call.",
     "The trace has the end of {0} NVTX ranges, but not their beginning{1}.", in_brackets},
    {foreign_buffers, "Switch the program's own profiler off.",
     "Records were lost: CUPTI delivered {0} buffers that lapscope did not provide{1}.",
     in_brackets},
    {unknown_kind, "A newer lapscope may know them.",
     "{0} records of a kind that lapscope does not know were skipped{1}.", in_brackets},
    {write_error, "Record to a disk with more free space.",
     "The trace could not be written to its end; {0} records are missing{1}.", in_brackets},
    {other_loss, "Record a shorter part of the program.", "{0} records were lost{1}.", in_brackets},
    {stacks_lost, "", "Some call stacks are missing or incomplete ({1} calls have one): {2}.",
     incomplete_stacks},
    {host_samples_lost, "",
     "Host threads were sampled less evenly than requested: besides {1} samples, {2} came late "
     "or not at all, and {3} stacks changed while they were read. Parts of the host time are "
     "less certain."},
    {clock_step, "Record again.",
     "The system clock was set during the recording, by {1} ns: times before and after do not fit "
     "together."},
    {captured_part, "",
     "Only a part of the run was captured, from {1} to {2}: nothing is known of the rest, and ops "
     "that reach over a border count with the part inside.",
     stretch},
    {nothing_captured, "Check the name in --capture-range, and --delay.",
     "Nothing was captured: the event that begins the capture never came."},
    {cupti_without_loads, newer_cupti,
     "CUPTI {1} has a known defect: it does not report lazy loading. So it is unknown what the "
     "first launch of a kernel waits for."},
    {cupti_slows_calls, newer_cupti,
     "CUPTI {1} has a known defect: it slows down calls that are repeated often. Host times may "
     "be longer than without recording."},
    {cuda_events_missing, let_it_end,
     "Nsight Systems says of this recording: \"{1}\": calls, kernels and copies may be missing "
     "from every figure."},
    {nvtx_events_missing, let_it_end,
     "Nsight Systems says of this recording: \"{1}\": ranges may be missing, or lack their end."},
    {no_cuda_events,
     "Profile with `nsys profile --trace=cuda,nvtx`, or record with `lapscope record`.",
     "Nsight Systems says of this recording: \"{1}\": CUDA was not traced, or the program did not "
     "use it."},
    {export_diagnostic, "", "Nsight Systems says of this recording: \"{1}\"."},
    {no_channels, to_know,
     "Exports of Nsight Systems have no hardware channels: copies count by their direction, even "
     "where the driver ran them on a compute channel."},
    {no_stream_kinds, to_know,
     "Traces of PyTorch's profiler have no kinds of streams and no number of connections. Of the "
     "driver's calls, they have only kernel launches. Causes that need more are inconclusive."},
    {no_stream_kinds_or_channels, to_know,
     "Traces of PyTorch's profiler have no kinds of streams, no hardware channels and no number "
     "of connections. Of the driver's calls, they have only kernel launches. Causes that need "
     "more are inconclusive."},
    {xprof_no_stream_kinds, to_know,
     "Profiles of XProf have no kinds of streams, no hardware channels and no number of "
     "connections. Their only calls are launches, copies, memsets, allocations and waits for "
     "streams. Causes that need more are inconclusive."},
    {no_synchronization,
     "Record with `lapscope record` to know, or profile with "
     "experimental_config=torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True).",
     "The trace does not show what synchronizing calls and streams waited for."},
    {loads_inferred, to_know,
     "The trace has no records of code being loaded. First launches of kernels that take far "
     "longer than others are taken to load their code: {0}, {1} us in all."},
    {graphs_not_traced, "Record without --graph-level.", graphs_as_one},
    {nsys_graphs_not_traced, "Profile with --cuda-graph-trace=node, or with `lapscope record`.",
     graphs_as_one},
    {xprof_graphs_not_traced,
     "Profile without gpu_enable_cupti_activity_graph_trace, or with `lapscope record`.",
     graphs_as_one},
    {without_time, "Export the trace again.",
     "{0} events have no time (ts, dur) that is a number. No figure includes them."},
    {nameless_calls, to_know,
     "{0} calls are of functions that PyTorch's profiler had no name for (INVALID): what they did "
     "is not known."},
    {foreign_calls, "Record on a GPU of NVIDIA to have causes found.",
     "{0} calls are of HIP or another API, not of CUDA: what they do is not known to lapscope, "
     "which gives figures and looks for no causes."},
    {ops_of_no_process, "Analyze the traces of the processes one by one.",
     "{0} processes made calls, and the trace does not show which process issued an op. So no "
     "call explains a gap, and no range has ops."},
    {dropped_events, "Profile a shorter part of the program.",
     "XProf has not kept all events of this profile: {1}."},
    {profiler_error, "", "XProf says of this profile: {1}."},
    {trailing_text, "",
     "The file has more text after the end of the JSON. lapscope did not read this text."},
    {damaged_pages, copy_again, "The file is damaged; SQLite's check says: {1}."},
    {unread_log, "Copy both files again from where the trace was recorded, or record again.",
     "{0} of {2} bytes of '{1}' beside the trace cannot be recovered: what was recorded last may "
     "be "
     "missing."},
    {lost_records, copy_again,
     "Of {1} records of {2} that lapscope received, {0} are not in the trace.", came},
    {names_missing, "Record or export the run again.",
     "StringIds lacks the names of {1} kernels and {2} CUDA calls: rows were lost, and what these "
     "did is unknown."},
    {missing_calls, "",
     "The trace has no table {1}: gaps are not explained, and no NVTX range or iteration has ops."},
    {missing_streams, "", "The trace has no table {1}: which streams are blocking is not known."},
    {missing_gpus, "Export the report again with all its tables, or record with `lapscope record`.",
     "The export does not tell how many blocks the GPU runs at once ({1}). So it is unknown "
     "whether kernels have room beside each other. overlap_efficiency uses the compute engine's "
     "busy time as the least time that kernels need."},
    {invalid_timestamps, "Record a shorter part of the program, or with a newer CUDA toolkit.",
     "{0} ops have lost or impossible times or device numbers and are left out of every figure "
     "({1}).",
     by_table},
    {invalid_op_ids, copy_again,
     "{0} op[ has|s have] an invalid stream, correlation id or process. No figure includes "
     "[it|them] ({1}).",
     by_table},
    {invalid_call_ids, copy_again,
     "{0} row[ has|s have] an invalid thread or correlation id. No result uses [it|them] ({1})."},
    {impossible_calls, copy_again,
     "{0} row[ is|s are] impossible in {1}: calls end after the recording, or contradict other "
     "calls of their thread. It is unknown what these calls issued and waited for."},
    {impossible_ranges, copy_again,
     "{0} row[ is|s are] impossible in {1}: ranges end after the recording. It is unknown which "
     "work belongs to these ranges."},
    {impossible_ops, record_again, cannot_have_run, by_fault},
    {impossible_device, record_again, cannot_have_run, by_fault},
    {unfinished_ops, "Let the program wait for the device before it ends.",
     "{0} op[ has|s have] a start but no end, because the recording ended first. No figure "
     "includes [it|them]."},
    {unissued_ops, "",
     "The trace does not show which calls issued {0} op[|s]: gaps before [it|them] are "
     "unexplained, and no NVTX range has [it|them]."},
    {orphan_launches, record_shorter,
     "{0} launch[ has|es have] no kernel in the trace, though nothing failed: records of the GPU "
     "were lost, and what ran is in no figure."},
    {orphan_graphs, record_shorter,
     "{0} graph launch[ lacks|es lack] ops that the graph has: records of the GPU were lost, and "
     "what ran is in no figure."},
    {empty_copies, "",
     "{0} copy or memset call[ has|s have] no op in the trace, although the trace has all "
     "records that CUPTI delivered. The calls were of no bytes, or CUPTI lost their records "
     "without counting them."},
    {orphan_copies,
     "Record again, a shorter part of the program or with a newer CUDA toolkit. Leave copies of no "
     "bytes out of the program.",
     "{0} copy or memset call[ has|s have] no op in the trace, though nothing failed: records of "
     "the GPU were lost, or they were of no bytes; the trace does not show which."},
    {unjoined_calls, "Export the trace again, or record with `lapscope record`.",
     "The trace does not show which ops {0} launch[ or copy|es and copies] issued: ids of calls or "
     "processes are missing or do not fit. So it is unknown why these ops began when they did."},
    {unplaced_synchronizations, "",
     "The calls of {0} synchronization or event record[ is|s are] not in the trace: what waited "
     "for an event may not be seen."},
    {duplicate_correlation_ids, "",
     "{0} call[ shares|s share] a correlation id with another call. It is unknown which of these "
     "calls issued an op, so none is used."},
    {shared_device_number, "Record with `lapscope record`, which writes a trace for each process.",
     "Processes use the number {1} for {0} different GPUs. Their ops count as ops of one device, "
     "so no figure of this device is right."},
    {invalid_host_times, "",
     "{0} calls, ranges or overheads of the host have impossible times and are left out: causes of "
     "gaps may be missing."},
    {unknown_device, "",
     "There are ops on device {1}, which the trace's list of GPUs does not have."},
    {impossible_values, copy_again,
     "{0} row[ has|s have] an impossible value in {1} (column {2}, for example {3}): the trace "
     "is not as it was recorded."},
    {broken_law, copy_again,
     "The trace contradicts itself in {0} place[|s] and is not as it was recorded: in a recording, "
     "{1}.",
     law},
    {several_processes, "",
     "{0} processes are in this file. A device's figures are about all of them; streams and calls "
     "are identified by process."},
    {tracing_overhead, leave_out, held_up, overhead},
    {much_tracing_overhead, leave_out, held_up, overhead},
    {managed_migrations,
     "Where kernels take long for them, move the data before the launch (cudaMemPrefetchAsync), or "
     "keep it in memory of cudaMalloc.",
     "The trace has {0} migrations or page faults of managed memory. They are no ops of a stream, "
     "and in no figure: their cost is in the kernels that waited for them."},
    {managed_memory, "Record with `lapscope record --unified-memory`.", no_migrations},
    {nsys_managed_memory,
     "Profile with --cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true, or with "
     "`lapscope record --unified-memory`.",
     no_migrations},
    {unsteady_calibration,
     "Run `lapscope doctor --calibrate` while nothing else runs, and record again.",
     "The calibration of this machine is too uncertain: the time that recording adds to calls "
     "varies by {1} %, and is not subtracted."},
    {kernels_lengthened, "Take the time of such kernels without a profiler (docs/cost.md).",
     "{0} kernels of very many short blocks, {1} above all, may take up to {2} % less time without "
     "a recorder: CUPTI adds instructions to each block."},
    {iterations_alike, "", iterations_alike_words, pace},
    {iterations_faster, "", iterations_faster_words, pace},
    {iterations_slower, "", iterations_slower_words, pace},
    {iterations_much_slower, "Record fewer kinds (record --armed --light, --no-...).",
     iterations_slower_words, pace},
    {empty_window, "Give a window in which the GPU works.",
     "No kernel, copy or memset reaches into the window."},
    {gpu_records_lost, "Record again, and let the program end.", nothing_of_calls},
    {nsys_gpu_records_lost,
     "Profile again with a release of Nsight Systems that knows the GPU and its driver, and let "
     "the program end; or record with `lapscope record`.",
     nothing_of_calls},
    {nsys_cuda_not_traced,
     "Profile with `nsys profile --trace=cuda,nvtx`, or record with `lapscope record`.",
     "The export has no calls of CUDA and no work of a GPU: CUDA was not traced, or the program "
     "did not use it."},
    {no_work_issued, "Check what its calls of CUDA return, and record a run that uses the GPU.",
     "The trace has calls of CUDA, none of which launches or copies: the program had no work for "
     "the GPU, or a call before that failed."},
    {no_ops, "Record a run in which the program uses the GPU.",
     "The trace holds no kernel, copy or memset that could be evaluated."},
    {no_brackets, "Call them around the part to evaluate, or leave the option out.",
     "No GPU work was issued between cudaProfilerStart and cudaProfilerStop."},
    {no_iterations, "Check the name, or leave it out to have iterations found.",
     "Fewer than four NVTX ranges that fit '{1}' caused GPU work."},
    {no_iterations_in_window, "Check the name, or choose a longer window.",
     "Fewer than four NVTX ranges that fit '{1}' caused GPU work in this window."},
    {range_undecided, "Name the ranges of those threads, or open the range in them, too.",
     "It is unknown whether GPU work belongs to the NVTX ranges that fit '{1}': all of it was "
     "issued by other threads, in ranges of their own."},
    {range_of_others, "Count the work of helper threads, too (--range-threads helpers).",
     "No thread that opened an NVTX range that fits '{1}' issued GPU work in it."},
    {range_absent, "{2}", "No NVTX range that fits '{1}' caused GPU work.", other_ranges},
    {ranges_too_many, "Ask for fewer ranges (--range).",
     "{0} requested names of NVTX ranges are not evaluated. The limits are {1} names, and {2} "
     "times the ops of the trace in all ranges together. Nested ranges hold the same ops."},
    {explained_too_many, "Ask for fewer ranges (--range), or leave causes out (--no-causes).",
     "{0} requested names of NVTX ranges are not evaluated. The limits are {1} names, and {2} "
     "times the ops of the trace in all ranges together. Nested ranges hold the same ops. With "
     "causes, the limit is also {3} ops during all ranges, or {4} times the ops of the trace if "
     "that is more."},
    {bare_not_compared, "Name one (--range).",
     "Bare runs were made, but no NVTX range is evaluated that could be compared."},
    {replay_stuck, "Report it with the trace: the graph of what waits for what is wrong.",
     "The prediction is inconclusive: {0} ops wait for each other in the replay, and stay where "
     "they were recorded."},
    {fix_unknown, "", "The prediction is inconclusive. {1}", unknown_rate},
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
