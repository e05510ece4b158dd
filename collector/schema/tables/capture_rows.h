#pragma once

#include "collector/schema/table.h"

// What lapscope adds: how the trace came about and how far to trust it.
namespace lapscope::schema {

struct CaptureRow {
  std::string name;
  std::optional<std::string> value;
};

template <>
inline constexpr auto describe<CaptureRow> = table<CaptureRow>(
    "LAPSCOPE_CAPTURE",
    "Facts of the recording, one a row. Names: see collector/schema/capture_facts.h.",
    extra("name", &CaptureRow::name, Unit::none, "which fact"),
    extra("value", &CaptureRow::value, Unit::none,
          "the fact; NULL when it could not be found out"));

struct EnvironmentRow {
  std::string name;
  std::string value;
};

template <>
inline constexpr auto describe<EnvironmentRow> = table<EnvironmentRow>(
    "LAPSCOPE_ENVIRONMENT",
    "Environment variables that change CUDA's behaviour, from a fixed short list. Nothing else of "
    "the "
    "environment is stored.",
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
    "What was asked of CUPTI and what came, per activity kind. SYNCHRONIZATION and CUDA_EVENT are "
    "reported "
    "by callbacks, where these can report all that was asked for.",
    extra("kind", &RecordsRow::kind, Unit::id,
          "CUpti_ActivityKind; negative for what only callbacks report"),
    extra("name", &RecordsRow::name, Unit::none, "its name"),
    extra("enableResult", &RecordsRow::enableResult, Unit::none,
          "CUptiResult of enabling it; 0 is success; NULL when it was not asked for"),
    extra("recordSize", &RecordsRow::recordSize, Unit::bytes,
          "size in the libcupti that was used; NULL for what callbacks report"),
    extra("received", &RecordsRow::received, Unit::count,
          "records delivered, those outside the captured interval not counted"),
    extra(
        "invalidTimestamps", &RecordsRow::invalidTimestamps, Unit::count,
        "of these, with a lost or reversed timestamp; they are in the trace, start or end being -1 "
        "or end being before start"),
    extra(
        "outside", &RecordsRow::outside, Unit::count,
        "records delivered and not kept, being outside the captured interval; NULL when all of the "
        "run was to be captured"));

struct StretchRow {
  std::int64_t start{};
  std::optional<std::int64_t> end;
  std::string begunBy;
  std::optional<std::string> endedBy;
};

template <>
inline constexpr auto describe<StretchRow> = table<StretchRow>(
    "LAPSCOPE_STRETCHES",
    "The intervals of time that were captured, when the user asked for a part of the run. What "
    "reaches into one is in the trace, whole; nothing is known of the time outside. No row: what "
    "the "
    "capture was to begin with never came. No table: all of the run was captured.",
    extra("start", &StretchRow::start, Unit::session_ns, "begin, host time"),
    extra("end", &StretchRow::end, Unit::session_ns,
          "end, host time; NULL when it lasted to the end of the recording"),
    extra("begunBy", &StretchRow::begunBy, Unit::none,
          "the first use of CUDA, a delay, cudaProfilerStart, or the NVTX range's name"),
    extra("endedBy", &StretchRow::endedBy, Unit::none,
          "the duration, the size of the trace, cudaProfilerStop, or the end of the NVTX range; "
          "NULL as "
          "end is"));

struct LossRow {
  std::string code;
  std::int64_t count{};
  std::optional<std::string> detail;
};

template <>
inline constexpr auto describe<LossRow> = table<LossRow>(
    "LAPSCOPE_LOSSES",
    "What is missing from the trace. No row, or a count of 0: nothing of that sort was lost.",
    extra("code", &LossRow::code, Unit::none,
          "dropped-records, dropped-callbacks, foreign-buffers, unknown-kind, write-error, "
          "decode-error or unmatched-range-ends"),
    extra("count", &LossRow::count, Unit::count, "how many records or, for errors, times"),
    extra("detail", &LossRow::detail, Unit::none, "the first error's own words, or which kind"));

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
    "What the host took for the program and its NVTX ranges in the runs that `record --bare` made "
    "in turn, without CUPTI and recorded: a row for each run, and one for each text of its ranges. "
    "This trace is of the recorded run whose ranges took the median.",
    extra("run", &RunRow::run, Unit::count, "in the order in which they were made, from 1"),
    extra("isRecorded", &RunRow::isRecorded, Unit::flags, "0 without CUPTI, 1 recorded"),
    extra("exitStatus", &RunRow::exitStatus, Unit::none, "128 + n when signal n ended the run"),
    extra("range", &RunRow::range, Unit::none,
          "text of the NVTX ranges of this process (of its rank), whatever their domain; NULL: the "
          "program as a whole, from its start to its end"),
    extra("count", &RunRow::count, Unit::count, "ranges of that text that were opened and closed"),
    extra("ns", &RunRow::ns, Unit::ns, "from open to close, added up"));

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
    "What calls take without CUPTI and recorded as in this trace, by a calibration (`lapscope "
    "doctor --calibrate`) with the same GPU, driver, CUPTI and options, in which both took turns: "
    "the difference is the recorder's own time. No such table: it was not calibrated, and the "
    "fact not-calibrated in LAPSCOPE_CAPTURE may say why.",
    extra("kind", &CallCostRow::kind, Unit::none,
          "launch, graph-launch, graph-node, copy-async, copy-blocking, memset, record-event, "
          "wait-event, query, synchronize, allocate, release, host-function: calls; nvtx-range; "
          "cold-call: a call of a thread that has slept for 3 ms; kernel-on-device, "
          "graph-node-on-device, graph-launch-on-device: from kernel to kernel "
          "on the GPU"),
    extra("bareNs", &CallCostRow::bareNs, Unit::ns,
          "without CUPTI, the median of the undisturbed rounds"),
    extra("recordedNs", &CallCostRow::recordedNs, Unit::ns,
          "recorded: the above and the median of their differences, round by round"),
    extra("spreadNs", &CallCostRow::spreadNs, Unit::ns,
          "half of the differences lie in a range of this length (from quartile to quartile)"),
    extra("created", &CallCostRow::created, Unit::none, "when it was measured, UTC, ISO 8601"));

struct ClockRow {
  std::string label;
  std::int64_t realtime{};
  std::int64_t monotonic{};
  std::int64_t monotonicRaw{};
  std::int64_t boottime{};
};

template <>
inline constexpr auto describe<ClockRow> =
    table<ClockRow>("LAPSCOPE_CLOCKS",
                    "Readings of the system clocks, taken together. CUPTI's host times are "
                    "CLOCK_REALTIME, which can "
                    "step; the others cannot, so a step shows as a difference.",
                    extra("label", &ClockRow::label, Unit::none, "when: start, period or end"),
                    extra("realtime", &ClockRow::realtime, Unit::utc_ns, "CLOCK_REALTIME"),
                    extra("monotonic", &ClockRow::monotonic, Unit::ns, "CLOCK_MONOTONIC"),
                    extra("monotonicRaw", &ClockRow::monotonicRaw, Unit::ns, "CLOCK_MONOTONIC_RAW"),
                    extra("boottime", &ClockRow::boottime, Unit::ns, "CLOCK_BOOTTIME"));

}  // namespace lapscope::schema
