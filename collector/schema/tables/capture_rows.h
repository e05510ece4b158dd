#pragma once

#include "collector/schema/table.h"

// Tables that lapscope adds. They tell how the trace was recorded and how far it can be trusted.
namespace lapscope::schema {

struct CaptureRow {
  std::string name;
  std::optional<std::string> value;
};

template <>
inline constexpr auto describe<CaptureRow> = table<CaptureRow>(
    "LAPSCOPE_CAPTURE",
    "One fact of the recording. The names of facts are in collector/schema/capture_facts.h.",
    extra("name", &CaptureRow::name, Unit::none, "name of the fact"),
    extra("value", &CaptureRow::value, Unit::none,
          "value of the fact; NULL if lapscope could not determine it"));

struct EnvironmentRow {
  std::string name;
  std::string value;
};

template <>
inline constexpr auto describe<EnvironmentRow> = table<EnvironmentRow>(
    "LAPSCOPE_ENVIRONMENT",
    "One environment variable that changes the behaviour of CUDA. Only variables of a fixed short "
    "list are stored.",
    extra("name", &EnvironmentRow::name, Unit::none, "variable"),
    extra("value", &EnvironmentRow::value, Unit::none, "its value in the process"));

struct RecordsRow {
  std::int64_t kind{};
  std::string name;
  std::optional<std::int64_t> enableResult;
  std::optional<std::int64_t> recordSize;
  std::int64_t received{};
  std::int64_t invalidTimestamps{};
  std::optional<std::int64_t> outside;
};

template <>
inline constexpr auto describe<RecordsRow> = table<RecordsRow>(
    "LAPSCOPE_RECORDS",
    "One kind of activity. The row shows whether lapscope requested records of this kind from "
    "CUPTI, and how many records came. For the kinds SYNCHRONIZATION and CUDA_EVENT, lapscope "
    "prefers callbacks to records. It uses callbacks if they can report everything that the user "
    "asked for.",
    extra("kind", &RecordsRow::kind, Unit::id,
          "CUpti_ActivityKind; negative for a kind that only callbacks report"),
    extra("name", &RecordsRow::name, Unit::none, "name of the kind"),
    extra("enableResult", &RecordsRow::enableResult, Unit::none,
          "CUptiResult of the request for this kind; 0 is success. NULL if lapscope did not "
          "request the kind"),
    extra("recordSize", &RecordsRow::recordSize, Unit::bytes,
          "size of one record in this version of libcupti; NULL for a kind that callbacks report"),
    extra("received", &RecordsRow::received, Unit::count,
          "number of records that came and were in a captured interval"),
    extra("invalidTimestamps", &RecordsRow::invalidTimestamps, Unit::count,
          "number of received records with a lost or reversed timestamp. The trace has their rows: "
          "start or end is -1, or the end is before the start"),
    extra("outside", &RecordsRow::outside, Unit::count,
          "number of records that lapscope dropped, because they were outside the captured "
          "intervals; NULL if lapscope captured the whole run"));

struct StretchRow {
  std::int64_t start{};
  std::optional<std::int64_t> end;
  std::string begunBy;
  std::optional<std::string> endedBy;
};

template <>
inline constexpr auto describe<StretchRow> = table<StretchRow>(
    "LAPSCOPE_STRETCHES",
    "One captured interval, if the user asked for a part of the run. An activity that lies partly "
    "in an interval is in the trace with its whole duration. The trace shows nothing else of the "
    "time outside the intervals. If the table exists but has no row, the event that should begin "
    "the capture never came. If the trace lacks this table, the whole run was captured.",
    extra("start", &StretchRow::start, Unit::session_ns, "begin, host time"),
    extra("end", &StretchRow::end, Unit::session_ns,
          "end, host time; NULL if the interval lasted until the end of the recording"),
    extra("begunBy", &StretchRow::begunBy, Unit::none,
          "what began the interval: the first use of CUDA, a delay, cudaProfilerStart, `lapscope "
          "ctl`, or the name of an NVTX range"),
    extra("endedBy", &StretchRow::endedBy, Unit::none,
          "what ended the interval: the duration, the number of iterations, the size of the trace, "
          "cudaProfilerStop, `lapscope ctl`, or the name of an NVTX range; NULL if `end` is NULL"));

struct LossRow {
  std::string code;
  std::int64_t count{};
  std::optional<std::string> detail;
};

template <>
inline constexpr auto describe<LossRow> = table<LossRow>(
    "LAPSCOPE_LOSSES",
    "One kind of lost data. If a code has no row or a count of 0, no data of this kind was lost.",
    extra(
        "code", &LossRow::code, Unit::none,
        "dropped-records, dropped-callbacks, foreign-buffers, unknown-kind, write-error, "
        "decode-error or unmatched-range-ends. Traces of `lapscope convert` can have other codes"),
    extra("count", &LossRow::count, Unit::count,
          "number of lost records, callbacks, buffers or range ends; for errors, the number of "
          "errors"),
    extra("detail", &LossRow::detail, Unit::none,
          "message of the first error, kind of the records, or explanation"));

struct RunRow {
  std::int64_t run{};
  std::int64_t isRecorded{};
  std::int64_t exitStatus{};
  std::optional<std::string> range;
  std::int64_t count{};
  std::int64_t ns{};
};

template <>
inline constexpr auto describe<RunRow> = table<RunRow>(
    "LAPSCOPE_RUNS",
    "One time of a run that `record --bare` made, measured on the host. Runs without CUPTI and "
    "recorded runs alternated. Each run has one row for the whole program, and one row for each "
    "text of its NVTX ranges. This trace shows one of the recorded runs: the run with the median "
    "sum of the times of all ranges.",
    extra("run", &RunRow::run, Unit::count, "number of the run in the order of the runs, from 1"),
    extra("isRecorded", &RunRow::isRecorded, Unit::flags,
          "0 for a run without CUPTI, 1 for a recorded run"),
    extra("exitStatus", &RunRow::exitStatus, Unit::none,
          "exit status of the program; 128 + n if signal n ended it"),
    extra("range", &RunRow::range, Unit::none,
          "text of NVTX ranges of this process (of this rank), in any domain; NULL "
          "for the whole program, from its start to its end"),
    extra("count", &RunRow::count, Unit::count,
          "number of ranges with this text that the run opened and closed"),
    extra("ns", &RunRow::ns, Unit::ns, "sum of the times from open to close"));

struct UnrecordedIterationRow {
  std::string range;
  std::int64_t iteration{};
  std::int64_t ns{};
};

template <>
inline constexpr auto describe<UnrecordedIterationRow> = table<UnrecordedIterationRow>(
    "LAPSCOPE_UNRECORDED_ITERATIONS",
    "One of the last iterations that an armed process (`record --armed`) made before its first "
    "capture. CUPTI recorded no activities of this iteration. Traces of later captures lack this "
    "table: after the first capture, all iterations are slower.",
    extra("range", &UnrecordedIterationRow::range, Unit::none,
          "text of the NVTX range that each iteration opens"),
    extra("iteration", &UnrecordedIterationRow::iteration, Unit::count,
          "number of the iteration, from 1, in the order of the ends of iterations"),
    extra("ns", &UnrecordedIterationRow::ns, Unit::ns, "time from open to close, on the host"));

struct CallCostRow {
  std::string kind;
  std::int64_t bareNs{};
  std::int64_t recordedNs{};
  std::int64_t spreadNs{};
  std::string created;
};

template <>
inline constexpr auto describe<CallCostRow> = table<CallCostRow>(
    "LAPSCOPE_CALL_COSTS",
    "Two times of one kind of call or other work: without CUPTI, and recorded as in this trace. "
    "The difference is the time that the recorder adds. A calibration (`lapscope doctor "
    "--calibrate`) measured both times alternately, with the same GPU, driver, CUPTI and options. "
    "If the trace lacks this table, there was no calibration. The fact not-calibrated in "
    "LAPSCOPE_CAPTURE may then give the reason.",
    extra("kind", &CallCostRow::kind, Unit::none,
          "what was measured. A call: launch, graph-launch, copy-async, copy-blocking, memset, "
          "record-event, wait-event, query, synchronize, allocate, release, host-function. The "
          "part of a graph launch for each node: graph-node. Opening and closing a range: "
          "nvtx-range. A call of a thread that has slept for 3 ms: cold-call. On the GPU, the time "
          "from one start to the next: kernel-on-device (kernels in a stream), "
          "graph-node-on-device (kernels in a graph), graph-launch-on-device (graphs), "
          "copy-on-device (copies between host and device)"),
    extra("bareNs", &CallCostRow::bareNs, Unit::ns,
          "time without CUPTI: the median of the undisturbed rounds"),
    extra("recordedNs", &CallCostRow::recordedNs, Unit::ns,
          "time if recorded: bareNs plus the median of the differences. Each difference is between "
          "two times of the same round"),
    extra("spreadNs", &CallCostRow::spreadNs, Unit::ns, "interquartile range of these differences"),
    extra("created", &CallCostRow::created, Unit::none, "time of the calibration, UTC, ISO 8601"));

struct ClockRow {
  std::string label;
  std::int64_t realtime{};
  std::int64_t monotonic{};
  std::int64_t monotonicRaw{};
  std::int64_t boottime{};
};

template <>
inline constexpr auto describe<ClockRow> = table<ClockRow>(
    "LAPSCOPE_CLOCKS",
    "One reading of all system clocks at the same time. CUPTI takes host times from "
    "CLOCK_REALTIME, which can step. The other clocks cannot step. A step of CLOCK_REALTIME is "
    "therefore visible: its difference to the other clocks changes.",
    extra("label", &ClockRow::label, Unit::none, "when the clocks were read: start, period or end"),
    extra("realtime", &ClockRow::realtime, Unit::utc_ns, "CLOCK_REALTIME"),
    extra("monotonic", &ClockRow::monotonic, Unit::ns, "CLOCK_MONOTONIC"),
    extra("monotonicRaw", &ClockRow::monotonicRaw, Unit::ns, "CLOCK_MONOTONIC_RAW"),
    extra("boottime", &ClockRow::boottime, Unit::ns, "CLOCK_BOOTTIME"));

}  // namespace lapscope::schema
